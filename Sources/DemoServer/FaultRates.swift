public import ReferenceAPI

/// How often, and how, the server misbehaves.
public struct FaultRates: Sendable, Hashable {
    /// Answered 503, nothing done.
    public var refuse = 0.0
    /// The connection closed, nothing done.
    public var loseRequest = 0.0
    /// What was asked is done and saved, then the connection closed.
    public var loseAnswer = 0.0
    /// From the request's last byte to the moment it is looked at.
    public var latency = Duration.zero
    /// What a machine before the server answers by itself.
    public var middlebox: [MiddleboxHabit] = []
    /// What the server says that is not so.
    public var untruths: [UntruthHabit] = []

    /// No fault.
    public init() {}
}

/// What happens to one request.
enum Fate: Hashable {
    case served
    case refused
    case requestLost
    case answerLost
    /// A machine before the server answered.
    case misled(MiddleboxFault)
    /// The server said something else than what it did.
    case deceived(Untruth)
}

/// The faults of one server, decided by a seed.
struct FaultPlan {
    private let rates: FaultRates
    private var random: any RandomNumberGenerator & Sendable

    init(_ rates: FaultRates, random: any RandomNumberGenerator & Sendable) {
        self.rates = rates
        self.random = random
    }

    /// What happens to the next request. Each one takes three draws, whatever the rates, so that
    /// changing one rate leaves the others' choices as they were.
    mutating func next() -> Fate {
        let draws = (0..<3).map { _ in Double.random(in: 0..<1, using: &random) }
        if draws[0] < rates.loseRequest { return .requestLost }
        if draws[1] < rates.refuse { return .refused }
        if draws[2] < rates.loseAnswer { return .answerLost }
        return .served
    }
}
