/// What an answer says of how often its server may be asked.
///
/// Source: draft-ietf-httpapi-ratelimit-headers-03 (`RateLimit-Remaining`, `RateLimit-Reset`), and -08 (`RateLimit` with
/// `r` and `t`). With `X-` before it, the reset is a moment in seconds since 1970 at most servers, and a number of
/// seconds at others.
public struct RequestQuota: Sendable, Hashable {
    /// How many requests are left until ``reset``.
    public var remaining: Int64
    /// How long until there are more; not shorter than zero, and not longer than an hour.
    public var reset: Duration
    /// By how much the reset may be less: a second where it is told in whole ones, two where it is the difference between
    /// two moments in whole seconds.
    public var slack: Duration

    /// What an answer says.
    public init(remaining: Int64, reset: Duration, slack: Duration) {
        self.remaining = remaining
        self.reset = reset
        self.slack = slack
    }

    /// What the header of `response` says; nil where it says nothing, or nothing that can be read.
    public init?(of response: HTTPResponse) {
        guard let (remaining, text) = Self.fields(of: response), let left = Int64(remaining),
            (0...).contains(left), let seconds = Self.number(text)
        else { return nil }
        let isWhole = !text.contains(".")
        slack = isWhole ? .seconds(1) : .zero
        self.remaining = left
        guard seconds > Self.momentsFrom else {
            // A whole number of zero is a part of a second that was left out.
            reset = Self.clamped(isWhole ? max(seconds, 1) : seconds)
            return
        }
        // Without a date of the answer's own nobody knows when that is.
        guard let now = response.value(of: "Date").flatMap({ HTTPDate($0.trimmedHeader) }) else {
            reset = Self.unknownReset
            return
        }
        // A date has whole seconds, too. What is over by it is over within the second.
        slack = .seconds(2)
        let wait = seconds - Double(now.seconds)
        reset = wait < -1 ? Self.unknownReset : Self.clamped(max(wait, 1))
    }

    /// The number of what is left, and the reset, as texts.
    private static func fields(of response: HTTPResponse) -> (remaining: String, reset: String)? {
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            guard let remaining = response.value(of: prefix + "Remaining"),
                let reset = response.value(of: prefix + "Reset-After")
                    ?? response.value(of: prefix + "Reset")
            else { continue }
            return (remaining.trimmedHeader, reset.trimmedHeader)
        }
        guard let one = response.value(of: "RateLimit"), one.utf8.count <= 256 else { return nil }
        var found: [String: String] = [:]
        for part in one.utf8.split(whereSeparator: { ";, ".utf8.contains($0) }) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard pair.count == 2 else { continue }
            found[String(Substring(pair[0])).lowercased()] = String(Substring(pair[1]))
        }
        guard let remaining = found["r"] ?? found["remaining"],
            let reset = found["t"] ?? found["reset"]
        else { return nil }
        return (remaining, reset)
    }

    /// When a limit that is used up begins anew, and nobody knows when that is.
    static let unknownReset = Duration.seconds(5)

    /// No limit lasts for thirty years: a larger number is a moment.
    private static let momentsFrom = 1e9

    /// A number may be negative, have a fraction or an exponent: servers send such, and its meaning is clear.
    static func number(_ text: String) -> Double? {
        guard text.utf8.count <= 64,
            text.utf8.contains(where: { (0x30...0x39).contains($0) }),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        return Double(text)
    }

    private static func clamped(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 0), 3600))
    }
}
