import APIClient
import CurlHTTP
import DemoServer
import ReferenceAPI
import Testing

@Suite struct LoopbackServerTests {
    @Test func `a client signs up, logs in, creates, lists and deletes`() async throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let client = try test.todos()
        let user = try await client.createUser(name: "N", email: "n@x.example", password: "p:w")
        #expect(user.email == "n@x.example")
        let token = try await client.login(email: "n@x.example", password: "p:w")
        let created = try await client.createTodo(
            title: "milk 🥛 \u{1}", idempotencyKey: nil, token: token, timeout: .seconds(10))
        let id = try #require(created.todo.id)
        #expect(try await client.todos(token: token).map(\.title) == ["milk 🥛 \u{1}"])
        try await client.deleteTodo(id, token: token, timeout: .seconds(10))
        #expect(try await client.todos(token: token).isEmpty)
        #expect(test.server.state.todos.isEmpty)
        #expect(
            test.record.lines == [
                "POST /users 200", "POST /login 200", "POST /todos 200", "GET /todos 200",
                "DELETE /todos/1 200", "GET /todos 200",
            ])
    }

    @Test func `the movies come page by page, and the key is not in the log`() async throws {
        let test = try TestServer { $0.entityTags = true }
        defer { test.server.stop() }
        let client = try test.movies()
        guard
            case .body(let body, let validators, _) = try await client.pullUpcoming(
                page: 2, validators: nil)
        else {
            Issue.record("there is no body")
            return
        }
        let expected = MovieCatalogue.generated(count: 60, seed: 1, overlap: true, dates: true)
        #expect(body == expected.body(page: 2))
        guard case .notModified = try await client.pullUpcoming(page: 2, validators: validators)
        else {
            Issue.record("the page was sent again")
            return
        }
        #expect(
            test.record.lines == [
                "GET /3/movie/upcoming?page=2&api_key=*** 200",
                "GET /3/movie/upcoming?page=2&api_key=*** 304",
            ])
    }

    @Test func `the log shows a target as it came, escaped and with any key masked`() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let request = "GET /a%20b\u{1b}[1m?q=1&%61pi_key=demo&x HTTP/1.1\r\nHost: x\r\n"
        let answer = try RawConnection.exchange(
            request + "Connection: close\r\n\r\n", port: test.server.port)
        #expect(answer.hasPrefix("HTTP/1.1 404 "))
        #expect(test.record.lines == [#"GET /a%20b\u{1b}[1m?q=1&%61pi_key=***&x 404"#])
    }

    @Test func `a line of the log does not begin with a priority of the journal`() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let answer = try RawConnection.exchange(
            "<0>GET /todos HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", port: test.server.port
        )
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(test.record.lines == ["? /todos 405"])
    }

    @Test func `a method that neither service has is answered 405, HEAD like GET`() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let end = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let put = try RawConnection.exchange("PUT /todos" + end, port: test.server.port)
        #expect(put.hasPrefix("HTTP/1.1 405 "))
        let head = try RawConnection.exchange(
            "HEAD /3/movie/upcoming?api_key=demo" + end, port: test.server.port)
        #expect(head.hasPrefix("HTTP/1.1 200 "))
        #expect(head.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [false, true])
    func `a body of more than 1 MiB is answered 413, one of 1 MiB is read`(isChunked: Bool) throws {
        let test = try TestServer()
        defer { test.server.stop() }
        for (size, status) in [(1 << 20, "400"), (1 << 20 + 1, "413"), (3 << 20, "413")] {
            let body = String(repeating: "a", count: size)
            let framing =
                isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"
            let framed = isChunked ? "\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n" : body
            let answer = try RawConnection.exchange(
                "POST /users HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\n\(framing)\r\n\r\n\(framed)",
                port: test.server.port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(size)")
        }
    }

    @Test func `requests on one connection have bodies of their own`() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let connection = try RawConnection(port: test.server.port)
        for name in ["a", "b"] {
            let body =
                #"{"name":"N","email":"\#(name)@x","password":"p","verifyPassword":"p"}"#
            let isLast = name == "b"
            try connection.send(
                "POST /users HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n"
                    + (isLast ? "Connection: close\r\n\r\n" : "\r\n") + body)
        }
        #expect(try connection.readToEnd().components(of: "HTTP/1.1 200") == 2)
        #expect(test.server.state.users.map(\.email) == ["demo@example.com", "a@x", "b@x"])
    }

    @Test func `what is no request does no harm to the next one`() async throws {
        let test = try TestServer()
        defer { test.server.stop() }
        for nonsense in [
            "\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nNo colon\r\n\r\n",
        ] {
            _ = try RawConnection.exchange(nonsense, port: test.server.port)
        }
        for _ in 0..<600 {
            // Closed at once, in mid-header: more often than connections are let in at a time.
            try RawConnection(port: test.server.port).send("GET /todos HTTP/1.1\r\nHost:")
        }
        #expect(try await !test.token().isEmpty)
    }

    @Test func `a port in use is refused by its number`() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let port = test.server.port
        #expect(throws: DemoError.portTaken(port)) {
            try LoopbackServer.start(
                DemoSettings(
                    port: port, stateFile: nil, password: "demo",
                    behaviour: ReferenceBehaviour(),
                    movies: .generated(count: 0, seed: 1, overlap: false, dates: false),
                    faults: FaultRates(), random: SeededGenerator(seed: 1), milliseconds: { 0 },
                    log: { _ in }, failed: { _ in }))
        }
    }

    @Test func `a stopped server lets its port go and can be stopped again`() async throws {
        let test = try TestServer()
        test.server.stop()
        test.server.stop()
        await #expect(throws: APIError.self) { try await test.token() }
    }

    @Test func `a server in memory knows nothing of the one before`() async throws {
        let first = try TestServer()
        let token = try await first.token()
        first.server.stop()
        let second = try TestServer(seed: 2) { $0.seed = 2 }
        defer { second.server.stop() }
        let client = try second.todos()
        do throws(APIError) {
            _ = try await client.todos(token: token)
            Issue.record("the old token is honoured")
        } catch {
            guard case .status(let failure) = error, failure.code == 401 else { throw error }
        }
    }
}

extension String {
    /// How often `part` occurs.
    func components(of part: String) -> Int { ranges(of: part).count }
}
