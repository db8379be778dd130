import APIClient

/// What happens to the last request of a call.
enum Outcome: String, Sendable, CaseIterable, CustomStringConvertible {
    case built = "request built"
    case valid = "valid answer"
    case redirect = "status 300"
    case refused = "status 401"
    case refusedBasic = "status 401 with a Basic challenge"
    case missing = "status 404"
    case limitedSeconds = "status 429, Retry-After in seconds"
    case limitedDate = "status 429, Retry-After as a date"
    case failing = "status 500"
    case notHTTP = "answer that is not HTTP"
    case invalid = "invalid data"
    case empty = "empty data"
    case down = "no connection"
    case lost = "connection lost"
    case timeout = "timeout"
    case cancel = "cancel"

    var description: String { rawValue }

    /// What the network does.
    enum Happening: Sendable {
        case answers(status: Int, fields: [HTTPField], body: String)
        case speaksAnotherProtocol, refusesConnections, closes, stalls
    }

    func happening(to call: Call) -> Happening {
        switch self {
        case .built, .valid: .answers(status: 200, fields: [], body: call.last.answer)
        case .redirect: .answers(status: 300, fields: [], body: Self.reason)
        case .refused: .answers(status: 401, fields: [], body: Self.reason)
        case .refusedBasic:
            .answers(
                status: 401, fields: [.init("WWW-Authenticate", "Basic realm=\"api\"")],
                body: Self.reason)
        case .missing: .answers(status: 404, fields: [], body: Self.reason)
        case .limitedSeconds:
            .answers(status: 429, fields: [.init("Retry-After", "5")], body: Self.reason)
        case .limitedDate:
            .answers(
                status: 429,
                fields: [
                    .init("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    .init("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT"),
                ], body: Self.reason)
        case .failing: .answers(status: 500, fields: [], body: Self.reason)
        case .notHTTP: .speaksAnotherProtocol
        case .invalid: .answers(status: 200, fields: [], body: "{{}")
        case .empty: .answers(status: 200, fields: [], body: "")
        case .down: .refusesConnections
        case .lost: .closes
        case .timeout, .cancel: .stalls
        }
    }

    private static let reason = #"{"error":true,"reason":"No."}"#

    /// What the call must come to, the same over every transport.
    func expected(of call: Call, at rig: Rig) -> Ending {
        let status = { (code: Int, retryAfter: Duration?) -> Ending in
            let path = call.last.target.prefix { $0 != "?" }
            return .status(
                StatusFailure(
                    code: code, reason: "No.", retryAfter: retryAfter,
                    endpoint: "\(call.last.method.rawValue) \(rig.baseURL)\(path)"))
        }
        return switch self {
        case .built, .valid: .result(call.result)
        case .redirect: status(300, nil)
        case .refused, .refusedBasic: status(401, nil)
        case .missing: status(404, nil)
        case .limitedSeconds: status(429, .seconds(5))
        case .limitedDate: status(429, .seconds(30))
        case .failing: status(500, nil)
        case .notHTTP: .failure("notHTTP", mayHaveArrived: true)
        case .invalid:
            call.takesAnything
                ? .result(call.result) : .failure("malformed", mayHaveArrived: true)
        case .empty:
            call.takesEmpty
                ? .result(call.result) : .failure("emptyData", mayHaveArrived: true)
        case .down: .failure("cannotConnect", mayHaveArrived: false)
        case .lost: .failure("interrupted", mayHaveArrived: true)
        case .timeout: .failure("timedOut", mayHaveArrived: true)
        case .cancel: .failure("cancelled", mayHaveArrived: true)
        }
    }
}
