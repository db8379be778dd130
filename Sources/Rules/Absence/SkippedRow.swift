/// A row of a pulled body that cannot be taken, named by its place.
public struct SkippedRow: Sendable, Hashable, CustomStringConvertible {
    /// `[3].id` or `results[3].title`.
    public let place: String
    /// What was expected there and what was found.
    public let problem: String

    /// A row at `place` with its problem.
    public init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }

    /// `results[3].id: expected an integer, found null`.
    public var description: String { "\(place): \(problem)" }
}
