import Daemon
import Declarations
import Host
import Store
import SyncEngine
import Testing

/// What the agenda does about single facts, from a daemon that is calm: both lists ok and due
/// in a minute.
@Suite struct AgendaTests {
    let now = BootTime(boot: "b", milliseconds: 1_000_000)
    var agenda = Agenda([.movies, .todos], watchdog: nil)

    init() {
        _ = agenda.note(.started, at: now)
        _ = agenda.note(.foundRequests(look(due: now.advanced(by: .seconds(60)))), at: now)
        _ = agenda.note(.foundWrites(sign(1, sendable: false)), at: now)
    }

    private func sign(_ version: Int64, sendable: Bool) -> WriteSign {
        WriteSign(
            mark: WriteMark(version: version, ownCommits: 0), isWriterActive: false,
            work: WaitingWork(hasRequests: false, sendable: sendable ? [.todos] : []))
    }

    /// Somebody inserts a todo: the cache is touched, looked at, and the commit seen.
    private mutating func write(at moment: BootTime) -> [Agenda.Action] {
        let looks = agenda.note(.woken(.cacheTouched), at: moment).filter {
            if case .findWrites = $0 { true } else { false }
        }
        #expect(looks.count == 1)
        return agenda.note(.foundWrites(sign(moment.milliseconds, sendable: true)), at: moment)
    }

    /// What was written while no daemon ran is found at the start.
    private let firstSight = Agenda.Action.findWrites(
        WriteQuestion(since: nil, asksForWriter: false, asksForWork: true))

    /// The look that follows a cycle during which somebody wrote.
    private func looksAfterCycle(_ actions: [Agenda.Action]) -> Bool {
        guard case .findWrites(let question)? = actions.first else { return false }
        return question.asksForWork
    }

    private func look(due: BootTime, state: SyncState = .ok) -> Agenda.FoundRequests {
        var look = Agenda.FoundRequests()
        for list in ListName.both {
            look.dues[list] = due
            look.states[list] = state
        }
        return look
    }

    private func ended(
        dueIn wait: Duration, isFailing: Bool = false, hasProgress: Bool = false
    ) -> Agenda.CycleEnd {
        .init(due: now.advanced(by: wait), isFailing: isFailing, hasProgress: hasProgress)
    }

    private func later(_ seconds: Int) -> BootTime { now.advanced(by: .seconds(seconds)) }

    private let asked = CycleCause.asked(acceptsRemovals: false)

