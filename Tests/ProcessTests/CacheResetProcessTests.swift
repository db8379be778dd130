import Foundation
import Testing

/// A cache that is set aside for an empty one.
@Suite(.timeLimit(.minutes(2))) struct CacheResetProcessTests {
    private func aside(_ stage: Stage) throws -> [String] {
        let folder = URL(fileURLWithPath: stage.cache).deletingLastPathComponent().path
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains(".reset-") && $0.hasSuffix("Z") }.map { folder + "/" + $0 }
    }

    @Test func `changes that wait keep a cache, until they are left behind by force`() async throws
    {
        let stage = try await Stage.outbox("queued", "rejected")
        let refused = try await stage.syncd("cache", "reset")
        #expect(refused.code == 65)
        #expect(refused.errors.hasPrefix("syncd: changes wait in the outbox: 2. Send them with "))
        #expect(try aside(stage) == [])
        #expect(try await stage.sqlite("SELECT count(*) FROM todos").output == "2\n")
        let forced = try await stage.syncd("cache", "reset", "--force")
        #expect(forced.code == 0)
        let old = try #require(try aside(stage).first)
        #expect(
            forced.errors == """
                syncd: the old cache was moved to \(old)
                syncd: changes that nobody sends any more: 2. \
                See them with `sqlite3 \(old) 'SELECT * FROM outbox'`

                """)
        #expect(try await stage.sqlite("SELECT count(*) FROM todos").output == "0\n")
        let shown = try await stage.run(
            Program(path: "/usr/bin/sqlite3"), [old, "SELECT title FROM outbox"])
        #expect(shown.output == "todo 1\ntodo 2\n")
        #expect(try await stage.syncd("check").code == 0)
        #expect(try await stage.syncd("todo", "add", "new").code == 0)
    }

    @Test func `another account's cache is set aside, and the next sync works`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let movies = try await stage.sqlite("SELECT count(*) FROM movies").output
        #expect(try await stage.sqlite("UPDATE account SET email = 'other@example.com'").code == 0)
        #expect(try await stage.syncd("sync").code == 78)
        let reset = try await stage.syncd("cache", "reset")
        #expect(reset.code == 0, "\(reset.errors)")
        #expect(try await stage.sqlite("SELECT count(*) FROM movies").output == "0\n")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM movies").output == movies)
        #expect(try await stage.syncd("status", "--max-age", "1h").code == 0)
    }

    @Test func `a cache that a daemon keeps is not touched`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let (daemon, _) = try await stage.startDaemon()
        let refused = try await stage.syncd("cache", "reset", "--force")
        #expect(refused.code == 75)
        #expect(refused.errors.contains("(process \(daemon.pid), daemon) holds "))
        #expect(try aside(stage) == [])
        daemon.kill(SIGTERM)
        _ = await daemon.ending()
    }

    @Test func `where no cache is, none is made`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("cache", "reset").code == 74)
        #expect(!FileManager.default.fileExists(atPath: stage.cache))
    }
}
