import ReferenceAPI
import TestSupport

/// What an honest server never does: lists that are valid and wrong, answers that are a proxy's own,
/// rows that cannot be ours; and what a server does that people have: pages, limits, titles cut off.
///
/// Drawn apart from everything else, so that a seed keeps the world that it had before.
struct Unkindness {
    private let random: SeededRandom
    private let rate: Int

    init(seed: UInt64) {
        random = SeededRandom(seed: seed &* 0xd134_2543_de82_ef95 ^ 0x0dd_ba11)
        rate = [0, 10, 30, 60][random.index(4)]
    }

    /// One way more for the server to be another than a client expects.
    func changed(_ setting: Setting) -> Setting {
        var setting = setting
        guard rate > 0 else { return setting }
        if random.happens(20) { setting.behaviour.deleteAnswer = .confirmation }
        switch random.index(8) {
        case 0:
            let hints: [ReferenceBehaviour.Pages.Hint] = [.link, .total, .range]
            setting.behaviour.pages = ReferenceBehaviour.Pages(
                size: 5 + random.index(20), hint: hints[random.index(3)])
            // An "unchanged" answer does not say which page it is about.
            setting.behaviour.entityTags = false
        case 1:
            setting.behaviour.altersTitles = .cut(characters: 40)
            setting.behaviour.maxTitleCharacters = nil
        case 2:
            setting.behaviour.rateLimit = RateLimit(
                perSecond: 1 + random.index(8), retryAfter: random.happens(30) ? 1 : nil)
        case 3: setting.behaviour.doubledRow = .equal
        default: break
        }
        return setting
    }

    func add(to steps: inout [Step]) {
        guard rate > 0 else { return }
        addFirewall(to: &steps)
        for index in steps.indices {
            guard case .cycle = steps[index].event else { continue }
            // The list is the first request, or the second one behind a login.
            for place in 0..<2 where random.happens(rate) {
                steps[index].disturbances.append(disturbance(listFault(), at: place))
            }
            for place in 1..<6 where random.happens(rate / 4) {
                let fault = Fault.notThere(random.happens(50) ? 404 : 410)
                steps[index].disturbances.append(disturbance(fault, at: place))
            }
        }
    }

    /// For a while somebody in between refuses every change.
    private func addFirewall(to steps: inout [Step]) {
        guard random.happens(15) else { return }
        let first = random.index(steps.count)
        let status = [403, 403, 404, 405][random.index(4)]
        for index in first..<min(steps.count, first + 1 + random.index(8)) {
            steps[index].firewall = status
        }
    }

    private func disturbance(_ fault: Fault, at place: Int) -> Disturbance {
        Disturbance(place: place, seed: random.next(), kind: .fault(fault))
    }

    private func listFault() -> Fault {
        switch random.index(10) {
        case 0..<3: .wrongList(.empty)
        case 3..<6: .wrongList(.cut)
        case 6..<8: .wrongList(.stale)
        case 8: .untitledRow
        default: .differingRows
        }
    }
}
