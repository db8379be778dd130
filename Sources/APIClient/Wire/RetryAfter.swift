/// How long a server asks us to wait, out of an answer's `Retry-After`, or of the fields by which it tells of a limit
/// that is used up.
///
/// Source: RFC 9110 §10.2.3; ``RequestQuota``.
public enum RetryAfter: Sendable {
    /// The shortest and the longest wait that is believed.
    public static let range: ClosedRange<Duration> = .seconds(1) ... .seconds(3600)

    /// The wait, moved into ``range``; `nil` where the header is missing or cannot be read.
    ///
    /// A date is judged against the answer's own `Date`, never against this machine's clock, which
    /// can be wrong; without a readable `Date` it means nothing. A number may be negative, have a
    /// fraction or an exponent: servers send such, and its meaning is clear.
    public static func wait(in response: HTTPResponse) -> Duration? {
        guard let text = response.value(of: "Retry-After")?.trimmedHeader, text.utf8.count <= 64
        else { return reset(in: response) }
        if let seconds = RequestQuota.number(text) { return clamped(seconds) }
        guard let now = response.value(of: "Date").flatMap({ HTTPDate($0.trimmedHeader) }),
            let then = HTTPDate(text, near: now)
        else { return nil }
        let (difference, overflow) = then.seconds.subtractingReportingOverflow(now.seconds)
        return overflow ? nil : clamped(Double(difference))
    }

    /// Until the limit begins anew, if nothing of it is left.
    private static func reset(in response: HTTPResponse) -> Duration? {
        guard let limit = RequestQuota(of: response), limit.remaining == 0 else { return nil }
        return min(max(limit.reset, range.lowerBound), range.upperBound)
    }

    private static func clamped(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 1), 3600))
    }
}
