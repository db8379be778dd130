import APIClient
import APIClientTesting
import Testing

@Suite struct TodosRequestTests {
    private static let common = [
        HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-cache"),
    ]
    private static let agent = HTTPField("User-Agent", "syncd/1.2")
    private static let bearer = HTTPField("Authorization", "Bearer to+ke/n=")

    private func client(_ base: BaseURL = .localhost) -> TodosClient {
        TodosClient(
            baseURL: base, limits: RequestLimits(timeout: .seconds(7), maxBodyBytes: 99),
            userAgent: "syncd/1.2", transport: MockTransport { Issue.record("\($0)") })
    }

    private func expected(
        _ method: HTTPMethod, _ target: String, _ fields: [HTTPField], _ body: String? = nil,
        timeout: Duration = .seconds(7)
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, origin: Origin(scheme: "http", host: "localhost", port: 8080),
            target: target, fields: Self.common + fields, body: body.map { Array($0.utf8) },
            timeout: timeout, maxBodyBytes: 99)
    }

    @Test func `the list is a GET with the bearer token`() throws {
        let request = try client().request(for: .list(token: "to+ke/n=", validators: nil))
        #expect(request == expected(.get, "/todos", [Self.bearer, Self.agent]))
        #expect(request.url == "http://localhost:8080/todos")
    }

    @Test func `the list sends the validators it is given`() throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let both = Validators(entityTag: #"W/"a""#, lastModified: date)
        let fields = [
            Self.bearer, Self.agent, HTTPField("If-None-Match", #"W/"a""#),
            HTTPField("If-Modified-Since", date),
        ]
        let request = try client().request(for: .list(token: "to+ke/n=", validators: both))
        #expect(request == expected(.get, "/todos", fields))
    }

    @Test(arguments: ["*", "abc", "\"a\"\r\nX: y", "\"a\", \"b\""])
    func `validators that no server could have meant are not sent`(text: String) throws {
        let bad = Validators(entityTag: text, lastModified: text)
        let request = try client().request(for: .list(token: "to+ke/n=", validators: bad))
        #expect(request == expected(.get, "/todos", [Self.bearer, Self.agent]))
    }

    @Test func `a create is a POST of the title, with its key and its own deadline`() throws {
        let call = TodosCall.create(
            title: "a/\"é\"\n", idempotencyKey: "key-1", token: "to+ke/n=", timeout: .seconds(3))
        let fields = [Self.bearer, Self.agent, HTTPField("Idempotency-Key", "key-1")]
        #expect(
            try client().request(for: call)
                == expected(
                    .post, "/todos", fields, #"{"title":"a/\"é\"\n"}"#, timeout: .seconds(3)))
    }

    @Test func `a create without a key sends none`() throws {
        let call = TodosCall.create(
            title: "a", idempotencyKey: nil, token: "to+ke/n=", timeout: .seconds(3))
        #expect(
            try client().request(for: call)
                == expected(
                    .post, "/todos", [Self.bearer, Self.agent], #"{"title":"a"}"#,
                    timeout: .seconds(3)))
    }

    @Test func `a create is the same bytes each time`() throws {
        let call = TodosCall.create(
            title: "日本\u{0}\u{2028}", idempotencyKey: "k", token: "t", timeout: .seconds(3))
        let first = try client().request(for: call)
        for _ in 0..<20 { #expect(try client().request(for: call) == first) }
    }

    @Test func `a delete names the id in its path and has no body`() throws {
        let id = try #require(ServerID("a/ü?#"))
        let call = TodosCall.delete(id, token: "to+ke/n=", timeout: .seconds(3))
        #expect(
            try client().request(for: call)
                == expected(
                    .delete, "/todos/a%2F%C3%BC%3F%23", [Self.bearer, Self.agent],
                    timeout: .seconds(3)))
    }

    @Test func `a login is a POST with Basic credentials and no body`() throws {
        let request = try client().request(for: .login(email: "email", password: "password"))
        let basic = HTTPField("Authorization", "Basic ZW1haWw6cGFzc3dvcmQ=")
        #expect(request == expected(.post, "/login", [basic, Self.agent]))
    }

    @Test func `a sign-up is a POST with the password twice and no credentials`() throws {
        let call = TodosCall.signUp(name: "N", email: "e@x", password: "p/w")
        let body = #"{"email":"e@x","name":"N","password":"p/w","verifyPassword":"p/w"}"#
        #expect(try client().request(for: call) == expected(.post, "/users", [Self.agent], body))
    }

    @Test func `a base URL's path stands before every call's`() throws {
        let base = try BaseURL("https://example.com/api/")
        let request = try client(base).request(for: .list(token: "t", validators: nil))
        #expect(request.url == "https://example.com/api/todos")
    }

    @Test func `an empty user agent sends no such header`() throws {
        let client = TodosClient(userAgent: "", transport: MockTransport { Issue.record("\($0)") })
        let request = try client.request(for: .list(token: "to+ke/n=", validators: nil))
        #expect(request.fields == Self.common + [Self.bearer])
        #expect(request.timeout == .seconds(10))
        #expect(request.url == "http://localhost:8080/todos")
    }

    @Test(arguments: ["a\rb", "a\nb", "a\r\nX: y", "a\u{0}", "\u{7F}", "\u{1B}"])
    func `a control character in a header is refused before anything is sent`(
        text: String
    ) async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let client = TodosClient(transport: mock)
        func isRefused(_ body: () async throws(APIError) -> Void) async -> Bool {
            do {
                try await body()
                return false
            } catch {
                guard case .invalidRequest(let what) = error else { return false }
                return !what.contains(text)
            }
        }
        let refusals = await [
            isRefused { () async throws(APIError) in _ = try await client.todos(token: text) },
            isRefused { () async throws(APIError) in
                _ = try await client.createTodo(
                    title: "a", idempotencyKey: text, token: "t", timeout: .seconds(1))
            },
            isRefused { () async throws(APIError) in
                try await client.deleteTodo(ServerID(1), token: text, timeout: .seconds(1))
            },
            isRefused { () async throws(APIError) in
                _ = try await TodosClient(userAgent: text, transport: mock).todos(token: "t")
            },
            isRefused { () async throws(APIError) in
                _ = try await MoviesClient(credential: .bearer(text), transport: mock)
                    .upcomingMovies(page: 1)
            },
        ]
        #expect(refusals == [true, true, true, true, true])
        #expect(mock.requests.isEmpty)
    }

    @Test func `a colon in the e-mail cannot move the border to the password`() {
        #expect(throws: APIError.invalidRequest("an e-mail with a colon cannot log in")) {
            try client().request(for: .login(email: "a:b", password: "p"))
        }
    }

    @Test func `no secret shows in the description of a call or a request`() throws {
        let calls: [TodosCall] = [
            .list(token: "canary", validators: nil),
            .create(title: "canary", idempotencyKey: "canary", token: "canary", timeout: .zero),
            .delete(ServerID(1), token: "canary", timeout: .zero),
            .login(email: "canary", password: "canary"),
            .signUp(name: "canary", email: "canary", password: "canary"),
        ]
        for call in calls {
            #expect(!"\(call) \(try client().request(for: call))".contains("canary"))
        }
        let stored = StoredToken(baseURL: "http://a", email: "e", token: "canary")
        #expect(!"\(stored)\(MoviesCredential.apiKey("canary"))".contains("canary"))
    }
}
