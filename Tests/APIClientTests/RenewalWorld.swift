import APIClient
import APIClientTesting
import ReferenceAPI
import Synchronization

/// A server that gives tokens for a token that renews them, and the processes of a person who gave it.
final class RenewalWorld: Sendable {
    /// What the server does with the token that renewed others.
    enum Manner: CaseIterable {
        /// It stays, and no other one is given.
        case lasting
        /// It is replaced, and good until the new one has been used.
        case graceful
        /// It is replaced at once.
        case strict
    }

    /// What happens to a renewal.
    enum Fault: CaseIterable {
        case none, notArrived, answerLost, overloaded, garbled
    }

    private struct State {
        var given = 0
        var refresh = "origin-1"
        var former: String?
        var access = ""
        var fault = Fault.none
        /// Whether a newer token was lost on its way.
        var hasLost = false
        var calls = 0
        var origin = "origin-1"
    }

    let manner: Manner
    let store = MemoryRenewalStore()
    let tokens = MemoryTokenStore()
    private let state = Mutex(State())

    init(_ manner: Manner) { self.manner = manner }

    /// The renewals that the server was asked for.
    var calls: Int { state.withLock { $0.calls } }
    /// Whether a newer token was lost on its way to a process, or with it.
    var hasLost: Bool { state.withLock { $0.hasLost } }
    /// The token in the person's file.
    var origin: String { state.withLock { $0.origin } }

    func fault(_ fault: Fault) { state.withLock { $0.fault = fault } }

    /// A newer token was with a process that has ended, and nowhere else.
    func noteLoss() { state.withLock { $0.hasLost = true } }

    /// The token for requests is not good any more.
    func expire() { state.withLock { $0.access = "" } }

    /// The server has forgotten the last renewal, as one whose disk was set back.
    func setBack() {
        state.withLock { state in
            guard let former = state.former else { return }
            (state.refresh, state.former, state.access) = (former, nil, "")
        }
    }

    /// The person logs in, as `name`, and puts what comes into the file.
    func logIn(as name: String) {
        state.withLock { state in
            (state.refresh, state.former, state.access) = (name, nil, "")
            (state.origin, state.hasLost) = (name, false)
        }
    }

    /// Whether a request with `token` is answered.
    func takes(_ token: String) -> Bool { state.withLock { $0.access == token } }

    /// A process begins. `meanwhile` happens between each look at the file and the request after it.
    func process(meanwhile: @escaping @Sendable () async -> Void = {}) -> RenewalProcess {
        let renewal = TokenRenewal(at: .localhost, store: store) { [self] () throws(APIError) in
            origin
        } renew: { [self] token async throws(APIError) in
            await meanwhile()
            return try answer(to: token)
        }
        let session = LoginSession(renewedBy: renewal, at: .localhost, tokens: tokens) {
            [self] () async throws(APIError) in
            try await renewal.token(by: origin)
        }
        return RenewalProcess(world: self, renewal: renewal, session: session)
    }

    private func answer(to token: String) throws(APIError) -> ServerLogin.Tokens {
        let result = state.withLock { state -> Result<ServerLogin.Tokens, APIError> in
            state.calls += 1
            let fault = state.fault
            if fault == .notArrived {
                return .failure(.transport(.timedOut(mayHaveArrived: false)))
            }
            let given = give(for: token, &state)
            if fault == .none { return given }
            if case .success(let tokens) = given, tokens.next != nil { state.hasLost = true }
            return switch fault {
            case .overloaded:
                .failure(.status(StatusFailure(code: 502, reason: nil, retryAfter: nil)))
            case .garbled: .failure(.malformed("$.access_token: expected a text"))
            case .none, .notArrived, .answerLost:
                .failure(.transport(.timedOut(mayHaveArrived: true)))
            }
        }
        return try result.get()
    }

    private func give(for token: String, _ state: inout State) -> Result<
        ServerLogin.Tokens, APIError
    > {
        guard token == state.refresh || token == state.former && manner == .graceful else {
            var failure = StatusFailure(code: 400, reason: "invalid_grant", retryAfter: nil)
            failure.isOfLogin = true
            return .failure(.status(failure))
        }
        state.given += 1
        state.access = "access-\(state.given)"
        guard manner != .lasting else { return .success(.init(token: state.access)) }
        (state.former, state.refresh) = (token, "renewing-\(state.given)")
        return .success(.init(token: state.access, next: state.refresh))
    }
}

/// A process that makes requests.
struct RenewalProcess: Sendable {
    let world: RenewalWorld
    let renewal: TokenRenewal
    let session: LoginSession

    /// A request, with another token where the first is refused, as ``ListClient`` does it.
    func request() async throws(APIError) -> Bool {
        let token = try await session.token()
        if world.takes(token) { return true }
        return world.takes(try await session.renew(refused: token))
    }
}

/// What ``TokenRenewal`` keeps, in memory; it can be made to fail.
final class MemoryRenewalStore: RenewalStore {
    private struct State {
        var renewal: StoredRenewal?
        /// How many saves succeed before the disk is full; nil: all.
        var saves: Int?
    }

    private let state = Mutex(State())

    var renewal: StoredRenewal? { state.withLock { $0.renewal } }

    /// The disk takes so many saves and then no more; nil mends it.
    func allow(saves: Int?) { state.withLock { $0.saves = saves } }

    func load() async throws(TokenStoreError) -> StoredRenewal? { renewal }

    func save(_ renewal: StoredRenewal) async throws(TokenStoreError) {
        let isFull = state.withLock { state in
            if state.saves == 0 { return true }
            state.saves = state.saves.map { $0 - 1 }
            state.renewal = renewal
            return false
        }
        if isFull { throw .unwritable("the disk is full") }
    }
}
