import Daemon
import Declarations
import Host
import Store
import SyncEngine

/// One daemon of the fleet, with the product's own rules: ``Agenda`` says when a cycle begins,
/// ``Spacing`` and ``Backoff`` when the next one is due. Only the cycle itself is left out: it is one
/// request, which the server answers at once or not at all.
struct Member {
    private let plan: FleetPlan
    private let random: any RandomSource
    private var agenda = Agenda([.todos], watchdog: nil)
    private var now: BootTime
    private var due: BootTime
    private var armed: BootTime?
    private var failures = 0
    private var hasReturned = false

    /// A daemon that is due at some moment of the first interval.
    init(_ plan: FleetPlan, random: any RandomSource) {
        self.plan = plan
        self.random = random
        now = BootTime(boot: "fleet", milliseconds: 0)
        let phase = random.number(upTo: plan.interval.wholeMilliseconds)
        due = now.advanced(by: .milliseconds(phase))
    }

    /// Lives until the end of the plan and notes each request in `counts`.
    mutating func live(into counts: inout RequestCounts) {
        carryOut(.started, into: &counts)
        while let moment = armed, moment.milliseconds < plan.end.wholeMilliseconds {
            now = moment
            armed = nil
            carryOut(.woken(.moment), into: &counts)
        }
    }

    private mutating func carryOut(_ first: Agenda.Fact, into counts: inout RequestCounts) {
        var facts = [first]
        while let fact = facts.popLast() {
            for action in agenda.note(fact, at: now) {
                switch action {
                case .findRequests(_, let lists):
                    var found = Agenda.FoundRequests()
                    for list in lists { found.dues[list] = due }
                    facts.append(.foundRequests(found))
                case .findWrites: facts.append(.foundWrites(Self.nothing))
                case .start(let list, _):
                    facts.append(.cycleEnded(list, ask(into: &counts)))
                case .arm(let moment): armed = moment
                case .disarm: armed = nil
                case .finish, .reload, .feedWatchdog, .stopCycles, .cancelCycles, .endNow,
                    .listenToNetwork, .ignoreNetwork, .leave:
                    break
                }
            }
        }
    }

    /// Nobody else writes to this cache.
    private static let nothing = WriteSign(
        mark: WriteMark(version: 0, ownCommits: 0), isWriterActive: false, work: nil)

    /// One request, and what the end of its cycle means.
    private mutating func ask(into counts: inout RequestCounts) -> Agenda.CycleEnd {
        let moment = Duration.milliseconds(now.milliseconds)
        let isFirst = moment >= plan.outage.upperBound && !hasReturned
        counts.note(moment, isFirst: isFirst)
        hasReturned = hasReturned || isFirst
        let wait: Duration
        if plan.outage.contains(moment) {
            failures += 1
            wait = Backoff.standard.delay(
                afterFailures: failures, serverAsks: nil, random: random)
        } else {
            failures = 0
            wait = Spacing(of: plan.interval).wait(random: random)
        }
        due = now.advanced(by: wait)
        return Agenda.CycleEnd(due: due, isFailing: failures > 0, hasProgress: false)
    }
}
