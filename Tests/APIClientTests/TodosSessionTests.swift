import APIClient
import APIClientTesting
import Testing

@Suite struct TodosSessionTests {
    @Test func `without a stored token there is one login, and its token is stored`() async throws {
        let fixture = SessionFixture()
        fixture.allowLogins(1)
        #expect(try await fixture.session.token() == "token-1")
        #expect(try await fixture.session.token() == "token-1")
        #expect(fixture.logins == 1)
        let stored = StoredToken(
            baseURL: "http://localhost:8080", email: SessionFixture.email, token: "token-1")
        #expect(fixture.store.token == stored)
        #expect(fixture.store.saves == 1)
    }

    @Test(arguments: [SessionFixture.email, "demo@example.com", "DEMO@EXAMPLE.COM"])
    func `a stored token of this account is used without a request`(email: String) async throws {
        let fixture = SessionFixture(stored: "stored", email: email)
        #expect(try await fixture.session.token() == "stored")
        #expect(fixture.mock.requests.isEmpty)
        #expect(fixture.store.saves == 0)
    }

    @Test func `a stored token of another account or server is not used`() async throws {
        for fixture in [
            SessionFixture(stored: "stored", email: "other@example.com"),
            SessionFixture(stored: "stored", baseURL: try BaseURL("http://localhost:8081")),
            SessionFixture(stored: "stored", baseURL: try BaseURL("https://localhost:8080")),
            SessionFixture(stored: "stored", baseURL: try BaseURL("http://localhost:8080/v2")),
        ] {
            fixture.allowLogins(1)
            #expect(try await fixture.session.token() == "token-1")
            #expect(fixture.store.token?.token == "token-1")
        }
    }

    @Test(arguments: ["", "a\r\nX: y", "a\u{0}"])
    func `a stored token that no header can hold is not used`(text: String) async throws {
        let fixture = SessionFixture(stored: text)
        fixture.allowLogins(1)
        #expect(try await fixture.session.token() == "token-1")
    }

    @Test func `a refused token is renewed by one login and stored`() async throws {
        let fixture = SessionFixture(stored: "stored")
        fixture.allowLogins(2)
        #expect(try await fixture.session.renew(refused: "stored") == "token-1")
        #expect(try await fixture.session.renew(refused: "stored") == "token-1")
        #expect(fixture.logins == 1)
        #expect(fixture.store.token?.token == "token-1")
        #expect(try await fixture.session.renew(refused: "token-1") == "token-2")
        #expect(fixture.logins == 2)
    }

    @Test func `a token that another process stored meanwhile is taken without a login`()
        async throws
    {
        let fixture = SessionFixture(stored: "old")
        #expect(try await fixture.session.token() == "old")
        try await fixture.store.save(
            StoredToken(baseURL: "http://localhost:8080", email: SessionFixture.email, token: "new")
        )
        #expect(try await fixture.session.renew(refused: "old") == "new")
        #expect(fixture.mock.requests.isEmpty)
    }

    @Test func `a stale stored token is not tried again when saving failed`() async throws {
        let fixture = SessionFixture(stored: "old")
        fixture.allowLogins(2)
        #expect(try await fixture.session.renew(refused: "old") == "token-1")
        try await fixture.store.save(
            StoredToken(baseURL: "http://localhost:8080", email: SessionFixture.email, token: "old")
        )
        #expect(try await fixture.session.renew(refused: "token-1") == "token-2")
    }

    @Test func `a server that gives the same token again is believed`() async throws {
        let fixture = SessionFixture()
        fixture.mock.on(.post, "/login", SessionFixture.login(1))
        #expect(try await fixture.session.token() == "token-1")
        #expect(try await fixture.session.renew(refused: "token-1") == "token-1")
        #expect(fixture.logins == 2)
    }

