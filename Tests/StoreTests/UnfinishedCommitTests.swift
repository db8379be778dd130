import Declarations
import Foundation
import Migrations
import Recovery
import SQLite
import Store
import Testing

/// A cache whose log goes on behind the place where SQLite ends it: the commit of a writer that died
/// is there in part. What SQLite reads is the truth, and nothing accepted is behind that place.
@Suite struct `a commit that was cut off in the log` {
    private let directory: ScratchDirectory
    private let bystander: Connection
    private var path: String { directory.database }

    /// A bystander is connected, and has begun a round of the log.
    init() async throws {
        directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        _ = try await Cache.open(.file(directory.database)).add("in the file")
        bystander = try Self.script(directory.database)
        try bystander.execute(script: "PRAGMA wal_checkpoint(TRUNCATE)")
        try accept("in the log")
    }

    private static func script(_ path: String) throws -> Connection {
        let connection = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
        connection.keepWALOnClose()
        try connection.execute(script: "PRAGMA wal_autocheckpoint = 0")
        return connection
    }

    private func accept(_ title: String) throws {
        try bystander.run("INSERT INTO todos (title) VALUES (?)", .text(title))
    }

    private func log(of path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
    }

    /// What a writer appends to the log in one large commit, as SQLite writes it to a copy.
    private func framesOfTheDead() throws -> [UInt8] {
        let copy = try ScratchDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + suffix, toPath: copy.database + suffix)
        }
        let writer = try Self.script(copy.database)
        try writer.transaction {
            for number in 1...40 {
                try writer.run(
                    "INSERT INTO todos (title) VALUES (?)",
                    .text("lost \(number) " + String(repeating: "x", count: 3000)))
            }
        }
        let before = try log(of: path)
        let after = try log(of: copy.database)
        let isAppended = after.starts(with: before)
        try #require(isAppended)
        return Array(after[before.count...])
    }

    private func append(_ frames: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "-wal"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(frames))
        try file.close()
    }

    private func expectSound(_ titles: [String]) async throws {
        let report = try Salvage(of: path, migrations: Migration.all, wall: noon, now: boot(9000))
            .run(isSuspicious: true).report
        #expect(report == nil)
        #expect(directory.names.filter { $0.contains("corrupt") } == [])
        let store = try Cache.open(.file(path))
        #expect(try await store.todos(search: nil).map(\.title) == titles)
        #expect(try await store.check().filter { $0.severity == .error } == [])
    }

    /// The dead writer's frames are whole, but it has told nobody, and the next commit is shorter.
    @Test func `D1: one whose head a shorter commit has overwritten is no damage`() async throws {
        let frames = try framesOfTheDead()
        try append(frames)
        let size = try log(of: path).count
        try accept("after the death")
        let log = try log(of: path)
        #expect(log.count == size)
        let isDeadEndThere = log.suffix(4096) == frames.suffix(4096)
        #expect(isDeadEndThere)
        try await expectSound(["in the file", "in the log", "after the death"])
    }

    /// Of the frames that no sync has put on the disk, a sector of the first one is missing.
    @Test func `D1: one that a power loss has torn is no damage`() async throws {
        var frames = try framesOfTheDead()
        for offset in 24 + 4096 - 512..<24 + 4096 { frames[offset] = 0 }
        try append(frames)
        try FileManager.default.removeItem(atPath: path + "-shm")
        try await expectSound(["in the file", "in the log"])
    }
}
