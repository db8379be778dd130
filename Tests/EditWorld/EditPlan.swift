package import SimulatedWorld
import SyncEngine
import TestSupport

/// Everything that happens in a run, drawn from its seed.
package struct EditPlan: Sendable, Hashable, Shrinkable {
    package let seed: UInt64
    package private(set) var setting: EditSetting
    package var steps: [EditStep]

    /// The plan of `seed`; `only` says in which ways its server is unkind, in place of what is drawn.
    package init(seed: UInt64, only: Set<EditUnkindness>? = nil) {
        let random = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ 0xed17_1a35)
        self.seed = seed
        var setting = EditSetting(seed: seed, random)
        var steps = EditDrawing(random: random, setting: setting).steps()
        EditAddition(seed: seed).extend(&setting, &steps)
        EditScene(seed: seed).extend(&setting, &steps)
        EditMarks(seed: seed).extend(&setting)
        setting.take(
            EditUnkindnesses(seed: seed, only: only, for: &setting.declaration))
        (self.setting, self.steps) = (setting, steps)
    }

    package var parts: [PlanPart] {
        steps.flatMap { step in
            [PlanPart(step: step.number, disturbance: nil)]
                + step.disturbances.indices.map { PlanPart(step: step.number, disturbance: $0) }
        } + unkindness.map(part)
    }

    /// The ways in which its server is unkind.
    package var unkindness: [EditUnkindness] {
        EditUnkindness.allCases.filter(setting.unkindness.has)
    }

    /// The part that can be left out alone, as a step can. No step has its number.
    package func part(of one: EditUnkindness) -> PlanPart {
        PlanPart(step: -3, disturbance: EditUnkindness.allCases.firstIndex(of: one))
    }

    package func keeping(_ parts: [PlanPart]) -> EditPlan {
        let kept = Set(parts)
        var plan = self
        for one in EditUnkindness.allCases where !kept.contains(part(of: one)) {
            plan.setting.leave(one)
        }
        plan.steps = steps.compactMap { step in
            guard kept.contains(PlanPart(step: step.number, disturbance: nil)) else { return nil }
            var step = step
            step.disturbances = step.disturbances.indices.compactMap {
                kept.contains(PlanPart(step: step.number, disturbance: $0))
                    ? step.disturbances[$0] : nil
            }
            return step
        }
        return plan
    }
}

/// Draws the steps of a plan.
private struct EditDrawing {
    let random: SeededRandom
    let setting: EditSetting
    /// Some worlds are calm, some are mad.
    private let madness: Int
    private let haste: Int

    init(random: SeededRandom, setting: EditSetting) {
        self.random = random
        self.setting = setting
        madness = [10, 40, 70][random.index(3)]
        haste = [20, 35, 50][random.index(3)]
    }

    func steps() -> [EditStep] {
        (0..<(10 + random.index(16))).map { number in
            let event = event()
            var step = EditStep(number: number, seed: random.next(), event: event)
            if case .cycle = event { step.disturbances = disturbances() }
            return step
        }
    }

    private func event() -> EditEvent {
        switch random.index(100) {
        case 0..<haste: return .cycle(cause)
        case haste..<(haste + 10):
            return .timePasses(
                milliseconds: [900, 6000, 11_000, 21_000, 61_000, 3_601_000][random.index(6)])
        case 60..<72 where setting.hasOthers: return .others(otherAct)
        case 72..<78: return .lateArrival
        default: return .person(personAct)
        }
    }

    private var cause: CycleCause {
        switch random.index(10) {
        case 0: .localWrite
        case 1..<4: .asked(acceptsRemovals: random.happens(50))
        default: .scheduled
        }
    }

    private var personAct: EditPersonAct {
        switch random.index(100) {
        case 0..<12: .insert
        case 12..<50: .edit
        case 50..<62: .editMany
        case 62..<72: .editBack
        case 72..<76: .replace
        case 76..<80: .upsert
        case 80..<90: .delete
        case 90..<95: .drop
        default: .retry
        }
    }

    private var otherAct: EditOtherAct {
        switch random.index(10) {
        case 0..<7: .edit
        case 7: .create
        default: .delete
        }
    }

    private func disturbances() -> [EditDisturbance] {
        var drawn: [EditDisturbance] = []
        while drawn.count < 4, random.happens(madness) {
            let kind = kind()
            let place = kind == .deathAtLook ? random.index(14) : random.index(4)
            drawn.append(EditDisturbance(place: place, kind: kind, seed: random.next()))
        }
        return drawn
    }

    private func kind() -> EditDisturbance.Kind {
        switch random.index(100) {
        case 0..<60:
            // Those after which nobody knows what happened are worth most.
            return .fault(
                random.happens(50)
                    ? [.losesRequest, .losesAnswer, .comesLate][random.index(3)]
                    : EditFault.allCases[random.index(EditFault.allCases.count)])
        case 60..<72: return .person(personAct)
        case 72..<88 where setting.hasOthers: return .others(otherAct)
        case 88..<94: return .death
        default: return .deathAtLook
        }
    }
}
