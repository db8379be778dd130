import APIClient
import HostileHTTP
import Testing

/// The same for what an answer carries: validators, framing, JSON.
@Suite("Hostile data, over sockets and libcurl", .timeLimit(.minutes(3)))
struct HostileDataTests {
    // MARK: Success that is none

    @Test(arguments: [
        Answer.json("[]", 204), Answer.json("[]", 205), "".answer,
        "HTTP/1.1 204 No\r\n\r\n",
    ])
    func `B1, H7: a success without data is none where data is due`(answer: String) async throws {
        let server = try HostileServer.keeping(answer)
        let client = try server.todos()
        #expect(await client.failure(of: .list) == .emptyData)
        #expect(await client.failure(of: .create) == .emptyData)
    }

    @Test func `H8: a part of a list is not the list`() async throws {
        let server = try HostileServer.keeping(
            Answer.json("[]", 206, "Content-Range: bytes 0-1/9\r\n"))
        let client = try server.todos()
        #expect(await client.failure(of: .list).code == 206)
    }

    @Test func `H9: a 304 counts only where validators were sent`() async throws {
        let server = try HostileServer.keeping("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")
        let client = try server.todos()
        #expect(await client.failure(of: .list).code == 304)
        let validators = Validators(entityTag: "W/\"a\"", lastModified: nil)
        guard case .notModified = try await client.pullTodos(token: "t", validators: validators)
        else {
            Issue.record("not taken as unmodified")
            return
        }
        #expect(server.received.last?.fields.contains("If-None-Match: W/\"a\"") == true)
    }

    @Test func `H10: an entity tag comes and goes as it is, up to its limit`() async throws {
        for (tag, kept) in [
            ("W/\"x\"", true), ("\"\"", true), ("x", false),
            ("\"" + String(repeating: "x", count: 2000) + "\"", false),
        ] {
            let server = try HostileServer.keeping(Answer.json("[]", 200, "ETag: \(tag)\r\n"))
            let client = try server.todos()
            let answer = try await client.pullTodos(token: "t", validators: nil)
            guard case .body(_, let validators, _) = answer else {
                Issue.record("no body")
                continue
            }
            #expect(validators.entityTag == (kept ? tag : nil))
        }
    }

    @Test func `H27: no other version of HTTP is asked for`() async throws {
        let server = try HostileServer.keeping("[]".answer)
        _ = try await server.todos().todos(token: "t")
        let request = try #require(server.received.first)
        #expect(request.line.hasSuffix(" HTTP/1.1"))
        #expect(!request.fields.contains { $0.lowercased().hasPrefix("upgrade:") })
        #expect(!request.fields.contains { $0.lowercased().hasPrefix("http2-settings:") })
    }

