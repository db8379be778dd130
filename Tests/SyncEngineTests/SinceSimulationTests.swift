import EditWorld
import Testing

/// Some seeds of the worlds of a list of which only changes are asked for; `scripts/simulate --since` runs as many as
/// wanted.
@Suite(.serialized) struct SinceSimulationTests {
    private static let workshop = SinceWorkshop()

    @Test(arguments: (0..<10).map { 1 + 5 * $0 })
    func `increments lose nothing, double nothing and keep their mark in five worlds`(
        first: UInt64
    ) async {
        for seed in first..<(first + 5) { await run(seed) }
    }

    /// From `Tests/failed-since-seeds`.
    @Test(arguments: [224, 291, 848, 2788, 3230])
    func `a seed of increments that once failed holds every law`(seed: UInt64) async {
        await run(seed)
    }

    private func run(_ seed: UInt64) async {
        let outcome = await Self.workshop.outcome(of: SincePlan(seed: seed), isTraced: true)
        #expect(
            outcome.isClean,
            "seed \(seed): \((outcome.problems + outcome.trace).joined(separator: "\n"))")
    }

    @Test(arguments: 1...5)
    func `the same seed gives the same run of increments, whatever ran before`(
        seed: UInt64
    ) async {
        let plan = SincePlan(seed: seed)
        let first = await SinceWorkshop().outcome(of: plan, isTraced: true)
        let second = await Self.workshop.outcome(of: plan, isTraced: true)
        #expect(first == second)
        #expect(first.trace.count > 5)
    }
}