    @Test func `the start takes requests of an earlier daemon, and asks when all are due`() {
        var agenda = Agenda([.movies, .todos], watchdog: nil)
        #expect(
            agenda.note(.started, at: now)
                == [.findRequests(again: true, at: [.movies, .todos]), firstSight])
        #expect(
            agenda.note(.foundRequests(look(due: later(60))), at: now) == [.arm(later(60))],
            "A restart before the due time makes no request")
    }

    @Test func `requests that waited are served at the start, before anything is due`() {
        var agenda = Agenda([.movies, .todos], watchdog: nil)
        _ = agenda.note(.started, at: now)
        var found = look(due: later(60))
        found.requests = TakenRequests(lists: [.todos], acceptingRemovals: [.todos], last: 7)
        #expect(
            agenda.note(.foundRequests(found), at: now)
                == [.start(.todos, .asked(acceptsRemovals: true)), .arm(later(60))])
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(90))), at: now)
                == [
                    .finish(
                        TakenRequests(lists: [.todos], acceptingRemovals: [.todos], last: 7))
                ])
    }

    @Test mutating func `the earliest due time is armed, and a look comes before its cycle`() {
        #expect(
            agenda.note(.woken(.moment), at: later(60))
                == [.findRequests(again: false, at: [])])
        #expect(
            agenda.note(.foundRequests(Agenda.FoundRequests()), at: later(60))
                == [.start(.movies, .scheduled), .start(.todos, .scheduled)])
    }

    @Test mutating func `a moment that comes early starts nothing and is armed again`() {
        #expect(agenda.note(.woken(.moment), at: later(59)) == [.arm(later(60))])
    }

    @Test mutating func `a tick and wishes during a cycle become one next cycle`() {
        #expect(write(at: now).first == .start(.todos, .localWrite))
        for _ in 0..<3 {
            #expect(write(at: now) == [])
            #expect(agenda.note(.woken(.moment), at: now) == [.arm(later(60))])
        }
        let actions = agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(30))), at: now)
        #expect(looksAfterCycle(actions))
        #expect(
            agenda.note(.foundWrites(sign(now.milliseconds, sendable: true)), at: now).first
                == .start(.todos, .localWrite))
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(30))), at: now)
                == [.arm(later(30))])
    }

    @Test mutating func `a local write that comes with a due time is a whole cycle`() {
        _ = write(at: now)
        _ = write(at: now)
        // Due at once, and nothing came of it: a pause of a second.
        let actions = agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: later(5))
        #expect(looksAfterCycle(actions))
        #expect(
            agenda.note(.foundWrites(sign(1, sendable: true)), at: later(7)).first
                == .start(.todos, .scheduled))
    }

    @Test mutating func `a signal looks for requests, and without one asks for every list`() {
        #expect(agenda.note(.woken(.syncNow), at: now).first == .findRequests(again: false, at: []))
        #expect(
            agenda.note(.foundRequests(Agenda.FoundRequests()), at: now).filter { $0 != .disarm }
                == [.start(.movies, asked), .start(.todos, asked)])
    }

    @Test mutating func `a signal during a look looks again`() {
        _ = agenda.note(.woken(.syncNow), at: now)
        #expect(agenda.note(.woken(.syncNow), at: now) == [])
        var found = Agenda.FoundRequests()
        found.requests = TakenRequests(lists: [.todos], acceptingRemovals: [], last: 1)
        #expect(
            agenda.note(.foundRequests(found), at: now)
                == [.findRequests(again: false, at: []), .start(.todos, asked)])
    }

    @Test mutating func `requests that come during a cycle are answered by the next one`() {
        _ = write(at: now)
        _ = agenda.note(.woken(.syncNow), at: now)
        let requests = TakenRequests(lists: [.todos], acceptingRemovals: [], last: 4)
        var found = Agenda.FoundRequests()
        found.requests = requests
        _ = agenda.note(.foundRequests(found), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(60))), at: now)
                == [.start(.todos, asked)])
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(60))), at: now)
                == [.finish(requests)])
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (9, 60)])
    func `the cache's failures are waited out, from 1 s to 60 s`(failures: Int, seconds: Int) {
        var agenda = Agenda([.todos], watchdog: nil)
        var now = now
        _ = agenda.note(.started, at: now)
        _ = agenda.note(.foundRequests(look(due: now)), at: now)
        for _ in 1..<failures {
            _ = agenda.note(.cycleFailed(.todos), at: now)
            now = now.advanced(by: .seconds(60))
            _ = agenda.note(.woken(.moment), at: now)
            _ = agenda.note(.foundRequests(Agenda.FoundRequests()), at: now)
        }
        let wait = now.advanced(by: .seconds(seconds))
        #expect(agenda.note(.cycleFailed(.todos), at: now) == [.arm(wait)])
        #expect(
            agenda.note(.woken(.moment), at: wait)
                == [.findRequests(again: false, at: []), .start(.todos, .scheduled)])
    }

    @Test mutating func `a person's wish ends the wait for the cache, a local write does not`() {
        _ = write(at: now)
        _ = agenda.note(.cycleFailed(.todos), at: now)
        #expect(write(at: now) == [])
        _ = agenda.note(.woken(.syncNow), at: now)
        #expect(
            agenda.note(.foundRequests(Agenda.FoundRequests()), at: now).contains(
                .start(.todos, asked)))
    }

    @Test mutating func `a cycle that brought nothing and is due at once is not repeated at once`()
    {
        _ = write(at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: now) == [.arm(later(1))])
        _ = write(at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: now) == [.arm(later(2))])
        _ = write(at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero, hasProgress: true)), at: now)
                == [.start(.todos, .scheduled)])
    }

    @Test mutating func `a reload goes on with the new lists, the failing ones at once`() {
        _ = write(at: now)
        _ = agenda.note(
            .cycleEnded(.todos, ended(dueIn: .seconds(900), isFailing: true)), at: now)
        #expect(agenda.note(.woken(.reload), at: now) == [.reload])
        #expect(
            agenda.note(.reloaded([.todos]), at: now)
                == [.findRequests(again: false, at: [.todos]), .start(.todos, asked), .disarm])
    }

    @Test mutating func `a cycle of the old configuration that fails after a reload is repeated`() {
        _ = write(at: now)
        _ = agenda.note(.woken(.reload), at: now)
        _ = agenda.note(.reloaded([.movies, .todos]), at: now)
        _ = agenda.note(.foundRequests(look(due: later(60))), at: now)
        #expect(
            agenda.note(
                .cycleEnded(.todos, ended(dueIn: .seconds(900), isFailing: true)), at: now)
                == [
                    .listenToNetwork, .findRequests(again: false, at: [.todos]),
                    .start(.todos, asked),
                    .disarm,
                ])
    }

    @Test mutating func `reloads during a reload become one, and a refused one changes nothing`() {
        #expect(agenda.note(.woken(.reload), at: now) == [.reload])
        for _ in 0..<100 { #expect(agenda.note(.woken(.reload), at: now) == []) }
        #expect(agenda.note(.reloadRefused, at: now) == [.reload])
        #expect(agenda.note(.reloadRefused, at: now) == [])
    }

    @Test mutating func `a stop of a calm daemon leaves at once`() {
        #expect(agenda.note(.woken(.stop), at: now) == [.stopCycles, .disarm, .leave])
        #expect(agenda.note(.woken(.stop), at: now) == [])
    }

    @Test mutating func `a stop gives requests three seconds, then ends them, then the process`() {
        _ = write(at: now)
        #expect(agenda.note(.woken(.stop), at: now) == [.stopCycles, .arm(later(3))])
        let end = later(3).advanced(by: .milliseconds(1500))
        #expect(agenda.note(.woken(.moment), at: later(3)) == [.cancelCycles, .arm(end)])
        #expect(
            agenda.note(.woken(.moment), at: end)
                == [.endNow(isOverdue: true), .disarm, .leave])
    }

    @Test mutating func `a second signal to stop ends the process`() {
        _ = write(at: now)
        _ = agenda.note(.woken(.stop), at: now)
        #expect(agenda.note(.woken(.stop), at: now) == [.endNow(isOverdue: false)])
    }

    @Test mutating func `a cycle that ends in the grace time is the last one`() {
        _ = write(at: now)
        _ = write(at: now)
        _ = agenda.note(.woken(.stop), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: now)
                == [.disarm, .leave])
    }

    @Test mutating func `a broken cache ends what is under way without grace`() {
        _ = write(at: now)
        #expect(
            agenda.note(.broke, at: now)
                == [.stopCycles, .cancelCycles, .arm(now.advanced(by: .milliseconds(1500)))])
    }
}
