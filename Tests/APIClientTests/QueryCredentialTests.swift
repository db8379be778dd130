import APIClient
import APIClientTesting
import Testing
import Text

/// N1: a credential in the query, and addresses that a server names.
@Suite struct QueryCredentialTests {
    private func client(_ transport: any Transport = MockTransport { _ in }) throws -> ListClient {
        ListClient(
            baseURL: try BaseURL("http://127.0.0.1:8080"),
            credential: .query(name: "api key", HeldSecret { () throws(APIError) in "s/&%20cret" }),
            fields: [], limits: RequestLimits(timeout: .seconds(1), maxBodyBytes: 1 << 20),
            userAgent: "", transport: transport, secrets: Secrets())
    }

    @Test(arguments: [
        ("/notes?api%20key=x&page=2", "/notes?page=2"),
        ("/notes?page=2&api%20key=x", "/notes?page=2"),
        ("/notes?api%20key=x", "/notes"),
        ("/notes?a=1&api%20key=x&b=%2F&&c", "/notes?a=1&b=%2F&&c"),
        ("/notes?%61pi%20%6bey=x&page=2", "/notes?page=2"), ("/notes?api%20key", "/notes"),
        ("/notes?api%20key=x&api%20key=y&page=2", "/notes?page=2"),
        ("/notes?api%20keys=x", "/notes?api%20keys=x"),
        ("/notes/api%20key=x", "/notes/api%20key=x"),
        ("http://127.0.0.1:8080/notes?api%20key=x&page=2", "/notes?page=2"),
        ("?page=2&api%20key=x", "/notes?page=2"),
    ])
    func `N1: an address that an answer names loses the credential`(
        address: String, target: String
    ) throws {
        #expect(try client().target(of: address, from: "/notes") == target)
        #expect(try client().withoutCredential("http://a/b?api%20key=x#c") == "http://a/b#c")
        #expect(try client().withoutCredential("/b#c?api%20key=x") == "/b#c?api%20key=x")
    }

    @Test(arguments: ["/notes/", "/notes/?api%20key=s%2F%26%2520cret", "/notes/?api%20key=old&a=1"])
    func `N1: a redirect is followed with the credential once`(location: String) async throws {
        let transport = MockTransport { Issue.record("\($0)") }
        let secret = "api%20key=s%2F%26%2520cret"
        transport.on(
            .get, "/notes?\(secret)",
            .response(HTTPResponse(status: 301, fields: [HTTPField("Location", location)])))
        let rest = location.hasSuffix("a=1") ? "a=1&" : ""
        transport.on(.get, "/notes/?\(rest)\(secret)", .json("[]"))
        let answer = try await client(transport).pull("/notes", validators: nil)
        guard case .body(let body, _, _) = answer else {
            Issue.record("not a body: \(answer)")
            return
        }
        #expect(body == Array("[]".utf8))
    }
}
