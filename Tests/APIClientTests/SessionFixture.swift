import APIClient
import APIClientTesting
import Testing

/// A session over a mock server whose logins give `token-1`, `token-2` and so on.
struct SessionFixture: Sendable {
    static let email = "Demo@Example.com"

    let mock = MockTransport { Issue.record("\($0)") }
    let store: MemoryTokenStore
    let session: TodosSession

    /// `stored` is the token in the store, of this account unless told otherwise.
    init(stored: String? = nil, email: String = email, baseURL: BaseURL = .localhost) {
        store = MemoryTokenStore(
            stored.map {
                StoredToken(baseURL: baseURL.description, email: email, token: $0)
            })
        session = TodosSession(
            client: TodosClient(transport: mock), email: Self.email, password: "secret",
            tokens: store)
    }

    func allowLogins(_ count: Int) {
        for number in 1...count { mock.on(.post, "/login", Self.login(number)) }
    }

    static func login(_ number: Int) -> MockAnswer { .json(#"{"string":"token-\#(number)"}"#) }

    var logins: Int { mock.requests.count { $0.target == "/login" } }

    /// Waits until so many callers wait for the one that logs in.
    func waitForCallers(_ count: Int) async {
        while session.waitingCallers < count { await Task.yield() }
    }

    /// What a call ended with.
    static func result(
        _ call: () async throws(APIError) -> String
    ) async -> Result<String, APIError> {
        do {
            return .success(try await call())
        } catch {
            return .failure(error)
        }
    }
}
