internal import Synchronization

/// Tokens that a login brought: one that is refused as well is no reason for another login.
final class RenewedTokens: Sendable {
    private let tokens = Mutex<Set<String>>([])

    func insert(_ token: String) { tokens.withLock { _ = $0.insert(token) } }

    func contains(_ token: String) -> Bool { tokens.withLock { $0.contains(token) } }
}
