import Foundation
import Glibc
import Testing

/// Lists of made-up servers, each declared by a file and nothing else.
@Suite(.timeLimit(.minutes(2))) struct ListProcessTests {
    /// A stage with a server that serves `rows` in each way that `lists` says: `link:2=issues`.
    private func stage(_ lists: [(form: String, rows: String)]) async throws -> (Stage, Child) {
        let stage = try Stage()
        var arguments: [String] = []
        for (form, rows) in lists {
            let halves = form.split(separator: "=")
            let file = try stage.write(rows, to: "served/\(halves.last ?? "").json")
            arguments += ["--list", "\(halves.first ?? "")=\(file)"]
        }
        let (server, address) = try await stage.startServer(arguments)
        try stage.configure(
            address, extra: ", \"servers\": {\"made_up\": {\"baseURL\": \"\(address)\"}}")
        return (stage, server)
    }

    private func declare(_ text: String, as name: String, in stage: Stage) throws {
        try stage.write(text, to: "config/syncd/lists/\(name).json")
    }

    private static let issues = """
        [{"number": 7, "title": "Leak", "user": {"login": "ann"}, "labels": [{"name": "bug"}]},
         {"number": 8, "title": "Typo", "user": {"login": "bob"}, "labels": []},
         {"number": 12, "title": "Crash", "user": null, "labels": [{"name": "bug"}, {"name": "urgent"}]}]
        """
    private static let tasks = """
        [{"id": "6X4Vw", "content": "water the plants", "checked": false, "due": {"date": "2030-01-02"}},
         {"id": "6X4Vx", "content": "pay", "checked": true, "due": null},
         {"id": "6X4Vy", "content": "call", "checked": false}]
        """
    private static let entries = """
        [{"id": 1001, "title": "First", "score": 1.5}, {"id": 1002, "title": "Second", "score": 2},
         {"id": 1003, "title": "Third", "score": null}]
        """

    @Test func `three files make three tables of three servers' lists`() async throws {
        let (stage, server) = try await stage([
            ("link:2=issues", Self.issues), ("cursor:2=tasks", Self.tasks),
            ("offset:2=entries", Self.entries),
        ])
        defer { server.kill(SIGKILL) }
        try declare(
            """
            {"server": "made_up", "list": "/lists/issues", "id": "$.number", "pages": "link",
             "columns": {"number": "integer $.number", "title": {"text": "$.title", "required": true},
                         "author": "text $.user.login", "labels": "json $.labels"},
             "search": ["title"]}
            """, as: "issues", in: stage)
        try declare(
            """
            {"server": "made_up", "list": "/lists/tasks", "rows": "$.results", "id": "$.id",
             "pages": {"cursor": "$.next_cursor", "as": "cursor"},
             "columns": {"content": "text $.content", "checked": "boolean $.checked",
                         "due": {"text": "$.due.date", "index": true}}}
            """, as: "tasks", in: stage)
        try declare(
            """
            {"server": "made_up", "list": "/lists/entries", "id": "integer $.id",
             "pages": {"offset": "offset", "limit": ["limit", 2], "rows": "header X-Total-Count"},
             "columns": {"id": "@id", "title": "text $.title", "score": "real $.score"}}
            """, as: "entries", in: stage)
        let ended = try await stage.syncd("sync")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(
            try await stage.sqlite(
                "SELECT number, title, author, labels FROM issues ORDER BY number"
            )
            .output == """
                7|Leak|ann|[{"name":"bug"}]
                8|Typo|bob|[]
                12|Crash||[{"name":"bug"},{"name":"urgent"}]

                """)
        #expect(
            try await stage.sqlite("SELECT content, checked, due FROM tasks ORDER BY _rank").output
                == "water the plants|0|2030-01-02\npay|1|\ncall|0|\n")
        #expect(
            try await stage.sqlite("SELECT id, title, score FROM entries ORDER BY id").output
                == "1001|First|1.5\n1002|Second|2.0\n1003|Third|\n")
        #expect(
            try await stage.sqlite(
                "SELECT list, rows, complete FROM sync_status ORDER BY list"
            ).output.hasPrefix("entries|3|1\nissues|3|1\nmovies|"))
        let found = try await stage.syncd("list", "issues", "--search", "cra", "--csv")
        #expect(found.output.contains("Crash"), "\(found.output)\(found.errors)")
        #expect(!found.output.contains("Leak"))
        #expect(try await stage.syncd("check").code == 0)
    }

    @Test func `the lists of a server behind a login share one token, kept for the next process`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer([
            "--lists-need-login", "--list", try stage.write(Self.issues, to: "served/issues.json"),
            "--list", try stage.write(Self.entries, to: "served/entries.json"),
        ])
        defer { server.kill(SIGKILL) }
        let password = try stage.write(stage.account.password, to: "secrets/password")
        try stage.configure(
            address,
            extra: """
                , "servers": {"made_up": {"baseURL": "\(address)", "auth": {
                    "kind": "login", "path": "/login", "user": "demo@example.com",
                    "passwordFile": "\(password)", "token": "$.string"}}}
                """)
        for (name, id) in [("issues", "$.number"), ("entries", "$.id")] {
            try declare(
                """
                {"server": "made_up", "list": "/lists/\(name)", "id": "\(id)",
                 "columns": {"title": "text $.title"}}
                """, as: name, in: stage)
        }
        let state = stage.root + "/state/syncd/"
        for name in ["issues", "entries", "issues"] {
            let ended = try await stage.syncd("sync", name)
            #expect(ended.code == 0, "\(ended.errors)")
        }
        let titles = try await stage.sqlite(
            "SELECT group_concat(title, ' ') FROM (SELECT title FROM issues UNION ALL SELECT title FROM entries)"
        )
        #expect(titles.output == "Leak Typo Crash First Second Third\n")
        #expect(try stage.mode(of: state + "token-made_up.json") == 0o600)
        let logins = try String(
            decoding: stage.bytes(of: stage.root + "/server.state"), as: UTF8.self)
        #expect(logins.components(separatedBy: "\"issuedAt\"").count == 2, "one token was made")
        try #require(chmod(state + "token-made_up.json", 0o644) == 0)
        let check = try await stage.syncd("check")
        #expect(check.output.contains("token-made_up.json"), "\(check.output)")
        try #require(chmod(state + "token-made_up.json", 0o600) == 0)
        try FileManager.default.removeItem(atPath: state + "token-made_up.json")
        try stage.write("wrong", to: "secrets/password")
        let refused = try await stage.syncd("sync", "issues")
        #expect(refused.code == 77, "\(refused.errors)")
        let shown = try await stage.syncd("status")
        let mend = "issues: Put the password that is right into \(password), then run `syncd login"
        #expect(shown.errors.contains(mend), "\(shown.errors)")
    }

    @Test func `a table made from a declaration's own words has equal rows`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        // A secret in the configuration itself would be masked.
        let token = try stage.write(stage.account.token, to: "secrets/movies-token")
        try stage.write(
            """
            {"movies": {"baseURL": "\(address)/3", "tokenFile": "\(token)"}, "todos": {"enabled": false}}
            """, to: stage.configuration)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        // As a shell does it, which makes the file first.
        try declare("", as: "films", in: stage)
        let shown = try await stage.run(
            .syncd, ["lists", "show", "movies", "--json"],
            output: stage.root + "/config/syncd/lists/films.json")
        #expect(shown.code == 0, "\(shown.errors)")
        let ended = try await stage.syncd("sync", "films")
        #expect(ended.code == 0, "\(ended.errors)")
        let differing = try await stage.sqlite(
            """
            SELECT count(*) FROM films; SELECT count(*) FROM (SELECT id, title, overview, release_date,
                genre_ids, popularity, adult, rank, document FROM films EXCEPT SELECT id, title, overview,
                release_date, genre_ids, popularity, adult, rank, document FROM movies)
            """)
        #expect(differing.output == "434\n0\n", "\(differing.errors)")
    }

    @Test(arguments: [
        ("select", "{}"), ("outbox", "{}"), ("a b", "{}"), ("Notes", "{}"), ("n\u{430}tes", "{}"),
        ("ok", " "), ("ok", "[]"), ("ok", "{\"list\": 1}"),
        ("ok", "{\"list\": \"/x\", \"list\": \"/y\"}"),
        ("ok", String(repeating: "[", count: 30_000)),
        ("ok", String(repeating: " ", count: 70_000)),
    ])
    func `a file that declares nothing is told of, and nothing is taken`(
        name: String, text: String
    ) async throws {
        let (stage, server) = try await stage([])
        defer { server.kill(SIGKILL) }
        try declare(text, as: name, in: stage)
        let ended = try await stage.syncd("sync")
        #expect(ended.code == 78, "\(ended.errors)")
        #expect(ended.errors.contains("lists/"), "\(ended.errors)")
        #expect(ended.errors.utf8.count < 2000)
    }

    @Test func `every mistake of a file is told at once, with its place`() async throws {
        let (stage, server) = try await stage([])
        defer { server.kill(SIGKILL) }
        try declare(
            #"""
            {"server": "made_up", "list": "lists/x", "id": "id", "interval": "1",
             "columns": {"a\"; DROP TABLE todo; --": "txt $.a", "rowid": "txt $.b", "c": "text b"}}
            """#, as: "ok", in: stage)
        let ended = try await stage.syncd("sync", "ok")
        #expect(ended.code == 78)
        for word in ["list", "id", "interval", "rowid", "columns.c", "Write a duration"] {
            #expect(ended.errors.contains(word), "\(word): \(ended.errors)")
        }
        #expect(ended.errors.contains("line 2") || ended.errors.contains(":2:"), "\(ended.errors)")
    }

    @Test func `the SQL of a table makes one that takes rows`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        #expect(try await stage.syncd("todo", "add", "milk").code == 0)
        let shown = try await stage.syncd("lists", "show", "todos", "--sql")
        #expect(shown.code == 0, "\(shown.errors)")
        let migrations = try ["0001_create_cache", "0002_add_changes_history_and_checks"].map {
            let path = Stage.repository.appending(path: "Migrations/\($0).sql")
            return try String(contentsOf: path, encoding: .utf8)
        }
        let made = try await stage.run(
            Program(path: "/usr/bin/sqlite3"), [":memory:"],
            input: migrations.joined() + shown.output
                + "INSERT INTO todos(title) VALUES ('bread'); SELECT title, state FROM todos;")
        #expect(made.errors == "")
        #expect(made.output == "bread|queued\n")
    }
}
