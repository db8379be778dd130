import TestSupport

/// Everything that happens in a run, drawn from its seed.
package struct Plan: Sendable, Hashable, Shrinkable {
    package let seed: UInt64
    package let setting: Setting
    package var steps: [Step]

    /// The plan of `seed`: one range of seeds covers all kinds of worlds.
    package init(seed: UInt64) {
        let random = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 ^ 0x5ca1_ab1e)
        self.seed = seed
        let setting = Setting(random)
        var drawing = PlanDrawing(random: random, setting: setting)
        steps = drawing.steps()
        let unkindness = Unkindness(seed: seed)
        self.setting = unkindness.changed(setting).withList(of: seed)
        unkindness.add(to: &steps)
        Untruths(seed: seed).add(to: &steps)
    }

    /// The parts that can be left out alone.
    package var parts: [PlanPart] {
        steps.flatMap { step in
            [PlanPart(step: step.number, disturbance: nil)]
                + step.disturbances.indices.map { PlanPart(step: step.number, disturbance: $0) }
        }
    }

    /// The plan with these parts alone; a disturbance goes with its step.
    package func keeping(_ parts: [PlanPart]) -> Plan {
        let kept = Set(parts)
        var plan = self
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

/// A step, or one disturbance of a step.
package struct PlanPart: Sendable, Hashable {
    package let step: Int
    package let disturbance: Int?

    /// The step of this number, or its disturbance at this index.
    package init(step: Int, disturbance: Int?) {
        self.step = step
        self.disturbance = disturbance
    }
}
