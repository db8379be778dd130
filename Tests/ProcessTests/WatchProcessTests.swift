import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3))) struct WatchProcessTests {
    /// A watch that has begun, and what it prints.
    private func watch(
        _ stage: Stage, _ arguments: String...
    ) async throws -> (Child, LineReader) {
        let name = "watch.\(UUID().uuidString)"
        // Its note tells that it has begun, and goes the same way as its lines.
        let script = "exec \"$0\" watch \"$@\" 2>&1"
        let (child, reader) = try stage.start(
            .shell, ["-c", script, Program.syncd.path] + arguments, readingErrors: false)
        try #require(await reader.line(holding: "watching from revision") != nil, "\(name)")
        return (child, reader)
    }

    private func changes(_ reader: LineReader) throws -> [[String: Any]] {
        try reader.lines.filter { $0.hasPrefix("{") }.map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(value as? [String: Any])
        }
    }

    @Test func `every change by any process is told, in order, until interrupted`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "before").code == 0)
        let (child, reader) = try await watch(stage)
        for number in 1...20 {
            if number % 2 == 0 {
                #expect(try await stage.syncd("todo", "add", "todo \(number)").code == 0)
            } else {
                let sql = "INSERT INTO todos(title) VALUES('todo \(number)')"
                #expect(try await stage.sqlite(sql).code == 0)
            }
        }
        #expect(try await stage.sqlite("DELETE FROM todos WHERE title = 'todo 7'").code == 0)
        // What is committed before the signal is told.
        child.kill(SIGINT)
        #expect(await child.ending() == .exited(130))
        _ = await reader.line(holding: "no such line")
        let told = try changes(reader)
        let log = try await stage.sqlite("SELECT rev FROM changes WHERE rev > 2 ORDER BY rev")
        #expect(
            told.compactMap { ($0["rev"] as? Int).map { "\($0)\n" } }.joined() == log.output)
        let added = told.filter { $0["list"] as? String == "todos" }
            .filter { $0["change"] as? String == "added" }.compactMap { $0["title"] as? String }
        #expect(added == (1...20).map { "todo \($0)" })
    }

    @Test func `a writer that keeps its connection open is seen without a further write`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "before").code == 0)
        let (child, reader) = try await watch(stage, "todos")
        defer { child.kill(SIGKILL) }
        let (writer, _) = try stage.start(
            .sqlite3, [stage.cache], readingErrors: false,
            input: "INSERT INTO todos(title) VALUES('kept open');\n")
        defer { writer.kill(SIGKILL) }
        #expect(await reader.line(holding: "\"title\":\"kept open\"") != nil)
    }

    @Test func `one list alone is told, from a revision on`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a", "b").code == 0)
        let (child, reader) = try await watch(stage, "outbox", "--since", "2")
        #expect(await reader.line(holding: "\"title\":\"b\"") != nil)
        child.kill(SIGTERM)
        #expect(await child.ending() == .exited(130))
        let told = try changes(reader)
        #expect(told.map { $0["list"] as? String } == ["outbox"])
        #expect(told.map { $0["op"] as? String } == ["create"])
    }

    @Test(arguments: [
        ("0", "DELETE FROM change WHERE rev < 3", 2), ("9", "SELECT 1", 4),
    ]) func `a revision that the log does not follow is a gap`(
        since: String, preparation: String, revision: Int
    ) async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a", "b").code == 0)
        #expect(try await stage.sqlite(preparation).code == 0)
        let (child, reader) = try await watch(stage, "--since", since)
        defer { child.kill(SIGKILL) }
        #expect(await reader.line(holding: "\"change\":\"gap\"") != nil)
        let told = try changes(reader)
        #expect(told[0]["rev"] as? Int == revision)
        #expect(told[0].count == 8)
    }

    @Test func `a command gets each batch on its input, and its end is told`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a", "b").code == 0)
        let (child, reader) = try await watch(
            stage, "todos", "--since", "0", "--exec", "cat; echo batch; exit 3")
        #expect(await reader.line(holding: "the command of --exec ended with 3") != nil)
        let lines = reader.lines
        #expect(lines.filter { $0.hasPrefix("{") }.count == 2)
        #expect(try await stage.syncd("todo", "add", "c").code == 0)
        #expect(await reader.line(holding: "\"title\":\"c\"") != nil)
        child.kill(SIGTERM)
        #expect(await child.ending() == .exited(130))
    }

    @Test func `a signal ends a command that runs, too`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let (child, reader) = try await watch(
            stage, "--since", "0", "--exec", "echo running; exec tail -f /dev/null")
        #expect(await reader.line(holding: "running") != nil)
        child.kill(SIGTERM)
        #expect(await child.ending() == .exited(130))
    }

    @Test(arguments: [true, false])
    func `a cache that takes the place of the one before is gone on with, after a gap`(
        isWithoutPause: Bool
    ) async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "before").code == 0)
        let copy = stage.root + "/state/syncd/copy"
        #expect(try await stage.sqlite("VACUUM INTO '\(copy)'").code == 0)
        try #require(chmod(copy, 0o600) == 0)
        let (child, reader) = try await watch(stage)
        for turn in 1...2 {
            let line = reader.lines.count
            if !isWithoutPause {
                for suffix in ["", "-wal", "-shm"] { unlink(stage.cache + suffix) }
                try #require(
                    await reader.line(holding: "the cache was replaced", from: line) != nil)
                #expect(try await stage.syncd("todo", "add", "new").code == 0)
            } else {
                for suffix in ["-wal", "-shm"] { unlink(stage.cache + suffix) }
                try FileManager.default.removeItem(atPath: stage.cache)
                try FileManager.default.copyItem(atPath: copy, toPath: stage.cache)
            }
            #expect(await reader.line(holding: "\"change\":\"gap\"", from: line) != nil)
            #expect(try await stage.syncd("todo", "add", "after \(turn)").code == 0)
            #expect(await reader.line(holding: "\"title\":\"after \(turn)\"", from: line) != nil)
        }
        child.kill(SIGTERM)
        #expect(await child.ending() == .exited(130))
    }

    @Test func `a status that is watched follows the queue, the daemon and a new file`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let (child, reader) = try stage.start(
            .syncd, ["status", "--watch", "--json"], readingErrors: false)
        defer { child.kill(SIGKILL) }
        #expect(await reader.line(holding: "\"syncing\":null") != nil)
        #expect(try await stage.sqlite("INSERT INTO todos(title) VALUES('a')").code == 0)
        #expect(await reader.line(holding: "\"queued\":1") != nil)
        let (daemon, _) = try await stage.startDaemon()
        #expect(await reader.line(holding: "\"pid\":\(daemon.pid),\"role\":\"daemon\"") != nil)
        let line = reader.lines.count
        // It writes nothing more.
        daemon.kill(SIGKILL)
        #expect(await reader.line(holding: "\"syncing\":null", from: line) != nil)
        for suffix in ["", "-wal", "-shm"] { unlink(stage.cache + suffix) }
        for title in ["b", "c"] { #expect(try await stage.syncd("todo", "add", title).code == 0) }
        #expect(await reader.line(holding: "\"queued\":2", from: line) != nil)
    }

    @Test(arguments: [
        (["movis"], "there is no list ‘movis’; the nearest one is movies"),
        (["--since", "-1"], "from 0"),
        (["--since", "x"], "from 0, not ‘x’"), (["todos", "movies"], "takes no operand movies"),
    ]) func `wrong words are refused`(arguments: [String], sentence: String) async throws {
        let stage = try Stage()
        // The lists that can be watched are those of the cache.
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let ended = try await stage.run(.syncd, ["watch"] + arguments)
        #expect(ended.code == 64)
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
    }
}
