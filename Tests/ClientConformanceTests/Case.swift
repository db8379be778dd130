import Testing

/// One call with one outcome over one network.
struct Case: Sendable, CustomStringConvertible, CustomTestStringConvertible {
    let call: Call
    let outcome: Outcome
    let network: Network

    var description: String { "\(call) · \(outcome) · \(network)" }
    var testDescription: String { description }

    /// Why this one cannot conform. None may be libcurl's.
    var knownIssue: Comment? {
        let isURLSession = network == .urlSession || network == .urlProtocol
        guard isURLSession, outcome == .refusedBasic else { return nil }
        return "URLSession on Linux waits for a credential at a Basic challenge, for ever (A1)"
    }

    /// Whether a real clock ends it; a mock knows that the time would pass and does not wait.
    var endsAtDeadline: Bool {
        knownIssue != nil || (outcome == .timeout && network.isReal)
    }

    static let all: [Case] = Call.all.flatMap { call in
        Outcome.allCases.flatMap { outcome in
            Network.allCases.map { Case(call: call, outcome: outcome, network: $0) }
        }
    }
}
