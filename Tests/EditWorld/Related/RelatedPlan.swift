package import ReferenceAPI
package import SimulatedWorld
import TestSupport

/// How the two lists are declared.
package struct RelatedDeclaration: Sendable, Hashable {
    /// A task needs a project.
    package var isRequired: Bool
    /// Updates send whole rows, with what they refer to.
    package var isWhole: Bool
    /// Titles say whether an id means another row than before.
    package var hasIdentity: Bool
}

/// What happens in one step of a run.
package enum RelatedEvent: Sendable, Hashable {
    case program, others, decision, lateArrival
    case timePasses(milliseconds: Int64)
    /// Of the projects, or of the tasks.
    case cycle(ofTasks: Bool)
}

/// One step, and the seed of everything that is drawn in it.
package struct RelatedStep: Sendable, Hashable {
    package let number: Int
    package let seed: UInt64
    package let event: RelatedEvent
    /// Cycles of other steps are kind in a plan that was made shorter.
    package var isUnkind = true
}

/// Everything that happens in a run of projects and tasks that refer to one another, drawn from its seed.
package struct RelatedPlan: Sendable, Hashable, Shrinkable {
    package let seed: UInt64
    package let declaration: RelatedDeclaration
    /// What becomes of tasks whose project is deleted at the server.
    package let rule: ReferenceList.Parent.Rule
    /// Ids of deleted rows are given again.
    package let reusesIDs: Bool
    /// How many requests at once.
    package let lanes: Int
    /// The network and the process are unkind in so many of a hundred requests.
    package let madness: Int
    package private(set) var steps: [RelatedStep]

    /// The plan of `seed`.
    package init(seed: UInt64) {
        let random = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ 0x7e1a_7ed0)
        self.seed = seed
        rule = random.element(of: ReferenceList.Parent.Rule.allCases) ?? .restricts
        declaration = RelatedDeclaration(
            // No server lets go what its rows need.
            isRequired: rule != .lets && random.happens(30), isWhole: random.happens(30),
            hasIdentity: random.happens(30))
        reusesIDs = declaration.hasIdentity && random.happens(60)
        lanes = random.happens(50) ? 4 : 1
        madness = [5, 35, 60][random.index(3)]
        let haste = [20, 30, 45][random.index(3)]
        steps = (0..<(10 + random.index(14))).map { number in
            RelatedStep(number: number, seed: random.next(), event: Self.event(random, haste))
        }
    }

    private static func event(_ random: SeededRandom, _ haste: Int) -> RelatedEvent {
        switch random.index(100) {
        case 0..<haste: .cycle(ofTasks: random.happens(55))
        case haste..<(haste + 8): .others
        case 60..<68:
            .timePasses(milliseconds: [900, 6000, 21_000, 61_000, 601_000][random.index(5)])
        case 68..<74: .decision
        case 74..<78: .lateArrival
        default: .program
        }
    }

    package var parts: [PlanPart] {
        steps.flatMap { step in
            [PlanPart(step: step.number, disturbance: nil)]
                + (step.isUnkind ? [PlanPart(step: step.number, disturbance: 0)] : [])
        }
    }

    package func keeping(_ parts: [PlanPart]) -> RelatedPlan {
        let kept = Set(parts)
        var plan = self
        plan.steps = steps.compactMap { step in
            guard kept.contains(PlanPart(step: step.number, disturbance: nil)) else { return nil }
            var step = step
            step.isUnkind = kept.contains(PlanPart(step: step.number, disturbance: 0))
            return step
        }
        return plan
    }
}