    @Test func `H28: an answer that claims to stay fresh is asked for again`() async throws {
        let server = try HostileServer.keeping(
            Answer.json("[]", 200, "Cache-Control: max-age=3600\r\nAge: 0\r\nETag: \"a\"\r\n"))
        let client = try server.todos()
        for _ in 1...2 { _ = try await client.todos(token: "t") }
        #expect(server.count == 2)
        #expect(
            !server.received.flatMap(\.fields).contains {
                $0.lowercased().hasPrefix("if-none-match")
            })
    }

    // MARK: Bodies

    private static let refused: [(String, [UInt8])] =
        [
            ("B2", "null"), ("B2", "{}"), ("B2", "3"), ("B2", "\"a\""),
            ("B2", #"{"error":true,"reason":"x"}"#), ("B3", "[{\"id\":1,"), ("B3", "[]]"),
            ("B3", "[] x"), ("B4", "[1,]"), ("B4", "\u{FEFF}[]"), ("B4", "[{id:1}]"),
            ("B4", "[0x1]"), ("B5", #"[{"id":1,"id":2,"title":"a"}]"#),
            ("B6", String(repeating: "[", count: 65) + String(repeating: "]", count: 65)),
            ("B6", String(repeating: "[", count: 50_000)),
            ("B10", #"[{"id":9223372036854775808,"title":"a"}]"#),
            ("B10", #"[{"id":true,"title":"a"}]"#), ("B10", #"[{"id":"","title":"a"}]"#),
            ("B10", #"[{"id":"..","title":"a"}]"#), ("B10", #"[{"id":{},"title":"a"}]"#),
            ("B14", #"[{"id":1}]"#), ("B14", #"[{"id":1,"title":2}]"#), ("B14", "[{}]"),
        ].map { ($0.0, Array($0.1.utf8)) } + [
            ("B4", [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]), ("B4", [0x5B, 0x00, 0x5D, 0x00]),
            ("B13", Array("[{\"id\":1,\"title\":\"".utf8) + [0xE4] + Array("\"}]".utf8)),
        ]

    @Test(arguments: refused)
    func `B2, B3, B4, B5, B6, B10, B13, B14: a list that cannot be read is refused whole`(
        fault: String, body: [UInt8]
    ) async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.send(body)
            }
        }
        let client = try server.todos()
        let error = await client.failure(of: .list)
        #expect(error.isMalformed, "\(fault) came to \(String(describing: error))")
    }

    @Test func `B10, B12, B14: odd ids, odd texts and more fields are taken`() async throws {
        let rows =
            #"[{"id":0,"title":""},{"id":-1,"title":"a\u0000b"},{"id":9007199254740993,"title":"\ud800"},"#
            + #"{"id":"7","title":"\u202e🏴‍☠️","done":null,"x":{"y":[1]}}]"#
        let server = try HostileServer.keeping(rows.answer)
        let todos = try await server.todos().todos(token: "t")
        #expect(todos.map { $0.id?.text } == ["0", "-1", "9007199254740993", "7"])
        #expect(todos.map(\.title) == ["", "a\u{FFFD}b", "\u{FFFD}", "\u{202E}🏴‍☠️"])
    }

    @Test(arguments: ["[]", "{}", "null", "3", #"{"id":1}"#, #"{"title":"a"}"#, "ok", "<html>"])
    func `B20: a success that is no todo leaves a create in doubt`(body: String) async throws {
        let server = try HostileServer.keeping(Answer.json(body, 201))
        let client = try server.todos()
        let error = await client.failure(of: .create)
        #expect(error?.mayHaveArrived == true)
        #expect(server.count == 1)
    }

    @Test func `N11: a list that ends without its end is refused`() async throws {
        let server = try HostileServer.answering(
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[{\"id\":1,\"title\":\"a\"},{\"id\":2")
        let client = try server.todos()
        #expect(await client.failure(of: .list).isMalformed)
    }

    /// 16 MB lie within the limit of bytes; 5.3 million rows do not within that of rows, 2 million.
    @Test func `S7: a flood of tiny rows is refused, and the next answer is taken`() async throws {
        let flood = "[" + String(repeating: "{},", count: 16_000_000 / 3) + "{}]"
        let server = try HostileServer { connection in
            // While the flood is read, the server's patience can end: no flood on the next connection.
            if connection.number == 1 {
                connection.readRequest()
                connection.send(flood.answer)
            }
            while connection.readRequest() != nil { connection.send("[]".answer) }
        }
        let client = TodosClient(
            baseURL: try BaseURL("http://127.0.0.1:\(server.port)"),
            limits: RequestLimits(timeout: .seconds(60), maxBodyBytes: 64 << 20),
            transport: Rig.curl())
        let error = await client.failure(of: .list)
        #expect(error.isMalformed)
        #expect(error?.description.contains("more than 2000000 rows") == true)
        #expect(try await client.todos(token: "t").isEmpty)
        #expect(server.count == 2)
    }

    @Test func `X6: pages without end stop at 500`() async throws {
        let page =
            #"{"page":1,"results":[{"id":1,"title":"a"}],"total_pages":1000000,"total_results":9}"#
        let server = try HostileServer.keeping(page.answer)
        var count = 0
        for try await _ in try server.movies(.bearer("t")).upcomingPages { count += 1 }
        #expect(count == 500)
        #expect(server.count == 500)
    }
}
