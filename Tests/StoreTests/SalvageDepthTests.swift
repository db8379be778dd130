import Declarations
import Foundation
import Glibc
import Migrations
import Recovery
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `a salvage` {
    @Test func `reads past a part of the schema that is damaged`() async throws {
        let cache = try await DamagedCache()
        let before = try await Cache.open(.file(cache.path)).withConnection {
            try $0.rows(queueQuery)
        }
        var bytes = try cache.bytes()
        let text = Array(#"CREATE TRIGGER "movies_added""#.utf8)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes[place] = UInt8(ascii: "X")
        try cache.write(bytes)
        let report = try #require(try cache.salvage())
        #expect(report.damage.contains("malformed database schema (movies_added)"))
        #expect(report.losses == [])
        #expect(report.isClosed)
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.withConnection { try $0.rows(queueQuery) } == before)
    }

    @Test(arguments: 1...Migration.all.count)
    func `reads a cache of any version`(version: Int) async throws {
        let cache = try await DamagedCache(
            ofVersion: version, "INSERT INTO todos (title) VALUES ('old')")
        try cache.spoil("movies")
        let report = try #require(try cache.salvage())
        #expect(report.losses == [])
        #expect(try await Cache.open(.file(cache.path)).todos(search: nil).map(\.title) == ["old"])
    }

    @Test func `of a file that nothing can be read of says so, and leaves numbers out`()
        async throws
    {
        let cache = try await DamagedCache()
        var bytes = try cache.bytes()
        bytes[3] ^= 1
        try cache.write(bytes)
        let report = try #require(try cache.salvage())
        #expect(
            report.losses == [
                "the name of its account", "every todo", "every operation", "every conflict",
            ])
        #expect(report.operations == 0)
        #expect(!report.isClosed)
        #expect(report.description.contains("gone on writing to the moved file"))
        #expect(report.hint.contains("`sqlite3 \(report.movedTo) .recover`"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.movedTo)) == Data(bytes))
        let id = try await Cache.open(.file(cache.path)).add("next")
        #expect(id == TodoID(rawValue: 100_001))
    }

    @Test func `names what it could not read`() async throws {
        let cache = try await DamagedCache(todos: 300)
        var bytes = try cache.bytes()
        // The second leaf of the operations, wherever it is: pages that hold keys, but not the root.
        let root = try cache.root(of: "operation")
        let first = (root - 1) * 4096
        #expect(bytes[first] == 5, "an interior page")

        let cell = first + Int(bytes[first + 14]) * 256 + Int(bytes[first + 15])
        let child = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        for offset in 0..<4096 { bytes[(child - 1) * 4096 + offset] = 0 }
        try cache.write(bytes)
        let report = try #require(try cache.salvage())
        #expect(report.losses.count == 1, "\(report.losses)")
        #expect(report.losses.first?.hasPrefix("operations ") == true, "\(report.losses)")
        #expect(report.hint.contains("backup"))
        let store = try Cache.open(.file(cache.path))
        // Their todos could be read: they may have been sent.
        #expect(report.operations == 304)
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [])
    }

    @Test func `that was cut off in the middle of the switch goes on`() async throws {
        let cache = try await DamagedCache()
        try cache.spoil("movies")
        let report = try #require(try cache.salvage())
        // As it was between the two renames; a starting process has made an empty file meanwhile.
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: cache.path + suffix) {
            try FileManager.default.moveItem(
                atPath: cache.path + suffix, toPath: cache.path + ".salvaged" + suffix)
        }
        try Cache.makeEmptyFile(cache.path)
        let error = #expect(throws: StoreError.self) { try Cache.open(.file(cache.path)) }
        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try cache.salvage() == nil)
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.outbox().count == report.operations)
    }

    @Test func `refuses a log of another database, and leaves all untouched`() async throws {
        let cache = try await DamagedCache()
        let other = try ScratchDirectory()
        try Cache.makeEmptyFile(other.database)
        let connection = try Connection(
            .file(other.database), access: .readWrite, busyTimeout: .zero)
        connection.keepWALOnClose()
        try connection.execute(
            script: """
                PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                CREATE TABLE theirs (a); INSERT INTO theirs VALUES (zeroblob(20000));
                """)
        let log = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: other.database + "-wal")))
        try cache.write(log, "-wal")
        let before = try cache.bytes()
        // The pages of the other database hide ours, and they say whose they are.
        #expect(throws: StoreError.foreignDatabase(path: cache.path)) { try cache.salvage() }
        #expect(try cache.bytes() == before)
        #expect(try cache.bytes("-wal") == log)
    }

    @Test func `of a file that was cut off keeps its log`() async throws {
        let cache = try await DamagedCache(inTheLog: true)
        let log = try cache.bytes("-wal")
        try cache.write([])
        let report = try #require(try cache.salvage())
        #expect(report.damage.contains("is empty"))
        #expect(report.losses == ["the whole queue"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.movedTo + "-wal")) == Data(log))
        _ = try Cache.open(.file(cache.path))
    }

    @Test func `that was cut off before the switch is made again`() async throws {
        let cache = try await DamagedCache()
        let sound = try cache.bytes()
        try cache.spoil("movies")
        let report = try #require(try cache.salvage())
        // As if nothing had been moved, and the damage were gone: the file takes no writes any more.
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: cache.path + suffix)
            try FileManager.default.moveItem(
                atPath: report.movedTo + suffix, toPath: cache.path + suffix)
        }
        try cache.write(sound)
        let again = try #require(try cache.salvage(isSuspicious: false))
        #expect(again.operations == report.operations)
        #expect(try await Cache.open(.file(cache.path)).add("next") == TodoID(rawValue: 14))
    }

    @Test func `that was cut off stands in nobody's way where the cache is sound`() async throws {
        let cache = try await DamagedCache()
        try Cache.makeEmptyFile(cache.path + ".salvaged")
        #expect(throws: StoreError.self) { try Cache.open(.file(cache.path)) }
        #expect(try cache.salvage() == nil)
        _ = try Cache.open(.file(cache.path))
    }

    @Test func `overwrites none of an earlier one`() async throws {
        let cache = try await DamagedCache()
        var moved: [String] = []
        for _ in 0..<3 {
            var bytes = try cache.bytes()
            bytes[3] ^= 1
            try cache.write(bytes)
            moved.append(try #require(try cache.salvage()).movedTo)
        }
        #expect(Set(moved).count == 3)
        #expect(DamagedCopy.all(of: cache.path).map(\.path) == moved.sorted())
        #expect(DamagedCopy.all(of: cache.path).allSatisfy { $0.note != nil })
    }

    @Test func `waits for a writer, and touches nothing while he writes`() async throws {
        let cache = try await DamagedCache()
        let root = try cache.root(of: "movies")
        var bytes = try cache.bytes()
        for offset in 0..<8 { bytes[(root - 1) * 4096 + offset] ^= 0x55 }
        try cache.write(bytes)
        let writer = try Connection(.file(cache.path), access: .readWrite, busyTimeout: .zero)
        try writer.run("BEGIN IMMEDIATE")
        #expect(throws: StoreError.busy) { try cache.salvage() }
        #expect(try cache.bytes() == bytes)
        writer.rollBack()
        #expect(try cache.salvage() != nil)
    }
}
