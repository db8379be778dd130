import Foundation
import Glibc
import HostileHTTP
import Testing

/// What a sync of a list would do, without a sync: `lists check`, and `lists`.
@Suite(.timeLimit(.minutes(3))) struct ListsCheckProcessTests {
    private func stage(_ arguments: String...) async throws -> (Stage, Child, String) {
        let stage = try Stage()
        let file = try stage.write(
            "[{\"id\": 1, \"title\": \"a\"}, {\"id\": 2, \"title\": \"b\"}, {\"id\": null, \"title\": \"c\"}]",
            to: "served/notes.json")
        let all = try stage.write("[{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]", to: "served/good.json")
        let (server, address) = try await stage.startServer(
            arguments + ["--list", file, "--list", "link:2=\(all)"])
        try stage.configure(
            address, extra: ", \"servers\": {\"made_up\": {\"baseURL\": \"\(address)\"}}")
        for name in ["notes", "good"] {
            try stage.write(
                """
                {"server": "made_up", "list": "/lists/\(name)", "id": "$.id",
                 "pages": "\(name == "good" ? "link" : "none")", "columns": {"title": "text $.title"}}
                """, to: "config/syncd/lists/\(name).json")
        }
        return (stage, server, address)
    }

    @Test func `a good list is told with its requests and what is promised`() async throws {
        let (stage, server, _) = try await stage()
        defer { server.kill(SIGKILL) }
        let ended = try await stage.syncd("lists", "check", "good")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(
            ended.output.hasPrefix(
                "fact\tvalue\nlist\tgood\nstate\tok\nrows\t3\nskipped rows\t0\ncomplete\tyes\nrequests\t2\n"
            ))
        #expect(ended.output.contains("asked again\tthe whole list came again"))
        #expect(ended.output.contains("\nWhat is promised:\n- A row has a number of the cache"))
        #expect(ended.errors == "")
        // No cache came of it.
        #expect(!FileManager.default.fileExists(atPath: stage.cache))
    }

    @Test func `a cache that is there is as before`() async throws {
        let (stage, server, _) = try await stage()
        defer { server.kill(SIGKILL) }
        #expect(try await stage.syncd("sync", "good").code == 0)
        let before = try stage.bytes(of: stage.cache)
        #expect(try await stage.syncd("lists", "check", "good").code == 0)
        #expect(try await stage.syncd("lists", "check", "notes").code == 1)
        #expect(try stage.bytes(of: stage.cache) == before)
        let tables = try await stage.sqlite(
            "SELECT state, rows FROM sync_status WHERE list = 'notes'")
        #expect(tables.output.hasPrefix("waiting|0"), "\(tables.output)")
    }

    @Test func `rows that would be skipped are named, and are a finding`() async throws {
        let (stage, server, _) = try await stage()
        defer { server.kill(SIGKILL) }
        let ended = try await stage.syncd("lists", "check", "notes")
        #expect(ended.code == 1)
        #expect(ended.output.contains("rows\t2\nskipped rows\t1\n"), "\(ended.output)")
        #expect(ended.errors.contains("notes: rows skipped: 1: page 1, [2].id"), "\(ended.errors)")
        let json = try await stage.syncd("lists", "check", "notes", "--json")
        #expect(
            json.output.contains("\"skipped_rows\":1,\"skipped\":[{\"place\":\"page 1, [2].id\","))
    }

    @Test func `a server that says that nothing has changed is praised`() async throws {
        let body = "[{\"id\": 1, \"title\": \"a\"}]"
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isAgain = request.fields.contains { $0.hasPrefix("If-None-Match") }
                connection.send(
                    isAgain
                        ? "HTTP/1.1 304 Not Modified\r\n\r\n"
                        : "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
        }
        let stage = try Stage()
        try stage.write("{\"todos\": {\"enabled\": false}}", to: stage.configuration)
        try stage.write(
            """
            {"server": {"baseURL": "http://127.0.0.1:\(server.port)"}, "list": "/notes", "id": "$.id",
             "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/notes.json")
        let ended = try await stage.syncd("lists", "check", "notes")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(
            ended.output.contains(
                "asked again\t1 of 1 answers say that nothing has changed (304)\n"))
        #expect(server.count == 2)
    }

    @Test func `a list behind a redirect is told with the path to write`() async throws {
        let body = "[{\"id\": 1, \"title\": \"a\"}]"
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.send(
                    request.line.hasPrefix("GET /api/notes/?")
                        ? "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                        : "HTTP/1.1 307 Temporary Redirect\r\nLocation: /api/notes/?order=id\r\n"
                            + "Content-Length: 0\r\n\r\n")
            }
        }
        let stage = try Stage()
        try stage.write("{}", to: stage.configuration)
        for (calls, write, code) in [
            ("", "", 0), ("\"create\": true, ", ", \"write\": \"create\"", 1),
        ] as [(String, String, Int32)] {
            try stage.write(
                """
                {"server": {"baseURL": "http://127.0.0.1:\(server.port)/api"}, "list": "/notes?order=id",
                 "id": "$.id", \(calls)"columns": {"title": {"text": "$.title", "required": true\(write)}}}
                """, to: "config/syncd/lists/notes.json")
            let ended = try await stage.syncd("lists", "check", "notes")
            #expect(ended.code == code, "\(ended.errors)")
            #expect(
                ended.errors == "syncd: notes: the server redirects each read of the list. Write "
                    + "\"list\": \"/notes/?order=id\" in notes.json\n")
        }
    }

    @Test func `a list whose pages are not declared is told to be cut`() async throws {
        let (stage, server, _) = try await stage()
        defer { server.kill(SIGKILL) }
        try stage.write(
            """
            {"server": "made_up", "list": "/lists/good", "id": "$.id", "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/good.json")
        let ended = try await stage.syncd("lists", "check", "good")
        #expect(ended.code == 1)
        #expect(ended.output.contains("rows\t2\nskipped rows\t0\ncomplete\tno\n"))
        #expect(
            ended.errors
                == "syncd: good: the list is cut: it has 2 rows, and the server tells of more. Let the "
                + "server answer with the whole list, or declare its pages; until then nothing is removed "
                + "from the cache.\n")
    }

    @Test func `a list below rows is read with the list above`() async throws {
        let stage = try Stage()
        let above = try stage.write(
            "[{\"id\": 7, \"name\": \"small\"}, {\"id\": 8, \"name\": \"none\"}]",
            to: "served/above.json")
        let small = try stage.write("[{\"id\": 1}, {\"id\": 2}]", to: "served/small.json")
        let (server, address) = try await stage.startServer("--list", above, "--list", small)
        defer { server.kill(SIGKILL) }
        try stage.configure(
            address, extra: ", \"servers\": {\"made_up\": {\"baseURL\": \"\(address)\"}}")
        try stage.write(
            """
            {"server": "made_up", "list": "/lists/above", "id": "$.id", "columns": {"name": "text $.name"}}
            """, to: "config/syncd/lists/above.json")
        try stage.write(
            """
            {"server": "made_up", "list": "/lists/{row.name}", "each": {"row": "above"}, "id": "$.id",
             "columns": {"row": "@row", "title": "text $.title"}}
            """, to: "config/syncd/lists/below.json")
        let ended = try await stage.syncd("lists", "check", "below")
        #expect(ended.code == 1)
        #expect(
            ended.output.contains("rows\t2\nskipped rows\t0\ncomplete\tno\nrequests\t2\n"),
            "\(ended.output)")
        #expect(
            ended.errors.contains("below: 1 of 2 parts could not be read: row 8: "),
            "\(ended.errors)")
        #expect(ended.errors.contains("`syncd query 'SELECT * FROM list_parts'` tells"))
    }

    @Test func `a server that is away is told with its status`() async throws {
        let (stage, server, _) = try await stage()
        server.kill(SIGKILL)
        _ = await server.ending()
        let ended = try await stage.syncd("lists", "check", "good")
        #expect(ended.code == 69)
        #expect(ended.errors.hasPrefix("syncd: good: no connection"), "\(ended.errors)")
        #expect(ended.output.contains("state\toffline\n"))
        let unknown = try await stage.syncd("lists", "check", "gud")
        #expect(unknown.code == 64)
        #expect(unknown.errors.contains("there is no list ‘gud’"))
    }

    @Test func `without a name, every list is checked, and all are listed`() async throws {
        let (stage, server, address) = try await stage()
        defer { server.kill(SIGKILL) }
        let ended = try await stage.syncd("lists", "check", "--json")
        #expect(ended.code == 1, "\(ended.errors)")
        for name in ["good", "movies", "notes", "todos"] {
            #expect(
                ended.output.contains("\"list\":\"\(name)\",\"state\":\"ok\""),
                "\(ended.output)")
        }
        let list = try await stage.syncd("lists")
        #expect(list.output.contains("good\tyes\t\t\t\t5m\tread\t\(address)/lists/good\n"))
        #expect(
            list.output.contains("todos\tyes\t\t\t\t1m\tread, create, delete\t\(address)/todos\n"))
        // What a sync has brought stands beside it.
        #expect(try await stage.syncd("sync", "good").code == 0)
        let synced = try await stage.syncd("lists")
        #expect(synced.output.contains("good\tyes\tok\t3\t"), "\(synced.output)")
        let json = try await stage.syncd("lists", "--json")
        #expect(json.output.contains("\"state\":\"ok\",\"rows\":3,\"last_success_at\":\"20"))
    }
}
