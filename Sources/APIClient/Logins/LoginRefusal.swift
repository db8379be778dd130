/// A login that the server has refused, as it is kept between runs. It does not hold the secret.
public struct LoginRefusal: Sendable, Hashable, Codable {
    /// Tells two secrets apart, and is too short to guess either: one of 65 536.
    public var mark: String
    /// How often in a row this secret was refused.
    public var failures: Int
    /// The moment of the last refusal, by a clock that nobody sets, and in which boot of the machine.
    public var boot: String
    /// See ``boot``.
    public var milliseconds: Int64
    /// What the server answered.
    public var code: Int
    /// See ``StatusFailure/reason``.
    public var reason: String?
    /// See ``StatusFailure/endpoint``.
    public var endpoint: String

    /// How long the same secret is not tried again: a minute, and four times as long after each refusal, up to
    /// four hours. Servers lock an account after five to ten refusals within an hour or so.
    var pause: Int64 { Self.pause(afterFailures: failures) }

    /// See ``pause``, in milliseconds.
    static func pause(afterFailures failures: Int) -> Int64 {
        var minutes: Int64 = 1
        for _ in 1..<max(min(failures, 6), 1) { minutes = min(minutes * 4, 240) }
        return minutes * 60_000
    }

    /// As the failure that it was.
    var failure: StatusFailure {
        var failure = StatusFailure(
            code: code, reason: reason, retryAfter: nil, endpoint: endpoint)
        failure.isOfLogin = true
        return failure
    }
}