    @Test func `refused credentials are an error, and the dead token is forgotten`() async throws {
        let fixture = SessionFixture(stored: "old")
        fixture.mock.on(.post, "/login", .status(401), SessionFixture.login(7))
        await #expect { try await fixture.session.renew(refused: "old") } throws: {
            guard case .status(let failure) = $0 as? APIError else { return false }
            return failure.code == 401
        }
        #expect(fixture.store.token == nil)
        #expect(try await fixture.session.token() == "token-7")
    }

    @Test func `a token of another account is not forgotten when our login is refused`() async {
        let fixture = SessionFixture(stored: "theirs", email: "other@example.com")
        fixture.mock.on(.post, "/login", .status(401))
        await #expect(throws: APIError.self) { try await fixture.session.token() }
        #expect(fixture.store.token?.token == "theirs")
    }

    @Test func `a passing failure of the login keeps the stored token`() async {
        let fixture = SessionFixture(stored: "old")
        fixture.mock.on(.post, "/login", .status(503))
        await #expect(throws: APIError.self) { try await fixture.session.renew(refused: "old") }
        #expect(fixture.store.token?.token == "old")
    }

    @Test func `a store that cannot be read is an error of its own, without a login`() async {
        let fixture = SessionFixture(stored: "stored")
        fixture.store.fail(with: .unreadable("mode 0644"))
        await #expect(throws: APIError.tokenStore("cannot read the token: mode 0644")) {
            try await fixture.session.token()
        }
        #expect(fixture.mock.requests.isEmpty)
    }

    @Test func `a token that cannot be saved is reported once and used`() async throws {
        let fixture = SessionFixture()
        let gate = MockGate()
        fixture.mock.on(.post, "/login", .held(gate, then: SessionFixture.login(1)))
        async let first = SessionFixture.result { () async throws(APIError) in
            try await fixture.session.token()
        }
        await fixture.mock.waitForRequests(1)
        fixture.store.fail(with: .unwritable("disk full"))
        gate.open()
        #expect(await first == .failure(.tokenStore("cannot keep the token: disk full")))
        #expect(try await fixture.session.token() == "token-1")
        #expect(fixture.logins == 1)
    }

    @Test func `the password is asked for at each login, and its failure is the call's`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        let session = TodosSession(
            client: TodosClient(transport: mock), email: "e",
            password: { () async throws(APIError) in throw .invalidRequest("no password file") },
            tokens: MemoryTokenStore())
        for _ in 0..<2 {
            await #expect(throws: APIError.invalidRequest("no password file")) {
                try await session.token()
            }
        }
    }

    @Test func `a read that is refused is repeated once with a new token`() async throws {
        let fixture = SessionFixture(stored: "old")
        fixture.allowLogins(1)
        fixture.mock.on(.get, "/todos", .status(401), .json("[]"))
        let answer = try await fixture.session.pullTodos(validators: nil)
        #expect(answer == .body(Array("[]".utf8), Validators(entityTag: nil, lastModified: nil)))
        let sent = fixture.mock.requests.map { "\($0) \($0.fields[2].value)" }
        #expect(
            sent == [
                "GET http://localhost:8080/todos Bearer old",
                "POST http://localhost:8080/login Basic RGVtb0BFeGFtcGxlLmNvbTpzZWNyZXQ=",
                "GET http://localhost:8080/todos Bearer token-1",
            ])
    }

    @Test func `a read that is refused twice is an error after one login`() async {
        let fixture = SessionFixture(stored: "old")
        fixture.allowLogins(2)
        fixture.mock.on(.get, "/todos", .status(401))
        await #expect(throws: APIError.self) {
            try await fixture.session.pullTodos(validators: nil)
        }
        #expect(fixture.mock.requests.map(\.target) == ["/todos", "/login", "/todos"])
    }

    @Test(arguments: [400, 403, 404, 429, 500])
    func `any other refusal of a read makes no login`(status: Int) async {
        let fixture = SessionFixture(stored: "old")
        fixture.mock.on(.get, "/todos", .status(status))
        await #expect(throws: APIError.self) {
            try await fixture.session.pullTodos(validators: nil)
        }
        #expect(fixture.mock.requests.count == 1)
    }
}
