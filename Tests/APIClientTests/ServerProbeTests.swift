import APIClient
import APIClientTesting
import Testing
import Text

/// What `setup` makes of an address before there is a token or an account.
@Suite struct ServerProbeTests {
    private static let targets: [ServerProbe.Kind: String] = [
        .movies: "/movie/upcoming?page=1", .todos: "/todos",
    ]

    private func ask(_ kind: ServerProbe.Kind, _ answer: MockAnswer) async throws -> [HTTPRequest] {
        let transport = MockTransport { Issue.record("\($0)") }
        transport.on(.get, Self.targets[kind] ?? "", answer)
        try await ServerProbe(
            baseURL: .localhost, limits: ClientCall.limits, userAgent: "syncd/1.2",
            transport: transport, secrets: Secrets()
        ).ask(for: kind)
        return transport.requests
    }

    @Test(arguments: ServerProbe.Kind.allCases, [400, 401, 403, 422])
    func `a server that refuses a request without credentials is one`(
        kind: ServerProbe.Kind, status: Int
    ) async throws {
        let requests = try await ask(kind, .json(#"{"reason": "who are you?"}"#, status: status))
        #expect(requests.count == 1)
        #expect(requests.allSatisfy { $0.fields == [HTTPField("User-Agent", "syncd/1.2")] })
    }

    @Test func `a server that shows its list to everybody is one`() async throws {
        let page = #"{"page": 1, "results": [], "total_pages": 1, "total_results": 0}"#
        _ = try await ask(.movies, .json(page))
        _ = try await ask(.todos, .json(#"[{"strange": null}, 1]"#))
    }

    @Test(arguments: ServerProbe.Kind.allCases)
    func `any other answer is told`(kind: ServerProbe.Kind) async throws {
        for (answer, sentence) in [
            (MockAnswer.status(404), "was answered 404"), (.status(500), "was answered 500"),
            (.json("<html>", status: 200), "the answer cannot be used"),
            (.json(#"{"error": 1}"#), "the answer cannot be used"),
            (.status(204), "the answer is empty"),
            (.failure(.cannotConnect("refused")), "no connection: refused"),
        ] {
            let error = await #expect(throws: APIError.self) { try await ask(kind, answer) }
            #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
        }
    }
}
