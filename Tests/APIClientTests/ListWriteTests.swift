import APIClient
import APIClientTesting
import Synchronization
import Testing
import Text

/// The writes of a declared list: what is sent, and how often.
@Suite struct ListWriteTests {
    private static let create = RowCall(
        method: .post, path: "/notes?x=1",
        fields: [HTTPField("Content-Type", "application/json"), HTTPField("Key", "k-1")],
        body: Array(#"{"title":"milk"}"#.utf8))

    private let mock = MockTransport { Issue.record("\($0)") }

    private func client(
        _ credential: ListCredential, fields: [HTTPField] = [], maxBodyBytes: Int = 99
    ) throws -> ListClient {
        ListClient(
            baseURL: try BaseURL("https://notes.example.org/api"), credential: credential,
            fields: fields, limits: RequestLimits(timeout: .seconds(7), maxBodyBytes: maxBodyBytes),
            userAgent: "syncd/1.2", transport: mock, secrets: Secrets())
    }

    private func held(_ secret: String) -> HeldSecret {
        HeldSecret { () throws(APIError) in secret }
    }

    @Test func `a write is one request with the fields of the server and of the call`() async throws
    {
        mock.on(.post, "/api/notes?x=1", .json(#"{"id":7}"#, status: 201))
        let client = try client(.bearer(held("t-1")), fields: [HTTPField("X-Space", "garden")])
        let answer = try await client.send(
            Self.create, secret: try await client.secret(), timeout: .seconds(3))
        #expect(answer.status == 201)
        #expect(answer.body == Array(#"{"id":7}"#.utf8))
        #expect(
            mock.requests == [
                HTTPRequest(
                    method: .post,
                    origin: Origin(scheme: "https", host: "notes.example.org", port: 443),
                    target: "/api/notes?x=1",
                    fields: [
                        HTTPField("User-Agent", "syncd/1.2"), HTTPField("X-Space", "garden"),
                        HTTPField("Content-Type", "application/json"), HTTPField("Key", "k-1"),
                        HTTPField("Authorization", "Bearer t-1"),
                    ], body: Array(#"{"title":"milk"}"#.utf8), timeout: .seconds(3),
                    maxBodyBytes: 99)
            ])
    }

    @Test func `a call's own field stands in the place of the server's, in capitals or not`()
        async throws
    {
        mock.on(.delete, "/api/notes/7", .status(204))
        let client = try client(
            .none,
            fields: [
                HTTPField("PREFER", "return=representation"), HTTPField("X-Space", "garden"),
                HTTPField("prefer", "count=exact"),
            ])
        let call = RowCall(
            method: .delete, path: "/notes/7",
            fields: [HTTPField("Prefer", "return=minimal"), HTTPField("user-agent", "mine")],
            body: nil)
        _ = try await client.send(call, secret: "", timeout: .seconds(3))
        let request = try #require(mock.requests.first)
        #expect(
            request.fields == [
                HTTPField("X-Space", "garden"), HTTPField("Prefer", "return=minimal"),
                HTTPField("user-agent", "mine"),
            ])
        #expect(request.body == nil)
    }

    @Test func `each way to tell who asks is the same as for a list`() async throws {
        mock.on(.post, "/api/notes?x=1", .status(200))
        mock.on(.post, "/api/notes?x=1&api_key=s%2F%26", .status(200))
        let credentials: [(ListCredential, HTTPField?)] = [
            (.none, nil), (.query(name: "api_key", held("s/&")), nil),
            (
                .header(name: "X-Auth-Token", prefix: "token ", held("s/&")),
                HTTPField("X-Auth-Token", "token s/&")
            ), (.basic(user: "me", held("s/&")), HTTPField("Authorization", "Basic bWU6cy8m")),
        ]
        for (credential, field) in credentials {
            let client = try client(credential)
            _ = try await client.send(
                Self.create, secret: try await client.secret(), timeout: .seconds(3))
            let request = try #require(mock.requests.last)
            #expect(request.fields.dropFirst(3) == (field.map { [$0] } ?? [])[...])
        }
        #expect(mock.requests.count { $0.target == "/api/notes?x=1&api_key=s%2F%26" } == 1)
    }

    @Test func `the largest answer to a write is one row`() async throws {
        mock.on(.post, "/api/notes?x=1", .status(200))
        _ = try await client(.none, maxBodyBytes: 1 << 30)
            .send(Self.create, secret: "", timeout: .seconds(3))
        #expect(mock.requests.map(\.maxBodyBytes) == [8 << 20])
    }

    @Test(arguments: [401, 403, 429, 500, 503])
    func `a write is not sent again, whoever could have another secret`(status: Int) async throws {
        mock.on(.post, "/api/notes?x=1", .status(status))
        let client = try client(.bearer(held("t-1")))
        await #expect {
            try await client.send(Self.create, secret: "t-0", timeout: .seconds(3))
        } throws: { error in
            guard case .status(let failure)? = error as? APIError else { return false }
            return failure.code == status && (error as? APIError)?.mayHaveArrived == true
        }
        #expect(mock.requests.count == 1)
    }

    @Test func `another secret is one that was not refused`() async throws {
        let secrets = Mutex(["t-2", "t-2", "t-1"])
        let renewing = HeldSecret { () throws(APIError) in
            secrets.withLock { $0.popLast() ?? "none" }
        }
        let client = try client(.bearer(renewing))
        #expect(try await client.secret() == "t-1")
        #expect(try await client.secret() == "t-1")
        #expect(try await client.renewed(otherThan: "t-1") == "t-2")
        #expect(try await client.secret() == "t-2")
        #expect(try await client.renewed(otherThan: "t-2") == nil)
    }

    @Test func `where nobody is asked for a secret there is none, and no other one`() async throws {
        let client = try client(.none)
        #expect(try await client.secret() == "")
        #expect(try await client.renewed(otherThan: "") == nil)
        #expect(client.refusal == 401)
    }

    @Test func `a login says by which status it is refused`() throws {
        let session = LoginSession(of: "me", at: .localhost, tokens: MemoryTokenStore()) {
            () async throws(APIError) in "token"
        }
        #expect(try client(.login(session, refusal: 403)).refusal == 403)
    }

    @Test func `a control character in a field or a path is refused before anything is sent`()
        async throws
    {
        let client = try client(.none)
        for (path, value) in [("/a", "1\r\nX: y"), ("/a", "\u{0}"), ("/a b", "1"), ("/ä", "1")] {
            let call = RowCall(
                method: .put, path: path, fields: [HTTPField("If-Match", value)], body: nil)
            await #expect {
                try await client.send(call, secret: "", timeout: .seconds(1))
            } throws: { error in
                guard case .invalidRequest(let what)? = error as? APIError else { return false }
                return !what.contains("X: y")
            }
        }
        #expect(mock.requests.isEmpty)
    }

    @Test(arguments: [
        (ListCredential.bearer(HeldSecret { () throws(APIError) in "canary-s" }), "canary-s"),
        (
            .basic(user: "jane", HeldSecret { () throws(APIError) in "canary-s" }),
            "amFuZTpjYW5hcnktcw=="
        ),
    ])
    func `an error does not tell the secret that the server quotes`(
        credential: ListCredential, quoted: String
    ) async throws {
        let refused = MockAnswer.json(#"{"error":true,"reason":"got \#(quoted)"}"#, status: 400)
        mock.on(.post, "/api/notes?x=1", refused)
        mock.on(.get, "/api/notes", refused)
        let client = try client(credential)
        func reason(_ call: () async throws(APIError) -> Void) async -> String? {
            do {
                try await call()
            } catch .status(let failure) {
                return failure.reason
            } catch {}
            return nil
        }
        let reasons = await [
            reason { () async throws(APIError) in
                _ = try await client.send(Self.create, secret: "canary-s", timeout: .seconds(3))
            },
            reason { () async throws(APIError) in
                _ = try await client.pull("/api/notes", validators: nil)
            },
        ]
        #expect(reasons == Array(repeating: "got [redacted]", count: 2))
    }
}
