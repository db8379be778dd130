import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct ConfigurationProcessTests {
    @Test(arguments: [
        ("", "the text ends too early"), ("{\"todos\": ", "config.json:1:11"),
        ("{\"todos\": {\"intervall\": \"1m\"}}", "the nearest is \"todos.interval\""),
        (
            "{\"todos\": {\"interval\": \"often\"}}",
            "todos.interval must be a duration from 1s to 7d"
        ),
        ("{\"todos\": {\"interval\": \"0s\"}}", "not \"0s\""),
        ("{\"http\": {\"timeout\": \"1e309\"}}", "http.timeout must be"),
        ("{\"movies\": {\"baseURL\": \"http://example.com\"}}", "has no TLS"),
        ("{\"movies\": {\"baseURL\": \"https://a:b@example.com\"}}", "movies.baseURL must be"),
        ("{\"todos\": {}, \"todos\": {}}", "the key \"todos\" is doubled"),
        ("{\"database\": \"file:x?mode=memory\"}", "database must be an absolute path"),
        ("{\"database\": \"/dev/null\"}", "/dev/null is a device"),
    ]) func `a bad configuration is 78 with its place, whatever the command`(
        text: String, sentence: String
    ) async throws {
        let stage = try Stage()
        try stage.write(text, to: stage.configuration)
        for arguments in [["config"], ["sync"], ["run"], ["todo", "add", "x"], ["status"]] {
            let ended = try await stage.run(.syncd, arguments)
            #expect(ended.code == 78, "\(arguments)")
            #expect(ended.errors.contains(sentence), "\(ended.errors)")
            #expect(ended.output == "")
        }
        #expect(!FileManager.default.fileExists(atPath: stage.cache))
    }

    @Test func `one key is printed alone, as a script takes it`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        let path = try await stage.syncd("config", "--quiet", "database")
        #expect(path.code == 0)
        #expect(path.output == stage.cache + "\n")
        #expect(try await stage.syncd("config", "todos.password").output == "********\n")
        #expect(try await stage.syncd("config", "movies.region", "--json").output == "null\n")
        let wrong = try await stage.syncd("config", "databse")
        #expect(wrong.code == 64)
        #expect(wrong.errors.contains("there is no key ‘databse’; the nearest one is database"))
    }

    @Test func `a file of secrets that others can read is refused with the chmod`() async throws {
        let stage = try Stage()
        let path = try stage.write("demo", to: "secrets/password", mode: 0o644)
        try stage.write(
            """
            {"todos": {"baseURL": "http://127.0.0.1:9", "email": "a@b.c", "passwordFile": "\(path)"}}
            """, to: stage.configuration)
        for command in ["sync", "run", "login"] {
            let ended = try await stage.syncd(command)
            #expect(ended.code == 78)
            #expect(ended.errors.contains("can be read or written by others"))
            #expect(ended.errors.contains("chmod 600 \(path)"))
        }
        // The check of `systemctl reload` reads the file alone; the daemon judges its secrets.
        #expect(try await stage.syncd("config", "--quiet").code == 0)
        // What needs no secret works.
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
    }

    @Test func `F5: a configuration that others can change is obeyed by no command`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let folder = URL(fileURLWithPath: stage.configuration).deletingLastPathComponent().path
        for (path, wide, narrow) in [
            (stage.configuration, 0o622, 0o600), (folder, 0o777, 0o700),
        ] as [(String, mode_t, mode_t)] {
            try #require(chmod(path, wide) == 0)
            for arguments in [["sync"], ["run"], ["login"], ["status"], ["config"], ["check"]] {
                let ended = try await stage.run(.syncd, arguments)
                #expect(ended.code == 78, "\(arguments)")
                #expect(ended.errors.contains("is not obeyed"), "\(ended.errors)")
                #expect(ended.errors.contains("Run: chmod go-w \(path)"), "\(ended.errors)")
            }
            try #require(chmod(path, narrow) == 0)
        }
        #expect(try await stage.syncd("login").code == 0)
        guard stage.account.password != "demo" else { return }
        try #require(chmod(stage.configuration, 0o644) == 0)
        let ended = try await stage.syncd("login")
        #expect(ended.code == 78)
        #expect(ended.errors.contains("Run: chmod 600 \(stage.configuration)"), "\(ended.errors)")
        try #require(chmod(stage.configuration, 0o600) == 0)
    }

    @Test func `the example works as it stands, and every value has a source`() async throws {
        let stage = try Stage()
        let example = try stage.bytes(of: Self.example)
        try stage.write(String(decoding: example, as: UTF8.self), to: stage.configuration)
        let shown = try await stage.syncd("config", "--json")
        #expect(shown.code == 0)
        let document = try JSONSerialization.jsonObject(with: Data(shown.output.utf8))
        let values = try #require((document as? [String: Any])?["values"] as? [[String: Any]])
        #expect(values.count >= 20)
        #expect(values.allSatisfy { ($0["source"] as? String)?.isEmpty == false })
        #expect(shown.output.contains(#"{"key":"todos.password","value":"********""#))
    }

    @Test func `commands about an account that the configuration leaves out ask no server`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        // Left out, though it would work.
        try stage.write(
            """
            {"movies": {"baseURL": "\(address)/3", "token": "\(stage.account.token)"},
             "todos": {"enabled": false, "baseURL": "\(address)", "email": "demo@example.com",
                       "password": "\(stage.account.password)"}}
            """, to: stage.configuration)
        for arguments in [["login"], ["user", "create"], ["sync", "todos"]] {
            let ended = try await stage.run(.syncd, arguments)
            #expect(ended.code == 78, "\(arguments)")
            #expect(
                ended.errors == "syncd: the configuration leaves the todos out. "
                    + "Set todos.enabled to true in \(stage.configuration).\n")
        }
    }

    @Test func `only the servers that the configuration names are asked`() async throws {
        let stage = try Stage()
        try stage.write("[{\"id\": 1, \"title\": \"a\"}]", to: "served/notes.json")
        let (server, address) = try await stage.startServer(
            "--list", stage.root + "/served/notes.json")
        defer { server.kill(SIGKILL) }
        try stage.write(
            "{\"servers\": {\"made_up\": {\"baseURL\": \"\(address)\"}}}", to: stage.configuration)
        let nothing = try await stage.syncd("sync")
        #expect(nothing.code == 78)
        #expect(
            nothing.errors == "syncd: the configuration keeps no list. Run `syncd declare URL "
                + "--write` for a list of any server, or `syncd setup --replace` for movies and todos.\n"
        )
        try stage.write(
            """
            {"server": "made_up", "list": "/lists/notes", "id": "$.id", "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/notes.json")
        let synced = try await stage.syncd("sync", "--json")
        #expect(synced.code == 0, "\(synced.errors)")
        #expect(synced.output.contains("\"list\":\"notes\""), "\(synced.output)")
        #expect(!synced.output.contains("movies") && !synced.output.contains("todos"))
        let status = try await stage.syncd("status", "--json", "--max-age", "1h")
        #expect(status.code == 0, "\(status.errors)")
        #expect(!status.output.contains("\"list\":\"todos\""), "\(status.output)")
        for (name, hint) in [
            (
                "todos",
                "Run `syncd setup --replace`, or add a section todos to \(stage.configuration)."
            ),
            (
                "movies",
                "Run `syncd setup --replace`, or add a section movies to \(stage.configuration)."
            ),
        ] {
            let ended = try await stage.syncd("sync", name)
            #expect(ended.code == 78)
            #expect(ended.errors == "syncd: the configuration leaves the \(name) out. \(hint)\n")
        }
        try stage.write(
            """
            {"server": "made_up", "list": "/lists/notes", "id": "$.id", "enabled": false,
             "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/notes.json")
        let kept = try await stage.syncd("sync", "notes")
        #expect(
            kept.errors == "syncd: the configuration leaves the notes out. Set enabled to true in "
                + "\(stage.root)/config/syncd/lists/notes.json.\n")
    }

    @Test func `a server that is not on this machine needs a password from a file`() async throws {
        let stage = try Stage()
        try stage.write(
            #"{"movies": {"enabled": false}, "todos": {"baseURL": "https://example.invalid", "#
                + #""email": "a@b.c"}}"#, to: stage.configuration)
        let ended = try await stage.syncd("sync")
        #expect(ended.code == 78)
        #expect(ended.errors.contains("there is no password of a@b.c"))
    }

    private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../config.example.json").standardized.path
}
