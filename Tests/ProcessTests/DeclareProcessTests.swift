import Foundation
import Glibc
import HostileHTTP
import Testing

/// From the address of a list to a table: `declare`.
@Suite(.timeLimit(.minutes(3))) struct DeclareProcessTests {
    private static let rows = """
        [{"id": 7, "title": "Leak", "user": {"login": "ann"}, "done": false},
         {"id": 8, "title": "Typo", "user": {"login": "bob"}, "done": true},
         {"id": 12, "title": "Crash", "user": null, "done": false}]
        """

    private func stage(_ form: String) async throws -> (Stage, Child, String) {
        let stage = try Stage()
        let file = try stage.write(Self.rows, to: "served/issues.json")
        let (server, address) = try await stage.startServer("--list", "\(form)=\(file)")
        try stage.configure(address)
        return (stage, server, address)
    }

    /// A server that answers each request for a path with what stands there.
    private func server(_ answers: [String: String]) throws -> (HostileServer, String) {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let path = request.line.split(separator: " ").dropFirst().first.map(String.init)
                connection.send(
                    answers[path ?? ""]
                        ?? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            }
        }
        return (server, "http://127.0.0.1:\(server.port)")
    }

    private static func answer(_ status: String, _ body: String, _ fields: String...) -> String {
        "HTTP/1.1 \(status)\r\n" + fields.map { "\($0)\r\n" }.joined()
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test(arguments: ["none", "link:2", "next:2", "cursor:2", "page:2", "offset:2"])
    func `a list of each kind of pages becomes a table by two commands`(form: String) async throws {
        let (stage, server, address) = try await stage(form)
        defer { server.kill(SIGKILL) }
        let added = try await stage.syncd(
            "declare", "\(address)/lists/issues", "--write", "--name", "bugs")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output == "")
        #expect(added.errors.contains("syncd: next: `syncd sync bugs` fills the table\n"))
        let synced = try await stage.syncd("sync", "bugs")
        #expect(synced.code == 0, "\(synced.errors)")
        let rows = try await stage.sqlite(
            "SELECT id, title, user_login, done FROM bugs ORDER BY id")
        #expect(rows.output == "7|Leak|ann|0\n8|Typo|bob|1\n12|Crash||0\n")
    }

    @Test func `the declaration goes to standard output, and its reasons beside it`() async throws {
        let (stage, server, address) = try await stage("link:2")
        defer { server.kill(SIGKILL) }
        let url = "\(address)/lists/issues"
        let plain = try await stage.syncd("declare", url)
        #expect(plain.code == 0)
        #expect(plain.output.hasPrefix("{\n  \"server\": {\n"))
        #expect(
            plain.errors.hasPrefix("syncd: server: \(address), the address without its path\n"))
        #expect(plain.errors.contains("syncd: id: $.id, there and different in all 2 rows\n"))
        #expect(plain.errors.contains("syncd: pages: \"link\": the header Link names a next page"))
        let json = try await stage.syncd("declare", url, "--json")
        #expect(json.output == plain.output)
        #expect(json.errors == "")
        // Redirected to the directory of the lists, it is taken.
        try stage.write(plain.output, to: "config/syncd/lists/issues.json")
        #expect(try await stage.syncd("sync", "issues").code == 0)
    }

    @Test func `it begins a configuration where there is none`() async throws {
        let (stage, server, address) = try await stage("none")
        defer { server.kill(SIGKILL) }
        try FileManager.default.removeItem(atPath: stage.configuration)
        let url = "\(address)/lists/issues"
        #expect(try await stage.syncd("declare", url).code == 0)
        let written = try await stage.syncd("declare", url, "--write")
        #expect(written.code == 0, "\(written.errors)")
        #expect(written.errors.contains("syncd: wrote \(stage.configuration)\n"))
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM issues").output == "3\n")
    }

    @Test func `nothing is overwritten, and no server asked for it`() async throws {
        let (stage, server, address) = try await stage("none")
        let url = "\(address)/lists/issues"
        #expect(try await stage.syncd("declare", url, "--write").code == 0)
        let path = "\(stage.root)/config/syncd/lists/issues.json"
        let before = try stage.bytes(of: path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        server.kill(SIGKILL)
        _ = await server.ending()
        let again = try await stage.syncd("declare", url, "--write")
        #expect(again.code == 65)
        #expect(
            again.errors
                == "syncd: \(path) is there already, and nothing is overwritten. Choose another"
                + " name by --name, or remove the file.\n")
        #expect(try stage.bytes(of: path) == before)
        let away = try await stage.syncd("declare", url, "--write", "--name", "other")
        #expect(away.code == 69, "\(away.errors)")
        #expect(
            !FileManager.default.fileExists(
                atPath: path.replacing("issues.json", with: "other.json")))
    }

    @Test func `whoever may read the configuration may read the declaration`() async throws {
        let (stage, server, address) = try await stage("none")
        defer { server.kill(SIGKILL) }
        try stage.write("{\"todos\": {\"enabled\": false}}", to: stage.configuration, mode: 0o640)
        let added = try await stage.syncd(
            "declare", "\(address)/lists/issues", "--write")
        #expect(added.code == 0, "\(added.errors)")
        var status = stat()
        let path = "\(stage.root)/config/syncd/lists/issues.json"
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test func `a token is named by its file, sent to the server, and shown to nobody`()
        async throws
    {
        let answer = Self.answer("200 OK", Self.rows)
        let (server, address) = try server([
            "/notes": answer, "/notes?api_key=hunter2hunter2": answer,
        ])
        let stage = try Stage()
        let token = try stage.write("hunter2hunter2\n", to: "secrets/token")
        let url = "\(address)/notes"
        var told = ""
        for how in [
            "bearer", "header X-Auth-Token", "header Authorization token", "query api_key",
            "basic me",
        ] {
            let added = try await stage.syncd(
                "declare", url, "--token-file", token, "--token-as", how)
            #expect(added.code == 0, "\(added.errors)")
            #expect(added.output.contains("File\": \"\(token)\""))
            told += added.output + added.errors
        }
        #expect(!told.contains("hunter2"))
        let sent = server.received.flatMap { [$0.line] + $0.fields }.joined(separator: "\n")
        for text in [
            "Authorization: Bearer hunter2hunter2", "X-Auth-Token: hunter2hunter2",
            "Authorization: token hunter2hunter2", "api_key=hunter2hunter2",
            "Authorization: Basic bWU6aHVudGVyMmh1bnRlcjI=",
        ] {
            #expect(sent.contains(text), "\(text)")
        }
        // A file that others can read is none for a secret.
        #expect(chmod(token, 0o644) == 0)
        let open = try await stage.syncd("declare", url, "--token-file", token)
        #expect(open.code == 78)
        #expect(open.errors.contains("chmod 600"), "\(open.errors)")
    }

    @Test func `a server of the configuration is taken with its token`() async throws {
        let (server, address) = try server(["/api/notes": Self.answer("200 OK", Self.rows)])
        let stage = try Stage()
        try stage.write(
            """
            {"servers": {"forge": {"baseURL": "\(address)/api",
                                   "auth": {"kind": "bearer", "token": "hunter2hunter2"}}}}
            """, to: stage.configuration)
        let added = try await stage.syncd(
            "declare", "\(address)/api/notes", "--server", "forge")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("\"server\": \"forge\",\n  \"list\": \"/notes\","))
        #expect(
            server.received.first?.fields.contains("Authorization: Bearer hunter2hunter2") == true)
        let other = try await stage.syncd(
            "declare", "\(address)/other", "--server", "forge")
        #expect(other.code == 65)
        let none = try await stage.syncd(
            "declare", "\(address)/api/notes", "--server", "forg")
        #expect(none.errors.contains("the nearest one is forge"), "\(none.errors)")
    }

    @Test func `a redirect to the path with a slash is written down`() async throws {
        let (_, address) = try server([
            "/notes": Self.answer("307 Temporary Redirect", "", "Location: /notes/"),
            "/notes/": Self.answer("200 OK", Self.rows, "Allow: GET, POST, PATCH, DELETE"),
        ])
        let stage = try Stage()
        let added = try await stage.syncd("declare", "\(address)/notes")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("\"list\": \"/notes/\""))
        #expect(
            added.errors.contains(
                "syncd: list: /notes/, because the server redirects /notes there\n"))
        #expect(added.errors.contains("syncd: writes: the server names POST, PATCH, DELETE here."))
        #expect(!added.output.contains("create"))
    }

    @Test func `a next page at another server is refused, and the pages are counted instead`()
        async throws
    {
        let next = "https://other.example/notes/?page=2"
        let second = Self.rows.replacing("7", with: "17").replacing("8", with: "18")
            .replacing("12", with: "112")
        let (server, address) = try server([
            "/notes/": Self.answer(
                "200 OK", "{\"count\": 6, \"next\": \"\(next)\", \"results\": \(Self.rows)}"),
            "/notes/?page=2": Self.answer(
                "200 OK", "{\"count\": 6, \"next\": null, \"results\": \(second)}"),
        ])
        let stage = try Stage()
        let added = try await stage.syncd("declare", "\(address)/notes/")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("\"page\": \"page\",\n    \"rows\": \"$.count\""))
        #expect(
            added.errors.contains("pages: {\"page\":\"page\",\"rows\":\"$.count\"}: $.count says 6")
        )
        #expect(server.count == 2)
    }

    @Test func `a ready declaration is a table after three commands, and asks no server before`()
        async throws
    {
        let (server, address) = try server([
            "/api/notes": Self.answer(
                "200 OK", "[{\"_id\": \"a\", \"title\": \"milk\", \"done\": true}]")
        ])
        let stage = try Stage()
        try stage.write("{}", to: stage.configuration)
        let token = try stage.write("hunter2hunter2\n", to: "secrets/token")
        let added = try await stage.syncd(
            "declare", "--like", "express", "\(address)/api/notes", "--token-file", token,
            "--write")
        #expect(added.code == 0, "\(added.errors)")
        #expect(
            added.errors == """
                syncd: server: \(address)/api, and the list is /notes
                syncd: valueFile: \(token), a file of mode 0600 with the token alone
                syncd: wrote \(stage.root)/config/syncd/lists/notes.json
                syncd: next: `syncd sync notes` fills the table

                """)
        #expect(server.count == 0)
        let synced = try await stage.syncd("sync", "notes")
        #expect(synced.code == 0, "\(synced.errors)")
        #expect(server.received.first?.fields.contains("X-API-Key: hunter2hunter2") == true)
        #expect(try await stage.sqlite("SELECT title, done FROM notes").output == "milk|1\n")
    }

    @Test func `an answer of more than 16 MiB is for a smaller question`() async throws {
        let (_, address) = try server([
            "/notes": Self.answer(
                "200 OK", "[\"" + String(repeating: "x", count: 17 << 20) + "\"]")
        ])
        let stage = try Stage()
        let added = try await stage.syncd("declare", "\(address)/notes")
        #expect(added.code == 65)
        #expect(
            added.errors.contains("larger than 16777216 bytes. Ask for fewer rows"),
            "\(added.errors)")
    }

    @Test(
        arguments: [
            ("/page", 65, "the answer is a page of HTML"),
            ("/one", 65, "the answer holds no list of objects; it has id, title"),
            ("/empty", 65, "the list at $.data is empty"),
            ("/error", 65, "the answer holds no list, but says: no \\u{1b}[2Jsuch list"),
            ("/text", 65, "the answer is no JSON"), ("/none", 65, "was answered 404"),
            ("/locked", 77, "add --token-file FILE. --token-as says"),
            ("/basic", 77, "--token-as 'basic USER'"),
            ("/word", 77, "bearer token: here 'header Authorization Token'. If the server"),
            ("/elsewhere", 65, "Give the address that it redirects to."),
            ("/post", 65, "Give the address of a list that GET reads."),
            ("/busy", 75, "was answered 429"), ("/broken", 69, "was answered 500"),
        ] as [(String, Int32, String)])
    func `a wrong answer tells what to do next`(
        path: String, code: Int32, sentence: String
    ) async throws {
        let (_, address) = try server([
            "/page": Self.answer("200 OK", "<!doctype html><title>Notes</title>"),
            "/one": Self.answer("200 OK", "{\"id\": 1, \"title\": \"a\"}"),
            "/empty": Self.answer("200 OK", "{\"data\": []}"),
            "/error": Self.answer("200 OK", "{\"detail\": \"no \\u001b[2Jsuch list\"}"),
            "/text": Self.answer("200 OK", "hello"),
            "/locked": Self.answer("401 Unauthorized", "", "WWW-Authenticate: Bearer"),
            "/basic": Self.answer("401 Unauthorized", "", "WWW-Authenticate: Basic realm=\"x\""),
            "/word": Self.answer("401 Unauthorized", "", "WWW-Authenticate: Token"),
            "/elsewhere": Self.answer("301 Moved", "", "Location: https://example.org/notes"),
            "/post": Self.answer("405 Method Not Allowed", ""),
            "/busy": Self.answer("429 Too Many Requests", "", "Retry-After: 60"),
            "/broken": Self.answer("500 Internal Server Error", ""),
        ])
        let stage = try Stage()
        let ended = try await stage.syncd("declare", address + path)
        #expect(ended.code == code, "\(ended.errors)")
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
        #expect(ended.output == "")
        #expect(!ended.errors.unicodeScalars.contains("\u{1b}"))
    }

    @Test(
        arguments: [
            (64, ["declare"], "`declare` needs the URL of a list"),
            (65, ["declare", "notes"], "the address of the list cannot be used"),
            (
                65, ["declare", "https://a.example/x?token=hunter2"],
                "has a secret in its query, token=…"
            ),
            (
                65, ["declare", "https://a.example/x", "--name", "A b"],
                "a list cannot be called"
            ),
            (
                65, ["declare", "https://a.example/x", "--name", "todos"],
                "todos is a name of the cache's own"
            ),
            (65, ["declare", "https://a.example/movies"], "Add --name NAME."),
            (78, ["declare", "http://a.example/x"], "has no TLS"),
            (
                64, ["declare", "https://a.example/x", "--token-as", "bearer"],
                "needs --token-file"
            ),
            (
                64,
                [
                    "declare", "https://a.example/x", "--token-file", "t", "--token-as",
                    "magic",
                ],
                "--token-as takes bearer"
            ),
            (
                64,
                ["declare", "https://a.example/x", "--header", "Authorization: hunter2"],
                "would be a secret on a command line"
            ),
            (
                64, ["declare", "https://a.example/x", "--header", "x"],
                "--header takes 'Name: value'"
            ),
            (
                78, ["declare", "https://a.example/x", "--header", "Host: x"],
                "server.headers.Host cannot be given"
            ),
            (
                64,
                ["declare", "https://a.example/x", "--server", "a", "--header", "A: b"],
                "--header describes a new server"
            ),
            (
                65, ["declare", "https://a.example/x", "--server", "a"],
                "there is no server ‘a’"
            ),
            (
                78, ["declare", "https://a.example/x", "--token-file", "none"],
                "none does not exist"
            ),
            (
                78, ["declare", "https://a.example/x", "--write", "--config", "none"],
                "the configuration cannot be read"
            ),
            (
                64, ["declare", "--like", "djano"],
                "there is no ready declaration ‘djano’. There are alertmanager-silences, directus,"
            ),
            (
                64, ["declare", "--like", "rails", "--write"],
                "`declare` needs the URL of a list"
            ),
            (
                64, ["declare", "--like", "rails", "--header", "A: b"],
                "--like describes the server, and goes with no --header"
            ),
            (
                65, ["declare", "--like", "miniflux", "--user", "me"],
                "this server does not ask for a user"
            ),
            (
                64, ["declare", "https://a.example/x", "--user", "me"],
                "--user is for --like"
            ),
            (
                78, ["declare", "--like", "rails", "http://a.example"], "has no TLS"
            ),
            (64, ["lists", "chek"], "`lists` takes no operand chek"),
        ] as [(Int32, [String], String)])
    func `wrong input is told before any server is asked`(
        code: Int32, arguments: [String], sentence: String
    ) async throws {
        let stage = try Stage()
        let ended = try await stage.run(.syncd, arguments)
        #expect(ended.code == code, "\(ended.errors)")
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(!ended.errors.contains("hunter2"))
        #expect(ended.output == "")
    }
}
