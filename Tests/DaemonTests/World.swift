import Daemon
import Declarations
import Host
import Store
import SyncEngine
import Testing

/// What surrounds an agenda, as a value: keeps account of what is under way, and holds each action
/// against the laws.
struct World {
    static let boot = "this boot"

    /// A cycle under way, with the batches that had been told when it began.
    struct Cycle: Hashable {
        var cause: CycleCause
        var seesBatches: Int64
    }

    /// Something that can happen next.
    enum Step: Hashable {
        case wake(Wake)
        /// The armed moment comes.
        case timer
        case lookEnds(requests: Bool)
        case lookFails
        case cycleEnds(ListName, isFailing: Bool, isDueAtOnce: Bool)
        case cycleFails(ListName)
        case finishEnds
        case finishFails
        case sightEnds(Sight)
        case sightFails
        case reloadEnds([ListName])
        case reloadFails
        /// The cache is gone, as the look, a cycle or an answer finds out.
        case lookBreaks
        case cycleBreaks(ListName)
        case finishBreaks
        case sightBreaks
    }

    /// What happened, and what the agenda did about it: put into words only for a failure.
    enum Trace: CustomStringConvertible {
        case step(Step)
        case action(Agenda.Action)

        var description: String {
            switch self {
            case .step(let step): "\(step)"
            case .action(let action): "  → \(action)"
            }
        }
    }

    private(set) var agenda: Agenda
    private(set) var now = BootTime(boot: boot, milliseconds: 1_000_000)
    private(set) var armed: BootTime?
    private(set) var cycles: [ListName: Cycle] = [:]
    private(set) var looking: (again: Bool, at: [ListName])?
    private(set) var finishing: TakenRequests?
    private(set) var seeing: WriteQuestion?
    private(set) var isReloading = false
    private(set) var isListening = false
    private(set) var lists: [ListName]
    private(set) var stopped: BootTime?
    private(set) var isCancelled = false
    private(set) var isBroken = false
    private(set) var hasLeft = false
    /// What others have committed, and whether a todo of theirs is not known to be in a replay.
    private var version: Int64 = 0
    private(set) var unsent = false
    /// The number of the last batch that was told, and the open ones: which lists they wait for.
    private(set) var lastBatch: Int64 = 0
    private(set) var open: [Int64: Set<ListName>] = [:]
    private(set) var started: [ListName: Int] = [:]
    private(set) var trail: [Trace] = []
    private(set) var broken: [String] = []

    init(_ lists: [ListName] = [.movies, .todos], watchdog: Duration? = nil) {
        self.lists = lists
        agenda = Agenda(lists, watchdog: watchdog)
        tell(.started)
    }

    /// What can happen now; without `faults`, only what brings things to an end.
    func steps(faults: Bool) -> [Step] {
        var steps: [Step] = []
        if looking != nil {
            steps.append(.lookEnds(requests: false))
            if faults { steps += [.lookEnds(requests: true), .lookFails, .lookBreaks] }
        }
        for list in cycles.keys.sorted(by: { $0.text < $1.text }) {
            steps.append(.cycleEnds(list, isFailing: false, isDueAtOnce: false))
            guard faults else { continue }
            steps += [
                .cycleEnds(list, isFailing: true, isDueAtOnce: false),
                .cycleEnds(list, isFailing: false, isDueAtOnce: true), .cycleFails(list),
                .cycleBreaks(list),
            ]
        }
        if finishing != nil {
            steps += faults ? [.finishEnds, .finishFails, .finishBreaks] : [.finishEnds]
        }
        if seeing != nil {
            steps.append(.sightEnds(.nobodyWriting))
            if faults {
                steps += Sight.allCases.map { .sightEnds($0) } + [.sightFails, .sightBreaks]
            }
        }
        if isReloading {
            steps.append(.reloadEnds(lists))
            if faults { steps += [.reloadEnds([.todos]), .reloadFails] }
        }
        guard faults else { return steps }
        if armed != nil { steps.append(.timer) }
        return steps + Wake.allCases.map { .wake($0) }
    }

    mutating func take(_ step: Step) {
        trail.append(.step(step))
        switch step {
        case .wake(let wake):
            if wake == .stop, stopped == nil { stopped = now }
            tell(.woken(wake))
        case .timer:
            if let armed { now = armed.milliseconds > now.milliseconds ? armed : now }
            armed = nil
            tell(.woken(.moment))
        case .lookEnds(let hasRequests): endLook(hasRequests: hasRequests)
        case .lookFails:
            looking = nil
            tell(.findRequestsFailed)
        case .cycleEnds(let list, let isFailing, let isDueAtOnce):
            endCycle(list, isFailing: isFailing, isDueAtOnce: isDueAtOnce)
        case .cycleFails(let list):
            failCycle(list)
            tell(.cycleFailed(list))
        case .finishEnds:
            finishing = nil
            tell(.finished)
        case .finishFails:
            finishing = nil
            tell(.finishFailed)
        case .reloadEnds(let new):
            isReloading = false
            lists = new
            for batch in open.keys {
                open[batch] = open[batch]?.filter {
                    new.contains($0) || cycles[$0].map { $0.seesBatches >= batch } ?? false
                }
            }
            tell(.reloaded(new))
        case .reloadFails:
            isReloading = false
            tell(.reloadRefused)
        case .lookBreaks:
            looking = nil
            breakDown(ending: .findRequestsFailed)
        case .cycleBreaks(let list):
            failCycle(list)
            breakDown(ending: .cycleFailed(list))
        case .finishBreaks:
            finishing = nil
            breakDown(ending: .finishFailed)
        case .sightEnds(let sight):
            guard let question = seeing else { return }
            seeing = nil
            if sight.isCommit { version += 1 }
            if sight.hasTodo { unsent = true }
            tell(.foundWrites(sight.sign(for: question, version: version, unsent: unsent)))
        case .sightFails:
            seeing = nil
            tell(.findWritesFailed)
        case .sightBreaks:
            seeing = nil
            breakDown(ending: .findWritesFailed)
        }
    }

