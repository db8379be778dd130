import SyncEngine
import TestSupport

/// A few steps that follow each other too rarely by chance, for some of the runs in which one row can be read.
/// Drawn by a generator of its own, as ``EditAddition`` is, and for no seed that `Tests/failed-edit-seeds` had then.
struct EditScene {
    private let random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 0x9fb2_1c65_1e98_df25 ^ 0x5cea)
    }

    func extend(_ setting: inout EditSetting, _ steps: inout [EditStep]) {
        guard random.happens(12) else { return }
        setting.declaration.hasRead = true
        let isRead = random.happens(50)
        if !isRead { setting.filteredSize = "11" }
        let events = isRead ? dropDuringRead : readsThatFail
        let place = random.index(steps.count + 1)
        var number = 1 + (steps.map(\.number).max() ?? 0)
        let scene = events.map { event, disturbances in
            defer { number += 1 }
            return EditStep(
                number: number, seed: random.next(), event: event,
                disturbances: disturbances.map { place, kind in
                    EditDisturbance(place: place, kind: kind, seed: random.next())
                })
        }
        steps.insert(contentsOf: scene, at: place)
    }

    private typealias Part = (EditEvent, [(Int, EditDisturbance.Kind)])

    /// An edit is in doubt, and a newer one is dropped while the row is read that decides it.
    private var dropDuringRead: [Part] {
        let fault = [EditFault.losesRequest, .losesRequest, .losesAnswer][random.index(3)]
        return [
            (.person(.editMany), []),
            (.cycle(.asked(acceptsRemovals: false)), (1...3).map { ($0, .fault(fault)) }),
            (.person(.editMany), []), (.timePasses(milliseconds: 21_000), []),
            (.cycle(.localWrite), [(0, .person(.drop))]),
        ]
    }

    /// A filter hides a row with edits, and the server fails when it is asked for the row alone.
    private var readsThatFail: [Part] {
        let fails: [(Int, EditDisturbance.Kind)] = (1...4).map { ($0, .fault(.fails)) }
        let cycle: [Part] = [
            (.timePasses(milliseconds: 61_000), []), (.cycle(.scheduled), fails),
        ]
        return [
            (.person(.editMany), []), (.cycle(.scheduled), []), (.person(.editMany), []),
            (.person(.editMany), []),
        ] + cycle + cycle + cycle
    }
}
