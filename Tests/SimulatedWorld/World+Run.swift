import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport

extension World {
    /// Runs the plan up to the first broken law, then heals the world and compares.
    package func run() async {
        note("seed \(plan.seed): \(plan.setting)")
        for step in plan.steps {
            await perform(step)
            if !problems.isEmpty { return }
        }
        await heal()
        if problems.isEmpty { checkEnd() }
    }

    private func perform(_ step: Step) async {
        switch step.event {
        case .script(let device, let write):
            devices[device].script(
                write, step.seed, name: "\(step.number)", full: step.disturbances)
        case .otherClient(let act): otherClient(act, seed: step.seed)
        case .timePasses(let milliseconds):
            clock.advance(by: milliseconds)
            note("\(milliseconds) ms pass")
        case .clockStep(let device, let seconds):
            devices[device].clock.stepWall(bySeconds: seconds)
            note("device \(device)'s clock is set by \(seconds) s")
        case .reboot(let device): devices[device].reboot()
        case .amnesia: amnesia()
        case .password(let isChanged):
            isLockedOut = isChanged
            note("the password is \(isChanged ? "changed" : "the old one again")")
        case .moviesChange: changeMovies()
        case .cycle(let device, let cause):
            await devices[device].cycle(step, cause.forEngine)
            // Half of the time the next cycle is the one that is due.
            if step.seed % 2 == 0 { devices[device].waitUntilDue() }
        case .moviesCycle(let device): await devices[device].moviesCycle(step)
        }
    }

    /// No fault any more: every device comes when it is due, until nothing waits.
    private func heal() async {
        isLockedOut = false
        note("healing begins")
        await drain(retrying: false)
        guard problems.isEmpty else { return }
        // What was refused must not have held anything else back; now it may go again.
        for device in devices { device.retryAll() }
        await drain(retrying: true)
        guard problems.isEmpty else { return }
        // So that each cache shows what the others' last requests made. A pull that was held can be taken for
        // a cut one, and be held again once its list is longer.
        for round in 0..<6 {
            clock.advance(by: Setting.intervalMilliseconds + 1)
            var areAllTaken = true
            for device in devices {
                // Nobody asks in the same moment as another one.
                clock.advance(by: 1100)
                let state = await device.cycle(
                    Step(number: -1, seed: plan.seed &+ UInt64(round), event: .amnesia), .scheduled)
                areAllTaken = areAllTaken && state == .ok
            }
            if areAllTaken, round > 0, !devices.contains(where: \.remembers) { break }
        }
        guard plan.setting.movies > 0 else { return }
        for _ in 0..<5 {
            for device in devices {
                await device.moviesCycle(Step(number: -1, seed: plan.seed, event: .amnesia))
            }
            clock.advance(by: Setting.moviesIntervalMilliseconds + 1)
        }
    }

    /// P10: after connectivity returns the queue is empty within the longest backoff or wait that
    /// the server asked for, the minute of a doubt, and a second list that agrees with a first one; requests take no time here. A held pull costs an
    /// interval more.
    private func drain(retrying: Bool) async {
        var limit =
            clock.now + Setting.memoryMilliseconds + Setting.intervalMilliseconds
            + Setting.confirmationMilliseconds + longestWait
        if !devices.contains(where: \.hasWork) { return }
        var heldBefore = Set<Int>()
        for round in 0..<400 {
            let waiting = devices.filter(\.hasWork)
            guard let next = waiting.min(by: { $0.dueAt < $1.dueAt }) else { return }
            clock.advance(by: next.dueAt - clock.now)
            guard clock.now <= limit else {
                // Beyond the end of a page nothing is decided.
                guard plan.setting.behaviour.pages == nil else { return }
                return blame("P10: \(next.queueText) still waits \(limit) ms after the start")
            }
            await next.acceptDeletes()
            let state = await next.cycle(
                Step(number: -1, seed: plan.seed &+ UInt64(round) &* 31, event: .amnesia),
                .scheduled)
            if state == .held, heldBefore.insert(next.number).inserted {
                limit += 2 * Setting.intervalMilliseconds
            }
            guard problems.isEmpty else { return }
        }
        if plan.setting.behaviour.pages == nil { blame("P10: 400 cycles were not enough") }
    }

    private var longestWait: Int64 {
        var longest: Int64 = 900_000
        for step in plan.steps {
            for case .fault(.status(_, _, let wait?)) in step.disturbances.map(\.kind) {
                longest = max(longest, Int64(wait) * 1000)
            }
        }
        return longest
    }
}

extension Cause {
    fileprivate var forEngine: CycleCause {
        switch self {
        case .due: .scheduled
        case .localWrite: .localWrite
        case .asked: .asked(acceptsRemovals: false)
        case .askedAcceptingRemovals: .asked(acceptsRemovals: true)
        }
    }
}
