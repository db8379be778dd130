/// A plan of a run, parts of which can be left out.
package protocol Shrinkable: Sendable {
    /// The parts that can be left out alone.
    var parts: [PlanPart] { get }
    /// The plan with these parts alone; a disturbance goes with its step.
    func keeping(_ parts: [PlanPart]) -> Self
}

/// Finds a short plan that still fails: delta debugging over its steps and their disturbances.
///
/// Source: Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002.
package struct Shrinker: Sendable {
    /// Tries are bounded; what is found by then is short enough to read.
    private let mostTries: Int

    package init(mostTries: Int) { self.mostTries = mostTries }

    /// The shortest plan found for which `fails` holds, as it does for `plan`.
    package func shortest<Plan: Shrinkable>(
        of plan: Plan, fails: (Plan) async -> Bool
    ) async -> Plan {
        var parts = plan.parts
        var tries = 0
        var size = max(1, parts.count / 2)
        while tries < mostTries {
            var start = 0
            var hasShrunk = false
            while start < parts.count, tries < mostTries {
                let rest = parts[..<start] + parts[min(start + size, parts.count)...]
                tries += 1
                if await fails(plan.keeping(Array(rest))) {
                    parts = Array(rest)
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        return plan.keeping(parts)
    }
}
