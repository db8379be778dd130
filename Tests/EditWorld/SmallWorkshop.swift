package import SimulatedWorld

/// What runs small worlds of one kind in one process, one after another.
package protocol SmallWorkshop: Sendable {
    /// Everything that happens in a world, of which parts can be left out.
    associatedtype Plan: Shrinkable
    init()
    /// Runs `plan` in a world of its own.
    func outcome(of plan: Plan, isTraced: Bool) async -> EditOutcome
}
