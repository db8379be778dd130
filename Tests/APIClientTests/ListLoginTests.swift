import APIClient
import APIClientTesting
import Testing
import Text

/// Lists behind a login.
@Suite struct ListLoginTests {
    private static let list = #"[{"id":1}]"#

    private func client(_ mock: MockTransport, form: ServerLogin.Form, refusal: Int = 401)
        -> ListClient
    {
        let secrets = Secrets()
        let login = ServerLogin(
            baseURL: .localhost, path: "/api/login", fields: [], limits: .standard, userAgent: "",
            transport: mock, secrets: secrets)
        let session = LoginSession(of: "me", at: .localhost, tokens: MemoryTokenStore()) {
            () async throws(APIError) in
            try await login.tokens(user: "me", password: "pass+word", as: form, at: "$.token") {
                body in
                // What a declaration's path does.
                let text = String(decoding: body, as: UTF8.self)
                return text.wholeMatch(of: /\{"token":"(.*)"\}/).map {
                    ServerLogin.Tokens(token: String($0.output.1))
                }
            }.token
        }
        return ListClient(
            baseURL: .localhost, credential: .login(session, refusal: refusal), fields: [],
            limits: .standard, userAgent: "", transport: mock, secrets: secrets)
    }

    private func field(_ name: String, of request: HTTPRequest) -> String? {
        request.fields.first { $0.name == name }?.value
    }

    @Test func `name and password go in the header, a body of JSON or a form`() async throws {
        for (form, type, sent) in [
            (ServerLogin.Form.basic, nil as String?, nil as String?),
            (.json(Array("{}".utf8)), "application/json", "{}"),
            (
                .form([("username", "me"), ("password", "pass+word&")]),
                "application/x-www-form-urlencoded", "username=me&password=pass%2Bword%26"
            ),
        ] {
            let mock = MockTransport { Issue.record("\($0)") }
            mock.on(.post, "/api/login", .json(#"{"token":"t-1"}"#))
            mock.on(.get, "/notes", .json(Self.list))
            _ = try await client(mock, form: form).pull("/notes", validators: nil)
            let login = try #require(mock.requests.first)
            #expect(field("Content-Type", of: login) == type)
            #expect(login.body.map { String(decoding: $0, as: UTF8.self) } == sent)
            #expect(
                (field("Authorization", of: login) == "Basic bWU6cGFzcyt3b3Jk") == (type == nil))
            let list = try #require(mock.requests.last)
            #expect(field("Authorization", of: list) == "Bearer t-1")
        }
    }

    @Test func `the token stands behind the word that the server wants`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/notes", .json(Self.list))
        let session = LoginSession(of: "me", at: .localhost, tokens: MemoryTokenStore()) {
            () async throws(APIError) in "t-1"
        }
        _ = try await ListClient(
            baseURL: .localhost, credential: .login(session, refusal: 401, prefix: "Token "),
            fields: [], limits: .standard, userAgent: "", transport: mock, secrets: Secrets()
        ).pull("/notes", validators: nil)
        let list = try #require(mock.requests.last)
        #expect(field("Authorization", of: list) == "Token t-1")
    }

    @Test(arguments: [401, 403]) func `a refused token leads to one login, and to no second one`(
        status: Int
    ) async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.post, "/api/login", .json(#"{"token":"t-1"}"#), .json(#"{"token":"t-2"}"#))
        mock.on(.get, "/notes", .status(status), .status(status))
        let client = client(mock, form: .basic, refusal: status)
        await #expect {
            try await client.pull("/notes", validators: nil)
        } throws: { error in
            guard case .status(let failure)? = error as? APIError else { return false }
            return failure.code == status
        }
        #expect(mock.requests.map(\.target) == ["/api/login", "/notes", "/api/login", "/notes"])
        #expect(mock.requests.last.flatMap { field("Authorization", of: $0) } == "Bearer t-2")
    }

    @Test(arguments: [
        (400, true), (401, true), (403, true), (422, true), (404, false), (500, false),
    ])
    func `a login says whether it was the password that was wrong`(
        status: Int, isRefused: Bool
    ) async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.post, "/api/login", .status(status))
        let client = client(mock, form: .basic)
        await #expect {
            try await client.pull("/notes", validators: nil)
        } throws: { error in
            guard case .status(let failure)? = error as? APIError else { return false }
            return failure.isOfLogin && failure.refusesCredentials == isRefused
                && failure.hint.contains("credentials") == isRefused
        }
        #expect(mock.requests.map(\.target) == ["/api/login"])
    }

    @Test(arguments: [#"{"token":""}"#, #"{"token":"a b\u0001"}"#, "{}", "[]"])
    func `an answer without a usable token is told of, and not what it says`(
        body: String
    ) async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.post, "/api/login", .json(body.replacing("\\u0001", with: "\u{1}")))
        let client = client(mock, form: .basic)
        await #expect {
            try await client.pull("/notes", validators: nil)
        } throws: { error in
            guard case .malformed(let text)? = error as? APIError else { return false }
            return !text.contains("a b")
        }
    }

    @Test func `pages are known again after another login, and not to another account`() throws {
        func page(_ user: String) throws -> String {
            let session = LoginSession(of: user, at: .localhost, tokens: MemoryTokenStore()) {
                () async throws(APIError) in "token"
            }
            return try ListClient(
                baseURL: .localhost, credential: .login(session, refusal: 401), fields: [],
                limits: .standard, userAgent: "", transport: MockTransport { _ in },
                secrets: Secrets()
            ).page(of: "/notes")
        }
        #expect(try page("me") == page("me"))
        #expect(try page("me") != page("you"))
    }
}
