import EditWorld
import Testing

/// Some seeds of the small worlds about edits; `scripts/simulate --edits` runs as many as wanted.
@Suite(.serialized) struct EditSimulationTests {
    private static let workshop = EditWorkshop()

    @Test(arguments: (0..<10).map { 1 + 30 * $0 })
    func `every law of an edit holds in thirty worlds`(first: UInt64) async {
        for seed in first..<(first + 30) {
            let outcome = await Self.workshop.outcome(of: EditPlan(seed: seed), isTraced: true)
            #expect(
                outcome.isClean,
                "seed \(seed): \((outcome.problems + outcome.trace).joined(separator: "\n"))")
        }
    }

    /// From `Tests/failed-edit-seeds`: those that have found a fault of syncd.
    @Test(arguments: [23, 924, 18673, 22706, 58334, 104516, 397104])
    func `a seed that once failed holds every law`(seed: UInt64) async {
        let outcome = await Self.workshop.outcome(of: EditPlan(seed: seed), isTraced: true)
        #expect(
            outcome.isClean, "\((outcome.problems + outcome.trace).joined(separator: "\n"))")
    }

    /// A cache that is used again is a new one: whatever ran in it before.
    @Test(arguments: 1...20)
    func `the same seed gives the same run, in a new cache and in one that was used`(
        seed: UInt64
    ) async {
        let plan = EditPlan(seed: seed)
        let first = await EditWorkshop().outcome(of: plan, isTraced: true)
        let second = await Self.workshop.outcome(of: plan, isTraced: true)
        #expect(first == second)
        #expect(first.trace.count > 5)
    }

    @Test func `three hundred seeds draw every declaration`() {
        let drawn = (1...300).map { EditPlan(seed: $0).setting.declaration }
        #expect(Set(drawn.map(\.hasRead)) == [true, false])
        let plain = drawn.map { declaration in
            var declaration = declaration
            declaration.hasRead = false
            return declaration
        }
        #expect(Set(plain) == Set(EditDeclaration.all))
    }
}
