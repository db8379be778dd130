/// What the tables had otherwise than the model, and how it came to that.
package struct Disagreement: Error, Sendable, CustomStringConvertible {
    /// The run.
    package let seed: UInt64
    /// What was otherwise.
    package let problem: String
    /// Every step of the run, the last one at the end.
    package let steps: [String]

    private static let stepsTold = 14

    /// The seed, the problem and the last steps.
    package var description: String {
        let last = steps.suffix(Self.stepsTold).map { "    \($0)" }
        return (["seed \(seed): \(problem)", "the last steps:"] + last).joined(separator: "\n")
    }
}
