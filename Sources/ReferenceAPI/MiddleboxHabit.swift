/// How often a middlebox has a fault, and how long it then lasts.
public struct MiddleboxHabit: Sendable, Hashable {
    /// How long a fault lasts once it began.
    public enum Span: Sendable, Hashable {
        /// For so many requests that it concerns, the first one among them.
        case requests(Int)
        /// For so many seconds.
        case seconds(Int64)
        /// From then on.
        case forGood
    }

    /// What happens.
    public var fault: MiddleboxFault
    /// The share of requests, of those that the fault concerns, with which it begins; 0 to 1.
    public var rate: Double
    /// For how long.
    public var span: Span

    /// A habit of its parts.
    public init(_ fault: MiddleboxFault, rate: Double, span: Span) {
        self.fault = fault
        self.rate = rate
        self.span = span
    }
}
