import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3))) struct SyncProcessTests {
    @Test func `what stock sqlite3 inserted is at the server after a sync`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let inserted = try await stage.sqlite("INSERT INTO todos(title) VALUES('milk')")
        #expect(inserted.code == 0)
        let synced = try await stage.syncd("sync", "--json")
        #expect(synced.code == 0)
        let document = try JSONSerialization.jsonObject(with: Data(synced.output.utf8))
        let object = try #require(document as? [String: Any])
        #expect(object["synced_by"] as? String == "this process")
        #expect((object["outbox"] as? [String: Int])?.values.reduce(0, +) == 0)
        let todo = try await stage.sqlite("SELECT title, state, server_id FROM todos")
        #expect(todo.output == "milk|synced|1\n")
        // The other side says the same: a cache of its own pulls it.
        let other = try Stage()
        try other.configure(address)
        #expect(try await other.syncd("sync", "todos").code == 0)
        #expect(try await other.sqlite("SELECT title, server_id FROM todos").output == "milk|1\n")
    }

    @Test func `an unchanged second sync leaves the file and adds at most three frames`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        _ = try await stage.syncd("todo", "add", "a", "b")
        #expect(try await stage.syncd("sync").code == 0)
        // The queue is empty now; the pull that shows it is the first that can be unchanged.
        #expect(try await stage.syncd("sync").code == 0)
        let file = try stage.bytes(of: stage.cache)
        let wal = try stage.bytes(of: stage.cache + "-wal").count
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try stage.bytes(of: stage.cache) == file)
        #expect(try stage.bytes(of: stage.cache + "-wal").count - wal <= 3 * (4096 + 24))
    }

    @Test func `movies come whole, and in order`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        let listed = try await stage.syncd("movies", "--json", "--limit", "3")
        let rows =
            try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]]
        #expect(rows?.map { $0["rank"] as? Int } == [1, 2, 3])
        #expect(rows?.allSatisfy { ($0["document"] as? [String: Any])?["id"] != nil } == true)
        let count = try await stage.sqlite("SELECT count(*) >= 400 FROM movies")
        #expect(count.output == "1\n")
        let from = try await stage.syncd("movies", "--from", "2027-01-01", "--to", "2027-01-31")
        for line in from.output.split(separator: "\n").dropFirst() {
            #expect(line.split(separator: "\t")[1].hasPrefix("2027-01-"))
        }
    }

    @Test func `without a server the cache answers, the queue waits and 69 tells`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        server.kill(SIGKILL)
        _ = await server.ending()
        _ = try await stage.syncd("todo", "add", "offline")
        let failed = try await stage.syncd("sync")
        #expect(failed.code == 69)
        #expect(failed.errors.contains("syncd: todos: offline: no connection"))
        let status = try await stage.syncd("status", "--json", "--max-age", "1h")
        #expect(status.code == 0)
        #expect(status.output.contains(#""queued":1"#))
        #expect(status.output.contains(#""state":"offline""#))
        let stale = try await stage.syncd("status", "--max-age", "1ms")
        #expect(stale.code == 75)
        #expect(stale.errors.contains("the todos were pulled "))
        let port = try #require(address.split(separator: ":").last)
        let (again, _) = try await stage.startServer(port: String(port))
        defer { again.kill(SIGKILL) }
        #expect(try await stage.syncd("sync", "todos").code == 0)
        let todo = try await stage.sqlite("SELECT state FROM todos")
        #expect(todo.output == "synced\n")
    }

    @Test func `quiet keeps the table, the progress and the notes back, but no error`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        try stage.configure(address)
        let fine = try await stage.syncd("sync", "--quiet")
        #expect(fine.code == 0)
        #expect(fine.output + fine.errors == "")
        server.kill(SIGKILL)
        _ = await server.ending()
        let failed = try await stage.syncd("sync", "--quiet")
        #expect(failed.code == 69)
        #expect(failed.output == "")
        for list in ["movies", "todos"] {
            #expect(failed.errors.contains("syncd: \(list): offline: no connection"))
        }
    }

    @Test func `refused credentials are 77 and lose nothing`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        _ = try await stage.syncd("todo", "add", "kept")
        let text = try String(contentsOfFile: stage.configuration, encoding: .utf8)
        try stage.write(
            text.replacingOccurrences(
                of: "\"password\": \"\(stage.account.password)\"", with: #""password": "wrong-one""#
            ),
            to: stage.configuration)
        for arguments in [["sync", "todos"], ["login"]] {
            let refused = try await stage.run(.syncd, arguments)
            #expect(refused.code == 77)
            #expect(refused.errors.contains("401"))
            #expect(!(refused.errors + refused.output).contains("wrong-one"))
        }
        #expect(try await stage.sqlite("SELECT state FROM todos").output == "queued\n")
        try stage.write(text, to: stage.configuration)
        #expect(try await stage.syncd("login").code == 0)
        #expect(try await stage.syncd("sync", "todos").code == 0)
        #expect(try await stage.sqlite("SELECT state FROM todos").output == "synced\n")
    }

    @Test func `a refused token of the movies is no matter for login`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.write(
            """
            {"movies": {"baseURL": "\(address)/3", "token": "wrong-one"},
             "todos": {"baseURL": "\(address)", "email": "demo@example.com",
                       "password": "wrong-one"}}
            """, to: stage.configuration)
        #expect(try await stage.syncd("sync").code == 77)
        let status = try await stage.syncd("status")
        let lines = status.errors.split(separator: "\n")
        let mend = "in the configuration, reload a daemon that runs, then run"
        #expect(lines.contains("syncd: movies: Correct movies.token \(mend) `syncd sync movies`."))
        #expect(lines.contains("syncd: todos: Correct todos.password \(mend) `syncd login`."))
        #expect(!lines.contains { $0.contains("movies:") && $0.contains("login") })
    }

    @Test func `an account is made, used, and not made twice`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let password = try stage.write("s3cret-Ä\n", to: "secrets/password")
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "\(address)",
             "email": "ada@example.com", "passwordFile": "\(password)"}}
            """, to: stage.configuration)
        #expect(try await stage.syncd("login").code == 77)
        let made = try await stage.syncd("user", "create", "--name", "Ada", "--json")
        #expect(made.code == 0)
        #expect(made.output.contains(#""email":"ada@example.com","name":"Ada"}"#))
        let again = try await stage.syncd("user", "create")
        #expect(again.code == 65)
        #expect(again.errors.contains("400: "))
        _ = try await stage.syncd("todo", "add", "hers")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.sqlite("SELECT state FROM todos").output == "synced\n")
        #expect(try await stage.syncd("sync", "movies").code == 78)
    }

    @Test func `an interrupted sync ends with 130, and its change arrives once`() async throws {
        let stage = try Stage()
        let (slow, address) = try await stage.startServer(port: "0", "--latency", "600000")
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "\(address)",
             "email": "demo@example.com", "password": "\(stage.account.password)"}}
            """, to: stage.configuration)
        _ = try await stage.syncd("todo", "add", "once")
        let (sync, errors) = try stage.start(.syncd, ["sync"], readingErrors: true)
        // The lock file names the process when it is at work.
        try await stage.waitForLock(of: sync)
        sync.kill(SIGINT)
        #expect(await sync.ending() == .exited(130))
        #expect(await errors.line(holding: "syncd: interrupted. ") != nil)
        slow.kill(SIGKILL)
        _ = await slow.ending()
        let port = try #require(address.split(separator: ":").last)
        let (server, _) = try await stage.startServer(port: String(port))
        defer { server.kill(SIGKILL) }
        #expect(try await stage.syncd("sync").code == 0)
        let todo = try await stage.sqlite("SELECT state, count(*) FROM todos")
        #expect(todo.output == "synced|1\n")
    }

    @Test func `a sync over its limit of time ends with 75`() async throws {
        let stage = try Stage()
        let (slow, address) = try await stage.startServer(port: "0", "--latency", "600000")
        defer { slow.kill(SIGKILL) }
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "\(address)",
             "email": "demo@example.com", "password": "\(stage.account.password)"}}
            """, to: stage.configuration)
        let ended = try await stage.syncd("sync", "--timeout", "1ms")
        #expect(ended.code == 75)
        #expect(ended.errors.contains("the sync did not end in time"))
        #expect(ended.output == "")
    }

    @Test func `a request that nobody took is answered by the next sync`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        _ = try await stage.syncd("todo", "add", "a")
        #expect(
            try await stage.sqlite("INSERT INTO sync_requests(list) VALUES('todos')").code == 0)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM sync_requests").output == "0\n")
        #expect(try await stage.sqlite("SELECT state FROM todos").output == "synced\n")
    }
}
