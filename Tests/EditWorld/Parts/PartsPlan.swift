package import SimulatedWorld
import TestSupport

/// How the list below rows is declared, and what its server can do.
package struct PartsSetting: Sendable, Hashable {
    /// A column of the row above asks for its part.
    package var isWatched: Bool
    /// A cycle reads so many parts.
    package var most: Int
    package var canRead: Bool
    /// Rows a page; nil: one answer.
    package var size: Int?
}

/// How the server is unkind about parts.
package enum PartsUnkindness: String, Sendable, Hashable, CaseIterable {
    /// A part is answered so, though its row is there.
    case missing, forbidden, broken
    /// The same, and as the server answers when it is away.
    case away
    /// A part is empty, once; the list above is, once.
    case emptyPart, emptyAbove
    /// Some changes below a row do not show in it.
    case silent
    /// A row that has moved is shown at its old place, too, for a while.
    case slowMoves
    /// A row below shows in its part only after a while.
    case slowCreates
}

/// What happens in one step of a run.
package enum PartsEvent: Sendable, Hashable {
    case program, others, lateArrival
    case timePasses(milliseconds: Int64)
    /// Of both lists, or of one of them alone.
    case cycle
}

/// One step, and the seed of everything that is drawn in it.
package struct PartsStep: Sendable, Hashable {
    package let number: Int
    package let seed: UInt64
    package let event: PartsEvent
    /// Cycles of other steps are kind in a plan that was made shorter.
    package var isUnkind = true
}

/// Everything that happens in a run of a list below rows, drawn from its seed.
package struct PartsPlan: Sendable, Hashable, Shrinkable {
    package let seed: UInt64
    package let setting: PartsSetting
    package let unkindness: Set<PartsUnkindness>
    /// The network and the process are unkind in so many of a hundred requests.
    package let madness: Int
    package private(set) var steps: [PartsStep]

    /// The plan of `seed`.
    package init(seed: UInt64) {
        let random = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ 0x9a27_9a27)
        self.seed = seed
        setting = PartsSetting(
            isWatched: random.happens(50), most: [2, 3, 100][random.index(3)],
            canRead: random.happens(40), size: random.happens(30) ? 2 : nil)
        var kinds: Set<PartsUnkindness> = []
        if random.happens(60) {
            for _ in 0...random.index(2) {
                if let kind = random.element(of: Self.firstKinds) { kinds.insert(kind) }
            }
        }
        // What was added later is drawn apart, so that seeds stay the runs that they were.
        let later = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ 0x4a7e_4a7e)
        if later.happens(20) { kinds.insert(.away) }
        unkindness = kinds
        madness = [0, 10, 40][random.index(3)]
        let haste = [30, 45, 60][random.index(3)]
        steps = (0..<(12 + random.index(18))).map { number in
            PartsStep(number: number, seed: random.next(), event: Self.event(random, haste))
        }
    }

    private static let firstKinds = PartsUnkindness.allCases.filter { $0 != .away }

    private static func event(_ random: SeededRandom, _ haste: Int) -> PartsEvent {
        switch random.index(100) {
        case 0..<haste: .cycle
        case haste..<(haste + 6):
            .timePasses(milliseconds: [900, 6000, 61_000, 301_000, 3_601_000][random.index(5)])
        case 66..<70: .lateArrival
        case 70..<85: .others
        default: .program
        }
    }

    package var parts: [PlanPart] {
        steps.flatMap { step in
            [PlanPart(step: step.number, disturbance: nil)]
                + (step.isUnkind ? [PlanPart(step: step.number, disturbance: 0)] : [])
        }
    }

    package func keeping(_ parts: [PlanPart]) -> PartsPlan {
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
