import SyncEngine
import TestSupport

/// What runs have got after seeds of them were kept: reads of one row, a person who ends doubts and conflicts, and
/// a machine that starts anew. It is drawn by a generator of its own, and not for most seeds, so that these stay
/// what they are. Nor for those in `Tests/failed-edit-seeds`, for which the number below was chosen.
struct EditAddition {
    private let random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 0x2545_f491_4f6c_dd1d ^ 0x080a)
    }

    func extend(_ setting: inout EditSetting, _ steps: inout [EditStep]) {
        let (reads, ends, reboots) = (random.happens(25), random.happens(20), random.happens(20))
        let hasFilter = random.happens(6)
        if reads { addReads(&setting, &steps) }
        if hasFilter { setting.filteredSize = "11" }
        if ends { addEndings(&steps) }
        setting.hasReboots = reboots
        if reboots { insert(.reboot, into: &steps, at: random.index(steps.count + 1)) }
    }

    private func addReads(_ setting: inout EditSetting, _ steps: inout [EditStep]) {
        setting.declaration.hasRead = true
        let lacksRows = random.happens(30)
        if !lacksRows, random.happens(50) { setting.filteredSize = "11" }
        for index in steps.indices {
            guard case .cycle = steps[index].event else { continue }
            if random.happens(50) { steps[index].event = .cycle(.localWrite) }
            if random.happens(30) {
                // While a read is under way, which is of rows with edits alone.
                steps[index].disturbances.append(
                    EditDisturbance(
                        place: random.index(2), kind: .person(.drop), seed: random.next()))
            }
        }
        // Once: a list that is wrong twice is believed.
        let cycles = steps.indices.filter {
            if case .cycle = steps[$0].event { true } else { false }
        }
        guard lacksRows, let index = random.element(of: cycles) else { return }
        steps[index].disturbances.append(
            EditDisturbance(place: 0, kind: .lacksRow, seed: random.next()))
    }

    private func addEndings(_ steps: inout [EditStep]) {
        // Soon after what may leave a doubt: the next lists decide it.
        for index in steps.indices.reversed() where !steps[index].disturbances.isEmpty {
            guard random.happens(50) else { continue }
            let place = min(index + 1 + random.index(3), steps.count)
            insert(.person(.endDoubt), into: &steps, at: place)
        }
        for _ in 0..<(1 + random.index(3)) {
            insert(.person(.endConflict), into: &steps, at: random.index(steps.count + 1))
        }
    }

    private func insert(_ event: EditEvent, into steps: inout [EditStep], at place: Int) {
        let number = 1 + (steps.map(\.number).max() ?? 0)
        steps.insert(EditStep(number: number, seed: random.next(), event: event), at: place)
    }
}
