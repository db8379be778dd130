import EditWorld
import Testing

/// Some seeds of the worlds of two lists; `scripts/simulate --related` runs as many as wanted.
@Suite(.serialized) struct RelatedSimulationTests {
    private static let workshop = RelatedWorkshop()

    @Test(arguments: (0..<10).map { 1 + 5 * $0 })
    func `rows that refer to rows are neither lost nor misfiled in five worlds`(
        first: UInt64
    ) async {
        for seed in first..<(first + 5) { await run(seed) }
    }

    /// From `Tests/failed-related-seeds`.
    @Test(arguments: [28, 2057, 4314])
    func `a seed of references that once failed holds every law`(seed: UInt64) async {
        await run(seed)
    }

    private func run(_ seed: UInt64) async {
        let outcome = await Self.workshop.outcome(of: RelatedPlan(seed: seed), isTraced: true)
        #expect(
            outcome.isClean,
            "seed \(seed): \((outcome.problems + outcome.trace).joined(separator: "\n"))")
    }

    @Test(arguments: 1...5)
    func `the same seed gives the same run of two lists, whatever ran before`(
        seed: UInt64
    ) async {
        let plan = RelatedPlan(seed: seed)
        let first = await RelatedWorkshop().outcome(of: plan, isTraced: true)
        let second = await Self.workshop.outcome(of: plan, isTraced: true)
        #expect(first == second)
        #expect(first.trace.count > 5)
    }
}
