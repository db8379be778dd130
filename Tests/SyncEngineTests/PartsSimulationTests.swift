import EditWorld
import Testing

/// Some seeds of the worlds of a list below the rows of another one; `scripts/simulate --parts` runs as many as
/// wanted.
@Suite(.serialized) struct PartsSimulationTests {
    private static let workshop = PartsWorkshop()

    @Test(arguments: (0..<10).map { 1 + 5 * $0 })
    func `lists below rows lose nothing and double nothing in five worlds`(
        first: UInt64
    ) async {
        for seed in first..<(first + 5) { await run(seed) }
    }

    /// From `Tests/failed-parts-seeds`.
    @Test(arguments: [19, 21, 34, 139, 143, 192, 259, 310])
    func `a seed of lists below rows that once failed holds every law`(seed: UInt64) async {
        await run(seed)
    }

    private func run(_ seed: UInt64) async {
        let outcome = await Self.workshop.outcome(of: PartsPlan(seed: seed), isTraced: true)
        #expect(
            outcome.isClean,
            "seed \(seed): \((outcome.problems + outcome.trace).joined(separator: "\n"))")
    }

    @Test(arguments: 1...5)
    func `the same seed gives the same run of lists below rows, whatever ran before`(
        seed: UInt64
    ) async {
        let plan = PartsPlan(seed: seed)
        let first = await PartsWorkshop().outcome(of: plan, isTraced: true)
        let second = await Self.workshop.outcome(of: plan, isTraced: true)
        #expect(first == second)
        #expect(first.trace.count > 5)
    }
}
