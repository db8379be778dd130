/// How often a server says something else than what it did.
public struct UntruthHabit: Sendable, Hashable {
    /// What it says.
    public var untruth: Untruth
    /// The share of the requests that it can happen to; 0 to 1.
    public var rate: Double
    /// For how long a list lags or is kept, and how much later a write is done.
    public var seconds: Int64

    /// A habit of its parts.
    public init(_ untruth: Untruth, rate: Double, seconds: Int64 = 20) {
        self.untruth = untruth
        self.rate = rate
        self.seconds = seconds
    }
}
