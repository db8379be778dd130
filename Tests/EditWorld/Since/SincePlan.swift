package import SimulatedWorld
import TestSupport

/// How the list is declared, and what its server can do.
package struct SinceSetting: Sendable, Hashable {
    /// What becomes the mark.
    package enum Moment: String, Sendable, Hashable, CaseIterable {
        /// A date of each row, in whole seconds.
        case date
        /// The number of the change, of each row.
        case revision
        /// A text of the server's own in the header.
        case token
    }

    /// In which order pages have their rows.
    package enum Order: String, Sendable, Hashable, CaseIterable {
        case id, newestFirst, oldestFirst
    }

    package var moment: Moment
    package var order: Order
    /// Rows a page; nil: one answer.
    package var size: Int?
    /// Pages tell how many rows there are.
    package var tellsTotal: Bool
    /// Answers to increments have only rows after the mark, and none of the same moment.
    package var isStrict: Bool
    package var hasTombstones: Bool
    package var canRead: Bool
    /// The title says whether an id means another row than before, and ids are given again.
    package var reusesIDs: Bool
}

/// How the server is unkind about increments.
package enum SinceUnkindness: String, Sendable, Hashable, CaseIterable {
    /// Changes of other clients come so many seconds after their moments.
    case lateBy40, lateBy600
    /// The clock is set back an hour.
    case clockJumps
    /// Some rows have no moment.
    case timeless
    /// Some changes leave the moment as it was.
    case unmoved
    /// A row is dated far ahead.
    case farAhead
    /// The mark is ignored; no row is ever shown; the first page comes whatever is asked for.
    case ignoresMark, showsNothing, firstPage
    /// The mark is too old, now and then.
    case forgets
    /// The whole list is empty, once.
    case emptyOnce
    /// A tombstone of a row that is there.
    case falseTombstone

    /// Whether increments can still be taken at their word.
    var keepsMarks: Bool {
        switch self {
        case .lateBy40, .farAhead, .ignoresMark, .forgets, .emptyOnce, .falseTombstone: true
        case .lateBy600, .clockJumps, .timeless, .unmoved, .showsNothing, .firstPage: false
        }
    }
}

/// What happens in one step of a run.
package enum SinceEvent: Sendable, Hashable {
    case program, others, lateArrival
    case timePasses(milliseconds: Int64)
    case cycle
}

/// One step, and the seed of everything that is drawn in it.
package struct SinceStep: Sendable, Hashable {
    package let number: Int
    package let seed: UInt64
    package let event: SinceEvent
    /// Cycles of other steps are kind in a plan that was made shorter.
    package var isUnkind = true
}

/// Everything that happens in a run of a list of which only changes are asked for, drawn from its seed.
package struct SincePlan: Sendable, Hashable, Shrinkable {
    package let seed: UInt64
    package let setting: SinceSetting
    package let unkindness: Set<SinceUnkindness>
    /// The network and the process are unkind in so many of a hundred requests.
    package let madness: Int
    package private(set) var steps: [SinceStep]

    /// The plan of `seed`.
    package init(seed: UInt64) {
        let random = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ 0x51ce_51ce)
        self.seed = seed
        let moment = random.element(of: SinceSetting.Moment.allCases) ?? .date
        let size = random.happens(60) ? 2 + random.index(3) : nil
        setting = SinceSetting(
            moment: moment, order: random.element(of: SinceSetting.Order.allCases) ?? .id,
            size: size, tellsTotal: random.happens(60), isStrict: random.happens(50),
            hasTombstones: random.happens(50), canRead: random.happens(60),
            reusesIDs: random.happens(25))
        var kinds: Set<SinceUnkindness> = []
        if random.happens(60) {
            for _ in 0...random.index(2) {
                if let kind = random.element(of: SinceUnkindness.allCases) { kinds.insert(kind) }
            }
        }
        unkindness = kinds
        madness = [0, 10, 40][random.index(3)]
        let haste = [30, 45, 60][random.index(3)]
        steps = (0..<(12 + random.index(18))).map { number in
            SinceStep(number: number, seed: random.next(), event: Self.event(random, haste))
        }
    }

    private static func event(_ random: SeededRandom, _ haste: Int) -> SinceEvent {
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

    package func keeping(_ parts: [PlanPart]) -> SincePlan {
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
