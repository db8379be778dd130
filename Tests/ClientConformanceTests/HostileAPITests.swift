import APIClient
import HostileHTTP
import Testing

/// The clients over libcurl, against servers that answer what the API would not: what comes out,
/// and what the servers received.
@Suite("A hostile API, over sockets and libcurl", .timeLimit(.minutes(3)))
struct HostileAPITests {
    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `H1: a GET follows three redirects within the origin, a write none`(
        status: Int
    ) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let hops = ["/todos": "/1", "/1": "/2", "/2": "/3"]
                let next = request.line.hasPrefix("GET") ? hops[request.path] : "/1"
                connection.send(next.map { Answer.redirect(to: $0, status) } ?? "[]".answer)
            }
        }
        let client = try server.todos()
        #expect(try await client.todos(token: "t").isEmpty)
        #expect(server.received.map(\.path) == ["/todos", "/1", "/2", "/3"])
        for write in [Act.create, .delete] {
            #expect(await client.failure(of: write).code == status)
        }
        #expect(server.count == 6)
    }

    @Test func `H2, X4: a redirect to another server is refused, with a token and without`()
        async throws
    {
        let other = try HostileServer.keeping("[]".answer)
        let server = try HostileServer.keeping(
            Answer.redirect(to: "http://127.0.0.1:\(other.port)/todos"))
        let client = try server.todos()
        #expect(await client.failure(of: .list).isRedirectRefused)
        let movies = try server.movies(.apiKey("k"))
        await #expect(throws: APIError.self) { try await movies.upcomingMovies(page: 1) }
        #expect(other.connections == 0)
        #expect(server.count == 2)
    }

    @Test func `H3: a redirect loop stops at three`() async throws {
        let server = try HostileServer.keeping(Answer.redirect(to: "/todos"))
        let client = try server.todos()
        #expect(await client.failure(of: .list).isRedirectRefused)
        #expect(server.count == 4)
    }

    @Test(arguments: [
        "http://user@127.0.0.1/", "//127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)",
        "http://169.254.169.254/latest", "http://[::1]/", "http://localhost/", "unix:/run/x",
        "/a b", "/ä", "https://127.0.0.1/", "",
    ])
    func `H4, X4: a Location that leads elsewhere or nowhere is refused`(
        location: String
    ) async throws {
        let server = try HostileServer.keeping(Answer.redirect(to: location))
        let client = try server.todos()
        #expect(await client.failure(of: .list).isRedirectRefused)
        #expect(server.count == 1)
    }

    @Test func `N21: a captive portal changes nothing`() async throws {
        let page = "<!DOCTYPE html><html><body>Please log in</body></html>"
        for answer in [page.answer, Answer.redirect(to: "http://portal.invalid/login")] {
            let server = try HostileServer.keeping(answer)
            let client = try server.todos()
            for act in Act.allCases {
                #expect(await client.failure(of: act)?.mayHaveArrived == true)
            }
            #expect(server.count == 4)
        }
    }

    // MARK: Statuses

    @Test(arguments: [400, 401, 403, 404, 405, 409, 410, 413, 422, 500, 502, 503, 504, 599, 999])
    func `A6, H11, H12, H13, H14, H15, H16, H18, H19: a status is handed on with its reason`(
        status: Int
    ) async throws {
        let server = try HostileServer.keeping(
            Answer.json(#"{"error":true,"reason":"No\u001b[2J."}"#, status))
        let client = try server.todos()
        for act in [Act.list, .create, .delete] {
            guard case .status(let failure) = await client.failure(of: act) else {
                Issue.record("no status")
                continue
            }
            #expect(failure.code == status)
            #expect(failure.reason?.hasPrefix("No") == true)
            #expect(failure.reason?.contains("\u{1B}") == false)
        }
        #expect(server.count == 3)
    }

    @Test(arguments: ["Bearer", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"n\"", nil])
    func `A1: a 401 is one answer, whatever it challenges to`(challenge: String?) async throws {
        let field = challenge.map { "WWW-Authenticate: \($0)\r\n" } ?? ""
        let server = try HostileServer.keeping(Answer.json("{}", 401, field))
        let client = try server.todos()
        #expect(await client.failure(of: .login).code == 401)
        #expect(server.count == 1)
    }

    @Test(arguments: [
        ("5", 5), ("-1", 1), ("1e9", 3600), ("0", 1), ("garbage", nil), ("", nil),
        ("Sun, 06 Nov 1994 08:50:07 GMT", 30), ("Sun, 06 Nov 1994 07:00:00 GMT", 1),
        ("Mon, 06 Nov 2034 07:00:00 GMT", 3600),
    ])
    func `H17: Retry-After is read in each form and kept within its range`(
        value: String, seconds: Int?
    ) async throws {
        let fields = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: \(value)\r\n"
        let server = try HostileServer.keeping(Answer.json("{}", 429, fields))
        let client = try server.todos()
        let error = await client.failure(of: .list)
        #expect(error.code == 429)
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func `A12: a token that the server echoes is not shown`() async throws {
        let server = try HostileServer.keeping(
            Answer.json(#"{"error":true,"reason":"canary is bad"}"#, 400))
        let client = try server.todos()
        let error = await client.failure(of: .list, token: "canary")
        #expect(error.code == 400)
        #expect(error?.description.contains("canary") == false)
    }
}
