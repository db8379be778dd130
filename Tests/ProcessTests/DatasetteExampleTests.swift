import Foundation
import Glibc
import Testing

/// The metadata file for datasette against a real cache; datasette itself is not needed.
@Suite(.timeLimit(.minutes(2))) struct DatasetteExampleTests {
    private func database() throws -> [String: Any] {
        let file = URL(fileURLWithPath: DocumentExample.path("examples/datasette/metadata.json"))
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let databases = (root as? [String: Any])?["databases"] as? [String: Any]
        return try #require(databases?["cache"] as? [String: Any])
    }

    @Test func `every ready query runs`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let queries = try #require(try database()["queries"] as? [String: [String: String]])
        #expect(queries.count >= 4)
        for (name, query) in queries {
            let text = try #require(query["sql"])
            // Its page does not wrap them.
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(name)")
            // What datasette asks the person for.
            let sql = text.replacingOccurrences(of: ":words", with: "'x'")
            let ended = try await stage.syncd("query", "--json", sql)
            #expect(ended.code == 0, "\(name): \(ended.errors)")
            if !["waiting", "movie_news", "find_movies"].contains(name) {
                #expect(ended.output.count > 10, "\(name)")
            }
        }
    }

    /// What `configure` writes for the cache of a stage with a declared list.
    private func configured(_ stage: Stage, edits: Bool = true) async throws -> [String: Any] {
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [DocumentExample.path("examples/datasette/configure")] + (edits ? ["--edit"] : [])
                + [stage.cache])
        try #require(ended.code == 0, "\(ended.errors)")
        let root = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        #expect(root?["allow"] as? [String: String] == ["id": "root"])
        let databases = root?["databases"] as? [String: Any]
        return try #require(databases?["cache"] as? [String: Any])
    }

    @Test
    func `lists can be written by whoever has logged in, and what is behind them is shut`()
        async throws
    {
        let stage = try Stage()
        try stage.configure(
            "http://127.0.0.1:9",
            extra: ", \"servers\": {\"home\": {\"baseURL\": \"http://127.0.0.1:9\"}}")
        let note = #"{"text": "$.title", "write": "create", "required": true}"#
        for (name, more) in [("notes", #""create": true, "#), ("books", "")] {
            let title = more.isEmpty ? #""text $.title""# : note
            try stage.write(
                """
                {"server": "home", "list": "/\(name)", "id": "$.id", \(more)"columns": {"title": \(title)}}
                """, to: "config/syncd/lists/\(name).json")
        }
        // Without a server, it makes the tables.
        #expect(try await stage.syncd("sync").code == 69)
        let cache = try await configured(stage)
        let tables = try #require(cache["tables"] as? [String: [String: Any]])
        let found = try await stage.sqlite(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        #expect(Set(tables.keys) == Set(found.output.split(separator: "\n").map(String.init)))
        let shut = tables.filter { $0.value["allow"] as? Bool == false }
        #expect(shut.allSatisfy { $0.value["hidden"] as? Bool == true })
        #expect(
            Set(tables.keys).subtracting(shut.keys) == [
                "books", "movies", "notes", "todos", "changes", "conflicts", "movie_changes",
                "held_deletes", "list_parts", "outbox", "sync_requests", "sync_status",
            ])
        let writable = tables.filter { $0.value["permissions"] != nil }
        #expect(Set(writable.keys) == ["books", "movies", "notes", "todos"])
        for (name, settings) in writable {
            let permissions = settings["permissions"] as? [String: [String: String]]
            #expect(
                permissions == [
                    "insert-row": ["id": "root"], "update-row": ["id": "root"],
                    "delete-row": ["id": "root"],
                ], "\(name)")
        }
        let reading = try await configured(stage, edits: false)["tables"]
        let read = try #require(reading as? [String: [String: Any]])
        #expect(Set(read.keys) == Set(tables.keys))
        #expect(read.values.allSatisfy { $0["permissions"] == nil })
        let database = try #require(cache["permissions"] as? [String: Bool])
        #expect(database.count == 8 && database.values.allSatisfy { !$0 })
    }

    /// What the plugin makes of a request with these headers, by an application that answers with two cookies.
    private func guarded(_ headers: [(String, String)]) async throws -> String {
        let stage = try Stage()
        let program = """
            import asyncio, json, sys, types
            sys.modules["datasette"] = types.SimpleNamespace(hookimpl=lambda function: function)
            source = open(sys.argv[1]).read()
            plugin = {}
            exec(compile(source, sys.argv[1], "exec"), plugin)
            sent = []
            async def app(scope, receive, send):
                sent.append(dict(scope["headers"]).get(b"cookie", b"").decode())
                await send({"type": "http.response.start", "status": 200, "headers": [
                    (b"set-cookie", b"ds_actor=new; Path=/"), (b"set-cookie", b"other=1")]})
            async def send(message):
                if message["type"] == "http.response.start":
                    sent.append([message["status"]] + [value.decode() for _, value in message["headers"]])
            headers = [(name.encode(), value.encode()) for name, value in json.loads(sys.argv[2])]
            scope = {"type": "http", "server": ["127.0.0.1", 8001], "headers": headers}
            asyncio.run(plugin["asgi_wrapper"](None)(app)(scope, None, send))
            print(json.dumps(sent))
            """
        let pairs = headers.map { "[\"\($0.0)\", \"\($0.1)\"]" }.joined(separator: ", ")
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [
                "-c", program, DocumentExample.path("examples/datasette/plugins/own_machine.py"),
                "[\(pairs)]",
            ])
        try #require(ended.code == 0, "\(ended.errors)")
        return ended.output
    }

    @Test(arguments: ["127.0.0.1:8001", "localhost:8001", "LOCALHOST:8001", "[::1]:8001"])
    func `N11: its pages have cookies of their own`(host: String) async throws {
        let cookies = "a=b; ds_actor=another; ds_actor_8002=third; ds_actor_8001=mine"
        #expect(
            try await guarded([("host", host), ("cookie", cookies)])
                == #"["a=b; ds_actor=mine", [200, "ds_actor_8001=new; Path=/", "other=1"]]"# + "\n")
    }

    @Test(arguments: [
        ["evil.example:8001"], ["127.0.0.1"], ["127.0.0.1:8002"], ["127.0.0.1:8001.evil.example"],
        [],
        ["127.0.0.1:8001", "evil.example"],
    ])
    func `N11: a request that names another host is refused`(hosts: [String]) async throws {
        #expect(
            try await guarded(hosts.map { ("host", $0) } + [("cookie", "ds_actor_8001=mine")])
                == #"[[421, "text/plain"]]"# + "\n")
    }

    @Test func `the metadata describes no table or view that is not there`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let described = try #require(try database()["tables"] as? [String: [String: Any]])
        let shown = try #require(try await configured(stage)["tables"] as? [String: [String: Any]])
        for name in described.keys { #expect(shown[name]?["allow"] == nil, "\(name)") }
        #expect(described.keys.allSatisfy { shown[$0] != nil })
    }
}
