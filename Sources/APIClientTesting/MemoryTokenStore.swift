public import APIClient
import Synchronization

/// A token store in memory that can be made to fail.
public final class MemoryTokenStore: TokenStore {
    private struct State {
        var token: StoredToken?
        var saves = 0
        var failure: TokenStoreError?
    }

    private let state: Mutex<State>

    /// A store that holds `token`.
    public init(_ token: StoredToken? = nil) {
        state = Mutex(State(token: token))
    }

    /// What is stored.
    public var token: StoredToken? { state.withLock { $0.token } }

    /// How often something was saved.
    public var saves: Int { state.withLock { $0.saves } }

    /// Makes every later call fail with `error`; `nil` mends the store.
    public func fail(with error: TokenStoreError?) {
        state.withLock { $0.failure = error }
    }

    /// What is stored, of whichever account.
    public func load() async throws(TokenStoreError) -> StoredToken? {
        try change { $0.token }
    }

    /// Replaces what is stored.
    public func save(_ token: StoredToken) async throws(TokenStoreError) {
        try change {
            $0.token = token
            $0.saves += 1
        }
    }

    /// Forgets what is stored.
    public func discard() async throws(TokenStoreError) {
        try change { $0.token = nil }
    }

    private func change<Value: Sendable>(
        _ body: (inout sending State) -> sending Value
    ) throws(TokenStoreError) -> Value {
        let result: Result<Value, TokenStoreError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            return .success(body(&state))
        }
        return try result.get()
    }
}
