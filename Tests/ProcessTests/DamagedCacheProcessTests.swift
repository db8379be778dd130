import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3))) struct DamagedCacheProcessTests {
    private func flip(_ stage: Stage, from offset: Int, count: Int = 1) throws {
        let file = open(stage.cache, O_RDWR)
        try #require(file >= 0)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        try #require(pread(file, &bytes, count, off_t(offset)) == count)
        bytes = bytes.map { ~$0 }
        try #require(pwrite(file, bytes, count, off_t(offset)) == count)
    }

    /// A page of the file that holds nothing of the queue; the log, which could hold it too, is emptied
    /// before.
    private func spoilMovies(_ stage: Stage) async throws {
        #expect(try await stage.sqlite("PRAGMA wal_checkpoint(TRUNCATE)").code == 0)
        let root = try await stage.sqlite(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'movies'")
        let page = try #require(Int(root.output.dropLast()))
        try flip(stage, from: (page - 1) * 4096, count: 64)
    }

    /// A cache with two todos in its queue, and a page that cannot be.
    private func damagedStage(_ server: String = "http://127.0.0.1:9") async throws -> Stage {
        let stage = try Stage()
        try stage.configure(server)
        #expect(try await stage.syncd("todo", "add", "one", "two").code == 0)
        try await spoilMovies(stage)
        return stage
    }

    private func setAside(_ stage: Stage) throws -> [String] {
        let folder = URL(fileURLWithPath: stage.cache).deletingLastPathComponent().path
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.contains(".corrupt-") }.sorted()
    }

    @Test func `P27: the daemon moves it aside, saves the queue, and says so for good`()
        async throws
    {
        let stage = try await damagedStage()
        let damaged = try stage.bytes(of: stage.cache)
        // Who only reads leaves it alone.
        #expect(try await stage.syncd("todo", "list").code == 0)
        #expect(try await stage.syncd("movies").code == 74)
        #expect(try stage.bytes(of: stage.cache) == damaged)
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        let told = try #require(log.lines.first { $0.contains("was damaged") })
        #expect(told.contains("2 operations of its queue were saved."))
        #expect(told.contains("Nothing of the queue was lost."))
        let aside = try setAside(stage)
        let moved = URL(fileURLWithPath: stage.cache).deletingLastPathComponent()
            .appendingPathComponent(try #require(aside.first)).path
        #expect(try stage.bytes(of: moved) == damaged)
        let queue = try await stage.sqlite("SELECT title, state FROM todos ORDER BY id")
        #expect(queue.output == "one|queued\ntwo|queued\n")
        let status = try await stage.syncd("status")
        #expect(status.code == 0)
        #expect(status.errors.contains("moved aside to \(moved)"))
        #expect(try await stage.syncd("status", "--json").output.contains(moved))
        let check = try await stage.syncd("check")
        #expect(check.code == 1)
        #expect(check.output.contains("moved aside to \(moved)"))
    }

    @Test func `a one-shot sync does, too, and what it saved reaches the server`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("todo", "add", "one", "two").code == 0)
        try await spoilMovies(stage)
        let synced = try await stage.syncd("sync")
        #expect(synced.code == 0, "\(synced.errors)")
        #expect(synced.errors.contains("2 operations of its queue were saved."))
        let after = try await stage.sqlite("SELECT title, state FROM todos ORDER BY id")
        #expect(after.output == "one|synced\ntwo|synced\n")
        // It is told once; later the file speaks for itself.
        #expect(try await !stage.syncd("sync").errors.contains("was damaged"))
    }

    @Test func `of a file without its header the daemon says that the queue is lost`() async throws
    {
        let stage = try await damagedStage()
        try flip(stage, from: 3)
        let damaged = try stage.bytes(of: stage.cache)
        for arguments in [["todo", "list"], ["status"], ["todo", "add", "x"]] {
            #expect(try await stage.run(.syncd, arguments).code == 74)
        }
        #expect(try stage.bytes(of: stage.cache) == damaged)
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        let told = try #require(log.lines.first { $0.contains("was damaged") })
        #expect(told.contains("Its queue had nothing that could be saved."))
        #expect(
            told.contains(
                "Lost: the name of its account; every todo; every operation; every conflict."))
        #expect(told.contains("Programs that were connected to it may have gone on writing"))
        #expect(told.contains(".recover`"))
    }

    @Test func `damage under a running daemon ends it, and the next one saves the queue`()
        async throws
    {
        let push = try await PushStage()
        let checkpoint = try await push.stage.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(checkpoint.code == 0)
        let root = try await push.stage.sqlite(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'sync_state'")
        let page = try #require(Int(root.output.dropLast()))
        try flip(push.stage, from: (page - 1) * 4096, count: 64)
        // Another program's commit makes the daemon read the file again.
        _ = try await push.stage.sqlite("INSERT INTO todos(title) VALUES('kept')")
        push.daemon.kill(SIGUSR1)
        #expect(await push.daemon.ending() == .exited(74))
        #expect(push.log.lines.contains { $0.contains("the cache is damaged") })
        let (daemon, log) = try await push.stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(log.lines.contains { $0.contains("1 operation of its queue was saved") })
        let titles = try await push.stage.sqlite("SELECT title FROM todos WHERE title = 'kept'")
        #expect(titles.output == "kept\n")
    }
}
