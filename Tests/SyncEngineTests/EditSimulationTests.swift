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
        #expect(Set(drawn.map(\.isFollowed)) == [true, false])
        let plain = drawn.map { declaration in
            var declaration = declaration
            declaration.hasRead = false
            declaration.hasWhile = false
            declaration.marksDeletes = false
            declaration.hasActions = false
            declaration.isFollowed = false
            return declaration
        }
        #expect(Set(plain.filter { $0.fieldCount <= 3 }) == Set(EditDeclaration.all))
    }

    @Test func `three hundred seeds draw every way in which a server is unkind, and none`() {
        let drawn = (1...300).map { Set(EditPlan(seed: $0).unkindness) }
        #expect(drawn.reduce(into: Set()) { $0.formUnion($1) } == Set(EditUnkindness.allCases))
        #expect(drawn.contains([]))
    }

    @Test func `a server is unkind in the ways that are asked for, and in no other`() {
        let ways: Set<EditUnkindness> = [.ignoresUpdate, .listsLag]
        #expect(
            (1...20).map { Set(EditPlan(seed: $0, only: ways).unkindness) }
                == .init(
                    repeating: ways, count: 20))
    }

    @Test func `a plan without one of its parts has a server that is kinder`() {
        let plan = EditPlan(seed: 1, only: [.ignoresUpdate, .listsLag])
        let parts = plan.parts.filter { $0 != plan.part(of: .listsLag) }
        #expect(plan.keeping(parts).unkindness == [.ignoresUpdate])
    }

    /// What came later is drawn apart, so that a kept seed stays what it is.
    @Test(arguments: [23, 924, 17556, 58334, 94319, 114379, 397104])
    func `the server of a kept seed is kind`(seed: UInt64) {
        #expect(EditPlan(seed: seed).unkindness.isEmpty)
    }
}
