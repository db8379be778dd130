import Synchronization

/// A secret that is read when it is needed, and again when the server refuses it: whatever renews a token
/// in a file need not tell.
///
/// It is that of all lists of a server. If the server refuses it for one of them, it is not sent for any of them
/// before it has changed, or a pause is over that grows to hours. But a list that it has never read, while it reads
/// others, is refused for itself.
public final class HeldSecret: SecretHolder {
    private let read: @Sendable () throws(APIError) -> String
    private let milliseconds: (@Sendable () -> Int64)?
    private let state = Mutex(State())

    private struct State {
        var current: String?
        var refusal: (failure: StatusFailure, of: String, count: Int, at: Int64, by: String)?
        /// The lists that the secret has read.
        var readers: Set<String> = []

        mutating func take(_ secret: String) {
            guard secret != current else { return }
            (current, refusal, readers) = (secret, nil, [])
        }
    }

    /// A secret that `read` reads, of one list: each pull tries it.
    public init(_ read: @escaping @Sendable () throws(APIError) -> String) {
        self.read = read
        milliseconds = nil
    }

    /// The same of all lists of a server, by a clock that nobody sets.
    public init(
        milliseconds: @escaping @Sendable () -> Int64,
        _ read: @escaping @Sendable () throws(APIError) -> String
    ) {
        self.read = read
        self.milliseconds = milliseconds
    }

    func isAtHand() -> Bool { true }

    /// The secret in use.
    func value() throws(APIError) -> String {
        if let value = state.withLock({ $0.current }) { return value }
        let value = try read()
        state.withLock { $0.take(value) }
        return value
    }

    /// The secret as it is now; nil where it is the one that was refused.
    func renewed(otherThan refused: String) throws(APIError) -> String? {
        let value = try read()
        state.withLock { $0.take(value) }
        return value == refused ? nil : value
    }

    /// The secret to read `list` with.
    ///
    /// - Throws: the last refusal where the secret is not to be tried yet.
    func value(for list: String) throws(APIError) -> String {
        let value = try value()
        guard let milliseconds, let refusal = state.withLock({ $0.refusal }),
            refusal.of == value,
            milliseconds() - refusal.at < LoginRefusal.pause(afterFailures: refusal.count)
        else { return value }
        guard let other = try renewed(otherThan: value) else { throw .status(refusal.failure) }
        return other
    }

    /// Notes that the server refuses `secret` for `list`.
    func note(_ failure: StatusFailure, of secret: String, for list: String) {
        guard let milliseconds else { return }
        state.withLock { state in
            guard state.current == secret, state.readers.isEmpty || state.readers.contains(list)
            else { return }
            let now = milliseconds()
            let last = state.refusal
            // What was under way beside the first refusal is none of its own.
            if let last, now - last.at < LoginRefusal.pause(afterFailures: last.count) { return }
            state.refusal = (failure, secret, (last?.count ?? 0) + 1, now, list)
        }
    }

    /// Notes that `secret` has read `list`. If another one was refused before, that was for itself.
    func noteRead(_ list: String, with secret: String) {
        guard milliseconds != nil else { return }
        state.withLock { state in
            guard state.current == secret else { return }
            if let refusal = state.refusal { state.readers.remove(refusal.by) }
            state.refusal = nil
            state.readers.insert(list)
        }
    }
}
