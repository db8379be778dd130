import Declarations
import TestSupport

/// Draws the steps of a plan.
struct PlanDrawing {
    let random: SeededRandom
    let setting: Setting
    /// Some worlds are calm, some are mad.
    private let madness: Int
    private let forgets: Bool
    private let addsEqual: Bool

    init(random: SeededRandom, setting: Setting) {
        self.random = random
        self.setting = setting
        madness = [5, 20, 45, 70][random.index(4)]
        forgets = random.happens(20)
        addsEqual = random.happens(60)
    }

    /// Most worlds begin with a cycle of each device, so that there is something to remove.
    mutating func steps() -> [Step] {
        let first = random.happens(70) ? setting.devices : 0
        return (0..<first).map {
            Step(number: $0, seed: random.next(), event: .cycle(device: $0, .due))
        } + (0..<(8 + random.index(24))).map { step(first + $0) }
    }

    private mutating func step(_ number: Int) -> Step {
        let event = event()
        var step = Step(number: number, seed: random.next(), event: event)
        switch event {
        case .cycle, .moviesCycle: step.disturbances = disturbances()
        case .script where random.happens(3):
            step.disturbances = [disturbance(.fullDisk(random.index(4), writes: 1))]
        case .script, .otherClient, .timePasses, .clockStep, .reboot, .amnesia, .password,
            .moviesChange:
            break
        }
        return step
    }

    private var device: Int { random.index(setting.devices) }

    private func event() -> Event {
        switch random.index(100) {
        case 0..<42: return .script(device: device, scriptWrite())
        case 42..<52: return .otherClient(otherAct())
        case 52..<56: return .timePasses(milliseconds: random.number(upTo: 90_000))
        case 56:
            return .clockStep(
                device: device, seconds: [-315_360_000, 315_360_000, 3600][random.index(3)])
        case 57: return .reboot(device: device)
        case 58 where forgets, 59 where forgets: return .amnesia
        case 60: return .password(isChanged: true)
        case 61..<64: return .password(isChanged: false)
        case 64: return .timePasses(milliseconds: 6 * 3_600_000)
        case 65..<70 where setting.movies > 0:
            return random.happens(40) ? .moviesChange : .moviesCycle(device: device)
        default:
            let cause: [Cause] = [
                .due, .due, .due, .localWrite, .localWrite, .asked, .askedAcceptingRemovals,
            ]
            return .cycle(device: device, cause[random.index(random.happens(30) ? 7 : 6)])
        }
    }

    private func scriptWrite() -> ScriptWrite {
        switch random.index(10) {
        case 0..<3: .addFresh
        case 3..<5: addsEqual ? .addEqual : .addFresh
        case 5..<9: .remove
        default: .mend
        }
    }

    private func otherAct() -> OtherAct {
        switch random.index(20) {
        case 0..<8: .addFresh
        case 8..<12: addsEqual ? .addEqual : .addFresh
        case 12..<19: .remove
        default: .removeMost
        }
    }

    private func disturbance(_ kind: Disturbance.Kind, at place: Int = 0) -> Disturbance {
        Disturbance(place: place, seed: random.next(), kind: kind)
    }

    private func disturbances() -> [Disturbance] {
        var drawn: [Disturbance] = []
        for request in 0..<8 where random.happens(madness) {
            drawn.append(disturbance(.fault(fault()), at: request))
        }
        for moment in 0..<10 where random.happens(madness / 5) {
            drawn.append(disturbance(meanwhile(), at: moment))
        }
        if random.happens(madness / 4) {
            // Most commits of a cycle are a few writes; a pull can be more.
            let write = random.index([4, 12, 40, 120][random.index(4)])
            drawn.append(
                disturbance(
                    random.happens(70)
                        ? .deathAtWrite(write)
                        : .fullDisk(write, writes: 1 + random.index(20))))
        }
        return drawn
    }

    private func meanwhile() -> Disturbance.Kind {
        switch random.index(20) {
        case 0..<9: return .script(scriptWrite())
        case 9..<14: return .otherClient(otherAct())
        case 14..<16 where setting.devices > 1: return .cycleOf(device: device)
        default: return .death
        }
    }

    private func fault() -> Fault {
        switch random.index(100) {
        case 0..<6: return .cannotConnect
        case 6..<20: return .loseRequest
        case 20..<44: return .loseAnswer(waits: random.happens(50))
        case 44..<54: return .applyLate
        case 54..<57: return .delay(milliseconds: random.number(upTo: 12_000))
        case 57..<60: return .duplicate
        case 60..<82: return status()
        case 82..<86: return .html(applied: random.happens(50))
        case 86..<90: return .truncate
        case 90..<93: return .noContent(applied: random.happens(50))
        case 93..<96: return .spoiledRow
        case 96..<98: return .doubledRow
        default: return .suspend
        }
    }

    private func status() -> Fault {
        let codes = [
            100, 201, 300, 301, 302, 304, 307, 308, 400, 401, 401, 402, 403, 404, 405, 407, 408,
            409, 410, 411, 413, 415, 418, 421, 422, 423, 425, 429, 429, 429, 451, 500, 500, 501,
            502, 503, 503, 503, 504, 507, 599, 600, 999,
        ]
        let wait = random.happens(30) ? [0, 1, 7, 30, 3600][random.index(5)] : nil
        return .status(
            codes[random.index(codes.count)], applied: random.happens(40), retryAfter: wait)
    }
}
