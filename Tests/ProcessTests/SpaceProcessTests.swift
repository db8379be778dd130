import Foundation
import Glibc
import Testing

/// No space, without a disk that is full: a limit on the size of files stands for a quota, and can be
/// lifted from a process that runs.
@Suite(.timeLimit(.minutes(2))) struct SpaceProcessTests {
    private static let limiter = Program(path: "/usr/bin/prlimit")

    private func walSize(_ stage: Stage) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: stage.cache + "-wal")
        return try #require(facts[.size] as? Int)
    }

    /// The first page is beyond the end of what may grow: that of the WAL, and that of its index.
    @Test(arguments: [false, true])
    func `what may not grow is refused as a full disk, and reads go on`(isIndex: Bool) async throws
    {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        #expect(try await stage.syncd("todo", "add", "kept").code == 0)
        let limit = isIndex ? 4096 : try walSize(stage)
        let refused = try await stage.run(
            Self.limiter, ["--fsize=\(limit)", Program.syncd.path, "todo", "add", "refused"])
        #expect(refused.code == 74)
        #expect(refused.errors.contains("the disk is full. Free some space"), "\(refused.errors)")
        #expect(try await stage.sqlite("SELECT title FROM todos").output == "kept\n")
        #expect(try await stage.syncd("todo", "add", "later").code == 0)
        #expect(try await stage.sqlite("SELECT title FROM todos").output == "kept\nlater\n")
    }

    @Test func `a daemon whose quota is used up goes on when it is raised`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(try await stage.syncd("sync", "todos").code == 0)
        func limit(_ text: String) async throws {
            let done = try await stage.run(
                Self.limiter, ["--pid", "\(daemon.pid)", "--fsize=\(text)"])
            #expect(done.code == 0, "\(done.errors)")
        }
        try await limit("4096:unlimited")
        #expect(try await stage.sqlite("INSERT INTO todos(title) VALUES ('waits')").code == 0)
        try #require(await log.line(holding: "the disk is full; trying again") != nil)
        try await limit("unlimited:unlimited")
        #expect(try await stage.syncd("sync", "todos").code == 0)
        #expect(try await stage.sqlite("SELECT state FROM todos").output == "synced\n")
    }
}
