import TestSupport

/// A server that says yes and does nothing, whose answers name no row, or an id alone, and a replica that lists what
/// was there before.
///
/// Drawn apart from everything else, as ``Unkindness`` is, and for no seed that stood in `Tests/failed-seeds` then.
struct Untruths {
    private let random: SeededRandom
    private let rate: Int

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 0xbf58_476d_1ce4_e5b9 ^ Self.salt)
        rate = [0, 0, 20, 50][random.index(4)]
    }

    private static let salt: UInt64 = 0x41f_0db5

    func add(to steps: inout [Step]) {
        guard rate > 0 else { return }
        for index in steps.indices {
            guard case .cycle = steps[index].event else { continue }
            // The list is the first request, or the second one behind a login.
            for place in 0..<2 where random.happens(rate / 2) {
                add(.wrongList(.stale), at: place, to: &steps[index])
            }
            for place in 1..<6 where random.happens(rate) {
                add(answer(), at: place, to: &steps[index])
            }
        }
    }

    private func answer() -> Fault {
        switch random.index(4) {
        case 0: .noContent(applied: false)
        case 1: .noContent(applied: true)
        default: .idOnly
        }
    }

    private func add(_ fault: Fault, at place: Int, to step: inout Step) {
        step.disturbances.append(
            Disturbance(place: place, seed: random.next(), kind: .fault(fault)))
    }
}