    private mutating func failCycle(_ list: ListName) {
        cycles[list] = nil
        guard !lists.contains(list) else { return }
        // Left out by a reload meanwhile: nobody tries it again.
        for batch in open.keys { open[batch]?.remove(list) }
    }

    private mutating func breakDown(ending: Agenda.Fact) {
        isBroken = true
        stopped = stopped ?? now
        tell(.broke)
        tell(ending)
    }

    private mutating func endLook(hasRequests: Bool) {
        guard let asked = looking else { return }
        looking = nil
        var look = Agenda.FoundRequests()
        for list in asked.at {
            look.dues[list] = now
            look.states[list] = .ok
        }
        if hasRequests {
            lastBatch += 1
            look.requests = TakenRequests(
                lists: Set(ListName.both), acceptingRemovals: [], last: lastBatch)
            open[lastBatch] = Set(lists)
        }
        tell(.foundRequests(look))
    }

    private mutating func endCycle(_ list: ListName, isFailing: Bool, isDueAtOnce: Bool) {
        guard let cycle = cycles.removeValue(forKey: list) else { return }
        for batch in open.keys where batch <= cycle.seesBatches {
            open[batch]?.remove(list)
        }
        let due = isDueAtOnce ? now : now.advanced(by: .seconds(60))
        tell(
            .cycleEnded(
                list, .init(due: due, isFailing: isFailing, hasProgress: false)))
    }

    private mutating func tell(_ fact: Agenda.Fact) {
        for action in agenda.note(fact, at: now) { check(action) }
        if let armed, armed.milliseconds <= now.milliseconds, !hasLeft {
            broken.append("armed for a moment that has passed")
        }
        if let stopped, !hasLeft {
            if now.elapsed(since: stopped) >= .milliseconds(4500) {
                broken.append("still there 4.5 s after the stop")
            }
            if armed == nil { broken.append("stopping without a limit") }
        }
    }

    private mutating func check(_ action: Agenda.Action) {
        trail.append(.action(action))
        if hasLeft { broken.append("\(action) after leaving") }
        switch action {
        case .findRequests(let again, let unknown):
            expect(looking == nil && stopped == nil, action)
            looking = (again, unknown)
        case .start(let list, let cause):
            expect(cycles[list] == nil && stopped == nil, action)
            expect(lists.contains(list), action)
            cycles[list] = Cycle(cause: cause, seesBatches: lastBatch)
            if list == .todos { unsent = false }
            started[list, default: 0] += 1
        case .finish(let requests):
            expect(finishing == nil && !isBroken, action)
            expect(open[requests.last, default: []].isEmpty, action)
            finishing = requests
            open = open.filter { $0.key > requests.last }
        case .findWrites(let question):
            expect(seeing == nil && stopped == nil, action)
            seeing = question
        case .reload:
            expect(!isReloading && stopped == nil, action)
            isReloading = true
        case .stopCycles: expect(stopped != nil, action)
        case .cancelCycles:
            expect(!isCancelled && stopped != nil, action)
            isCancelled = true
        case .arm(let moment): armed = moment
        case .disarm: armed = nil
        case .listenToNetwork:
            expect(!isListening && stopped == nil, action)
            isListening = true
        case .ignoreNetwork:
            expect(isListening, action)
            isListening = false
        case .leave: hasLeft = true
        case .feedWatchdog, .endNow: break
        }
    }

    private mutating func expect(_ holds: Bool, _ action: Agenda.Action) {
        if !holds { broken.append("\(action) must not come now") }
    }

    /// Lets everything end well, and time pass, until nothing is under way and nothing is asked for.
    mutating func settle() {
        for _ in 0..<60 {
            if let step = steps(faults: false).first {
                take(step)
            } else if armed != nil, !open.isEmpty || unsent && lists.contains(.todos) {
                take(.timer)
            } else {
                return
            }
        }
    }
}

extension World.Step {
    /// Whether it makes the daemon stop.
    var ends: Bool {
        switch self {
        case .wake(.stop), .lookBreaks, .cycleBreaks, .finishBreaks, .sightBreaks: true
        case .wake, .timer, .lookEnds, .lookFails, .cycleEnds, .cycleFails, .finishEnds,
            .finishFails, .reloadEnds, .reloadFails, .sightEnds, .sightFails:
            false
        }
    }
}
