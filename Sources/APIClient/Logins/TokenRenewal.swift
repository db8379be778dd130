internal import Synchronization

/// The renewal of an account's tokens by another token, which the server may replace each time.
///
/// That one is all there is of the person's consent: if it is lost, a person has to log in again. So a renewal is
/// written down before it is sent, and a disk that takes nothing costs no token. If the answer is lost, the same token
/// goes again: a server that has replaced it can do no worse than refuse it. The one before it is tried, too, before a
/// refusal counts.
///
/// Source: RFC 6749 §6.
public final class TokenRenewal: Sendable {
    private let server: BaseURL
    private let store: any RenewalStore
    private let read: @Sendable () throws(APIError) -> String
    private let renew: @Sendable (String) async throws(APIError) -> ServerLogin.Tokens
    private let state = Mutex(State())

    private struct State {
        /// The person's token that the tokens in use come from.
        var origin: String?
        /// What could not be written.
        var unsaved: StoredRenewal?
    }

    /// Renewals at `server`, one at a time; nothing is read or sent before the first call.
    ///
    /// - Parameters:
    ///   - server: Where the tokens are for.
    ///   - store: What keeps them between runs.
    ///   - read: The token that a person gave, as it is now.
    ///   - renew: Sends a token and returns what the server gives for it.
    public init(
        at server: BaseURL, store: any RenewalStore,
        read: @escaping @Sendable () throws(APIError) -> String,
        renew: @escaping @Sendable (String) async throws(APIError) -> ServerLogin.Tokens
    ) {
        self.server = server
        self.store = store
        self.read = read
        self.renew = renew
    }

    /// The person's token that the tokens in use come from.
    ///
    /// - Throws: What `read` throws.
    public func origin() throws(APIError) -> String {
        if let origin = state.withLock({ $0.origin }) { return origin }
        let origin = try read()
        state.withLock { $0.origin = origin }
        return origin
    }

    /// What stands for the account, of which nothing is known but the person's token.
    ///
    /// - Throws: What `read` throws.
    public func account() throws(APIError) -> String {
        "renewed by " + ListCredential.mark(of: try origin())
    }

    /// A new token for requests, by `origin`: the person's token as it is now.
    ///
    /// - Throws: ``APIError/status(_:)`` where the server refuses what there is; ``APIError/tokenStore(_:)`` where
    ///   the renewal cannot be written down, and is not sent.
    public func token(by origin: String) async throws(APIError) -> String {
        state.withLock { $0.origin = origin }
        let last = try await kept(by: origin)
        var begun = last
        begun.isAnswerLost = true
        try await save(begun)
        do {
            return try await exchange(last)
        } catch {
            // Another process may have written down what it got.
            if !error.mayHaveLostTokens, try await stored(by: origin) == begun {
                try? await store.save(last)
            }
            guard case .status(var failure) = error, failure.refusesCredentials, last.isAnswerLost
            else { throw error }
            let doubt = "an earlier answer was lost, and perhaps a newer token in it"
            failure.reason = failure.reason.map { "\($0); \(doubt)" } ?? doubt
            throw .status(failure)
        }
    }

    /// Sends what there is, and keeps what comes for it.
    private func exchange(_ last: StoredRenewal) async throws(APIError) -> String {
        do {
            return try await exchange(last.current, of: last)
        } catch {
            guard error.isRefusal else { throw error }
            // Another process may have renewed it meanwhile.
            let now = try await stored(by: last.origin)?.tokens ?? []
            var sent = [last.current]
            for token in now + last.tokens where !sent.contains(token) {
                sent.append(token)
                do {
                    return try await exchange(token, of: last)
                } catch {
                    guard error.isRefusal else { throw error }
                }
            }
            throw error
        }
    }

    private func exchange(
        _ token: String, of last: StoredRenewal
    ) async throws(APIError) -> String {
        let given = try await renew(token)
        var renewal = last
        renewal.current = given.next ?? token
        renewal.previous = token == renewal.current ? nil : token
        renewal.isAnswerLost = false
        do {
            try await store.save(renewal)
            state.withLock { $0.unsaved = nil }
        } catch {
            // The next renewal writes it before it begins.
            state.withLock { $0.unsaved = renewal }
        }
        return given.token
    }

    private func kept(by origin: String) async throws(APIError) -> StoredRenewal {
        if let unsaved = state.withLock({ $0.unsaved }), unsaved.origin == origin { return unsaved }
        return try await stored(by: origin)
            ?? StoredRenewal(baseURL: server.description, origin: origin)
    }

    private func stored(by origin: String) async throws(APIError) -> StoredRenewal? {
        do {
            return try await store.load().flatMap {
                $0.origin == origin && $0.baseURL == server.description ? $0 : nil
            }
        } catch {
            throw .tokenStore(error.description)
        }
    }

    private func save(_ renewal: StoredRenewal) async throws(APIError) {
        do {
            try await store.save(renewal)
        } catch {
            throw .tokenStore(error.description)
        }
    }
}

extension APIError {
    fileprivate var isRefusal: Bool {
        if case .status(let failure) = self { failure.refusesCredentials } else { false }
    }

    /// Whether the server may have given tokens that did not come.
    fileprivate var mayHaveLostTokens: Bool {
        if case .status(let failure) = self { failure.code >= 500 } else { mayHaveArrived }
    }
}
