import APIClient
import APIClientTesting
import Testing
import Text

@Suite struct FailureReasonTests {
    private func reason(of body: String, token: String = "to+ke/n=") async -> String? {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .json(body, status: 400))
        return await Self.reason { () async throws(APIError) in
            _ = try await TodosClient(transport: mock).todos(token: token)
        }
    }

    private static func reason(of call: () async throws(APIError) -> Void) async -> String? {
        do {
            try await call()
        } catch {
            if case .status(let failure) = error { return failure.reason }
        }
        Issue.record("not refused by status")
        return nil
    }

    @Test(arguments: [
        (#"{"error":true,"reason":"Not found"}"#, "Not found"),
        (
            #"{"status_code":7,"status_message":"Invalid API key.","success":false}"#,
            "Invalid API key. (code 7)"
        ),
        (#"{"status_message":"M"}"#, "M"), (#"{"status_code":"x","status_message":"M"}"#, "M"),
        (#"{"errors":["page must be less than 500","b"]}"#, "page must be less than 500; b"),
        (#"{"reason":null,"errors":["b"]}"#, "b"),
        (#"{"reason":"a\nb\u001b[2J\u202e\u0000"}"#, #"a\nb\u{1b}[2J\u{202e}"# + "\u{FFFD}"),
        (#"{"error":"invalid_token","error_description":"It is over."}"#, "It is over."),
        (#"{"error":"x"}"#, "x"), (#"{"error":{"code":3,"message":"m"}}"#, "m"),
        (#"{"detail":"Not found."}"#, "Not found."),
        (#"{"message":"Bad credentials"}"#, "Bad credentials"),
        (
            #"{"type":"about:blank","title":"Gone","detail":"It was here.","status":410}"#,
            "It was here."
        ),
        (#"{"title":"Gone","status":410}"#, "Gone"),
        (
            #"{"detail":[{"loc":["body","title"],"msg":"field required"},{"loc":[],"msg":"b"}]}"#,
            "body.title: field required; b"
        ),
        (
            #"{"title":["may not be blank."],"due":["wrong","late"]}"#,
            "due: wrong; late; title: may not be blank."
        ),
        (
            #"{"errors":{"title":["can't be blank"],"due":"wrong"}}"#,
            "due: wrong; title: can't be blank"
        ),
        (#"{"errors":[{"message":"a"},{"message":"b"}]}"#, "a; b"),
        (#""it is over""#, "it is over"),
        (#"{"title":"400 Bad Request","description":"no such list"}"#, "no such list"),
    ])
    func `the server's own words are kept, whichever shape they have`(
        body: String, reason: String
    ) async {
        #expect(await self.reason(of: body) == reason)
    }

    @Test(arguments: [
        ("text/plain", "no such list\n", "no such list"),
        ("Text/Plain; charset=utf-8", "no\u{1b}[2J", #"no\u{1b}[2J"#),
        ("text/plain", "<html>", nil), ("text/html", "no such list", nil),
        ("text/plain", String(repeating: "a", count: 501), nil), ("text/plain", " \n", nil),
    ])
    func `a text without a form is told where it says that it is one`(
        type: String, body: String, reason: String?
    ) async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(
            .get, "/todos",
            .response(
                HTTPResponse(
                    status: 400, fields: [HTTPField("Content-Type", type)], body: Array(body.utf8)))
        )
        let found = await Self.reason { () async throws(APIError) in
            _ = try await TodosClient(transport: mock).todos(token: "token")
        }
        #expect(found == reason)
    }

    @Test(arguments: [
        "", "<html>", "{}", "[]", "null", #"{"reason":""}"#, #"{"reason":5}"#, #"{"errors":[]}"#,
        #"{"errors":[1]}"#, #"{"error":true}"#, #"{"note":"what was sent"}"#, #"["a"]"#, #""""#,
        #"{"title":"shop","description":"a row"}"#, "{\"reason\":\"a\"", #"{"status_code":7}"#,
    ])
    func `a body without words gives none`(body: String) async {
        #expect(await reason(of: body) == nil)
    }

    @Test func `a reason is cut at 500 bytes, between characters`() async {
        #expect(
            await reason(of: #"{"reason":"\#(String(repeating: "a", count: 500))"}"#)?.utf8.count
                == 500)
        let long = await reason(of: #"{"reason":"\#(String(repeating: "日", count: 400))"}"#)
        #expect(long == String(repeating: "日", count: 165) + "…")
    }

    @Test func `an endless reason is not read at all`() async {
        let body = #"{"reason":"\#(String(repeating: "a", count: 64 << 10))"}"#
        #expect(await reason(of: body) == nil)
    }

    @Test(arguments: [
        "to+ke/n=", "to%2Bke%2Fn%3D", "dG8ra2Uvbj0=", "dG8ra2Uvbj0", "TO+KE/N=", "to+ke%2fn=",
        #"to+ke\\/n="#, #"to\\u002bke\\u002Fn\\u003d"#,
    ])
    func `an echoed token is taken out, as it is, in a URL, in base64 and in JSON`(
        echo: String
    ) async {
        #expect(
            await reason(of: #"{"reason":"bad \#(echo), \#(echo)!"}"#)
                == "bad [redacted], [redacted]!")
        #expect(await reason(of: #"{"reason":"to\u002bke/n="}"#) == "[redacted]")
        #expect(await reason(of: #"{"errors":["a","to+ke/n="]}"#) == "a; [redacted]")
    }

    @Test func `a token across the cut is taken out first`() async {
        let head = String(repeating: "a", count: 495)
        #expect(await reason(of: #"{"reason":"\#(head)to+ke/n="}"#)?.contains("to+") == false)
    }

    @Test func `of a long token the start alone is taken out, and costs no search for the rest`()
        async
    {
        let token = String(repeating: "a", count: 8191) + "b"
        let echo = String(repeating: "a", count: 60_000)
        #expect(await reason(of: #"{"reason":"bad \#(echo)"}"#, token: token) == "bad [redacted]")
        let start = token.prefix(63)
        #expect(
            await reason(of: #"{"reason":"bad \#(start)!"}"#, token: token) == "bad \(start)!")
    }

    @Test func `a text too short to be a secret is left alone`() async {
        #expect(await reason(of: #"{"reason":"a bad bat"}"#, token: "a") == "a bad bat")
    }

    @Test func `an echoed password, API key or pair of credentials is taken out`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        let echo = #"{"reason":"hunter22 ZUB4Omh1bnRlcjIy e@x:hunter22 aHVudGVyMjI= e@x"}"#
        mock.on(.post, "/login", .json(echo, status: 401))
        mock.on(.post, "/users", .json(echo, status: 400))
        mock.on(.get, "/3/movie/upcoming?page=1&api_key=hunter22", .json(echo, status: 401))
        let client = TodosClient(transport: mock)
        let reasons = await [
            Self.reason { () async throws(APIError) in
                _ = try await client.login(email: "e@x", password: "hunter22")
            },
            Self.reason { () async throws(APIError) in
                _ = try await client.createUser(name: "N", email: "e@x", password: "hunter22")
            },
            Self.reason { () async throws(APIError) in
                _ = try await MoviesClient(credential: .apiKey("hunter22"), transport: mock)
                    .upcomingMovies(page: 1)
            },
        ]
        #expect(reasons[0] == "[redacted] [redacted] [redacted] [redacted] e@x")
        for reason in reasons {
            #expect(reason?.contains("hunter22") == false && reason?.contains("aHVudG") == false)
        }
    }

    @Test func `F9: what one client knows is masked in the errors of another`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        let secrets = Secrets()
        let echo = #"{"reason":"hunter22 api-key-1 token-1 ZUB4Omh1bnRlcjIy login-1"}"#
        mock.on(.post, "/login", .json(#"{"string":"login-1"}"#))
        mock.on(.get, "/todos", .json(echo, status: 500))
        mock.on(.get, "/3/movie/upcoming?page=1&api_key=api-key-1", .json(echo, status: 500))
        let todos = TodosClient(
            baseURL: .localhost, limits: .standard, userAgent: "", transport: mock,
            secrets: secrets)
        let movies = MoviesClient(
            baseURL: .tmdb, credential: .apiKey("api-key-1"), language: nil, region: nil,
            limits: .standard, userAgent: "", transport: mock, secrets: secrets)
        _ = try? await todos.login(email: "e@x", password: "hunter22")
        let first = await Self.reason { () async throws(APIError) in
            _ = try await movies.upcomingMovies(page: 1)
        }
        #expect(first == "[redacted] [redacted] token-1 [redacted] [redacted]")
        let second = await Self.reason { () async throws(APIError) in
            _ = try await todos.todos(token: "token-1")
        }
        #expect(second == "[redacted] [redacted] [redacted] [redacted] [redacted]")
    }

    @Test func `a transport's words lose secrets and control characters too`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .failure(.notHTTP("SSH-2.0 to+ke/n=\r\n\u{1B}[2J")))
        await #expect(throws: APIError.transport(.notHTTP(#"SSH-2.0 [redacted]\r\n\u{1b}[2J"#))) {
            try await TodosClient(transport: mock).todos(token: "to+ke/n=")
        }
    }

    @Test func `a secret in the path of a redirect does not reach the error`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .status(302, fields: [HTTPField("Location", "/t/canary1")]))
        mock.on(.get, "/t/canary1", .status(500))
        await #expect { try await TodosClient(transport: mock).todos(token: "canary1") } throws: {
            let text = "\($0)"
            return text.contains("500") && !text.contains("canary1")
        }
    }

    @Test(arguments: ["canary-token", "CANARY-TOKEN", "gzipcanary-token", "canary-to\u{212A}en"])
    func `a secret in the name of a coding does not reach the error`(coding: String) async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .json("[]", fields: [HTTPField("Content-Encoding", coding)]))
        let client = TodosClient(transport: mock)
        await #expect { try await client.todos(token: "canary-token") } throws: {
            !"\($0)".contains("canary-token") && !"\($0)".contains("CANARY-TOKEN")
        }
    }
}
