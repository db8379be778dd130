internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// One attempt of an operation, ended.
struct Attempt: Sendable {
    let operation: OutgoingOperation
    let settlement: Settlement
    /// Until when the operation waits if the attempt came to nothing.
    var wait: Postponement?
    /// Not sent, or 503: a sign that the server is not there for anybody.
    var countsAsOutage = false
    /// 429 or 503: the server is asked too often.
    var isThrottled = false
    /// The pace at the server slowed down for it.
    var slowsDown = false
    /// It was certainly not applied, and goes again in this replay, whatever an earlier attempt did.
    var goesAgain = false
    /// The wait that the server asked for, if it is asked too often.
    var asked: Duration?
    /// 403, 404 or 405: a machine in between may give this answer to everything.
    var refusal: Int?
    /// Set if no operation can be sent.
    var halt: CycleFailure?
    /// The server refused the secret, by this error.
    var refusedSecret: (secret: String, error: APIError)?
    /// Set if no operation of its kind can be sent.
    var closing: CycleFailure?
}

extension Attempt {
    /// The server took it.
    var isAccepted: Bool {
        switch settlement {
        case .accepted: true
        case .rejected, .refusedInRun, .notApplied, .stale, .doubtful: false
        }
    }

    /// What it says about the pace.
    var end: ServerLanes.End {
        isThrottled ? .refused(asked: asked) : isAccepted ? .taken : .other
    }

    /// The server refused it.
    var isRefused: Bool { if case .rejected = settlement { true } else { false } }

    /// The same attempt, whose refusal may say nothing about its operation.
    var asOfRun: Attempt {
        guard let wait else { return self }
        return Attempt(operation: operation, settlement: .refusedInRun(wait), wait: wait)
    }
}
