/// How long a server asks us to wait, out of an answer's `Retry-After`, or of the fields by which it tells of a limit
/// that is used up.
///
/// Source: RFC 9110 §10.2.3; draft-ietf-httpapi-ratelimit-headers-03 (`RateLimit-Remaining`, `RateLimit-Reset`). With
/// `X-` before it, the reset is a moment in seconds since 1970 at most servers, and a number of seconds at others.
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
        if let seconds = number(text) { return clamped(seconds) }
        guard let now = response.value(of: "Date").flatMap({ HTTPDate($0.trimmedHeader) }),
            let then = HTTPDate(text, near: now)
        else { return nil }
        let (difference, overflow) = then.seconds.subtractingReportingOverflow(now.seconds)
        return overflow ? nil : clamped(Double(difference))
    }

    /// Until the limit begins anew, if nothing of it is left.
    private static func reset(in response: HTTPResponse) -> Duration? {
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            guard response.value(of: prefix + "Remaining")?.trimmedHeader == "0",
                let text = response.value(of: prefix + "Reset")?.trimmedHeader,
                text.utf8.count <= 64, let seconds = number(text)
            else { continue }
            guard seconds > momentsFrom else { return clamped(seconds) }
            // Without a date of the answer's own nobody knows when that is, nor if it is over.
            guard let now = response.value(of: "Date").flatMap({ HTTPDate($0.trimmedHeader) }),
                seconds > Double(now.seconds)
            else { return unknownReset }
            return clamped(seconds - Double(now.seconds))
        }
        return nil
    }

    private static let unknownReset = Duration.seconds(5)

    /// No limit lasts for thirty years: a larger number is a moment.
    private static let momentsFrom = 1e9

    private static func number(_ text: String) -> Double? {
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        return Double(text)
    }

    private static func clamped(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 1), 3600))
    }
}
