import Daemon
import Host
import Store
import SyncEngine
import Testing

/// What the agenda does about single facts, from a daemon that is calm: both resources ok and due
/// in a minute.
@Suite struct AgendaTests {
    let now = BootTime(boot: "b", milliseconds: 1_000_000)
    var agenda = Agenda([.movies, .todos], watchdog: nil)

    init() {
        _ = agenda.note(.started, at: now)
        _ = agenda.note(.looked(look(due: now.advanced(by: .seconds(60)))), at: now)
    }

    private func look(due: BootTime, state: SyncState = .ok) -> Agenda.Look {
        var look = Agenda.Look()
        for resource in Resource.allCases {
            look.dues[resource] = due
            look.states[resource] = state
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
            agenda.note(.started, at: now) == [.look(again: true, at: [.movies, .todos])])
        #expect(
            agenda.note(.looked(look(due: later(60))), at: now) == [.arm(later(60))],
            "A restart before the due time makes no request")
    }

    @Test func `requests that waited are served at the start, before anything is due`() {
        var agenda = Agenda([.movies, .todos], watchdog: nil)
        _ = agenda.note(.started, at: now)
        var found = look(due: later(60))
        found.requests = TakenRequests(resources: [.todos], acceptingRemovals: [.todos], last: 7)
        #expect(
            agenda.note(.looked(found), at: now)
                == [.start(.todos, .asked(acceptsRemovals: true)), .arm(later(60))])
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(90))), at: now)
                == [
                    .finish(
                        TakenRequests(resources: [.todos], acceptingRemovals: [.todos], last: 7))
                ])
    }

    @Test mutating func `the earliest due time is armed, and a look comes before its cycle`() {
        #expect(
            agenda.note(.woken(.moment), at: later(60))
                == [.look(again: false, at: [])])
        #expect(
            agenda.note(.looked(Agenda.Look()), at: later(60))
                == [.start(.movies, .scheduled), .start(.todos, .scheduled)])
    }

    @Test mutating func `a moment that comes early starts nothing and is armed again`() {
        #expect(agenda.note(.woken(.moment), at: later(59)) == [.arm(later(60))])
    }

    @Test mutating func `a tick and wishes during a cycle become one next cycle`() {
        #expect(agenda.note(.woken(.localWrite), at: now).first == .start(.todos, .localWrite))
        for wake in [Wake.localWrite, .localWrite, .moment] {
            _ = agenda.note(.woken(wake), at: now)
        }
        let actions = agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(30))), at: now)
        #expect(actions == [.start(.todos, .localWrite)])
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(30))), at: now)
                == [.arm(later(30))])
    }

    @Test mutating func `a local write that comes with a due time is a whole cycle`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.woken(.localWrite), at: now)
        let actions = agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: later(5))
        #expect(actions.first == .start(.todos, .localWrite))
        _ = agenda.note(.woken(.localWrite), at: later(6))
        // Due at 7 s: 5 s and the pause of a second cycle that brought nothing.
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero, hasProgress: true)), at: later(9))
                == [.start(.todos, .scheduled)])
    }

    @Test mutating func `a signal looks for requests, and without one asks for every resource`() {
        #expect(agenda.note(.woken(.syncNow), at: now).first == .look(again: false, at: []))
        #expect(
            agenda.note(.looked(Agenda.Look()), at: now).filter { $0 != .disarm }
                == [.start(.movies, asked), .start(.todos, asked)])
    }

    @Test mutating func `a signal during a look looks again`() {
        _ = agenda.note(.woken(.syncNow), at: now)
        #expect(agenda.note(.woken(.syncNow), at: now) == [])
        var found = Agenda.Look()
        found.requests = TakenRequests(resources: [.todos], acceptingRemovals: [], last: 1)
        #expect(
            agenda.note(.looked(found), at: now)
                == [.look(again: false, at: []), .start(.todos, asked)])
    }

    @Test mutating func `requests that come during a cycle are answered by the next one`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.woken(.syncNow), at: now)
        let requests = TakenRequests(resources: [.todos], acceptingRemovals: [], last: 4)
        var found = Agenda.Look()
        found.requests = requests
        _ = agenda.note(.looked(found), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(60))), at: now)
                == [.start(.todos, asked)])
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .seconds(60))), at: now)
                == [.finish(requests)])
    }

    @Test func `a request for a resource that is not synced is answered at once`() {
        var agenda = Agenda([.todos], watchdog: nil)
        _ = agenda.note(.started, at: now)
        var found = Agenda.Look()
        found.dues[.todos] = later(60)
        found.requests = TakenRequests(resources: [.movies], acceptingRemovals: [], last: 4)
        #expect(
            agenda.note(.looked(found), at: now)
                == [
                    .finish(
                        TakenRequests(resources: [.movies], acceptingRemovals: [], last: 4)),
                    .arm(later(60)),
                ])
    }

    @Test mutating func `the network wakes only what is failing`() {
        #expect(agenda.note(.woken(.networkUp), at: now) == [])
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(
            .cycleEnded(.todos, ended(dueIn: .seconds(900), isFailing: true)), at: now)
        #expect(agenda.note(.woken(.networkUp), at: now) == [.start(.todos, asked)])
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (9, 60)])
    func `the cache's failures are waited out, from 1 s to 60 s`(failures: Int, seconds: Int) {
        var agenda = Agenda([.todos], watchdog: nil)
        var now = now
        _ = agenda.note(.started, at: now)
        _ = agenda.note(.looked(look(due: now)), at: now)
        for _ in 1..<failures {
            _ = agenda.note(.cycleFailed(.todos), at: now)
            now = now.advanced(by: .seconds(60))
            _ = agenda.note(.woken(.moment), at: now)
            _ = agenda.note(.looked(Agenda.Look()), at: now)
        }
        let wait = now.advanced(by: .seconds(seconds))
        #expect(agenda.note(.cycleFailed(.todos), at: now) == [.arm(wait)])
        #expect(
            agenda.note(.woken(.moment), at: wait)
                == [.look(again: false, at: []), .start(.todos, .scheduled)])
    }

    @Test mutating func `a person's wish ends the wait for the cache, a local write does not`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.cycleFailed(.todos), at: now)
        #expect(agenda.note(.woken(.localWrite), at: now) == [])
        _ = agenda.note(.woken(.syncNow), at: now)
        #expect(
            agenda.note(.looked(Agenda.Look()), at: now).contains(.start(.todos, asked)))
    }

    @Test mutating func `a cycle that brought nothing and is due at once is not repeated at once`()
    {
        _ = agenda.note(.woken(.localWrite), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: now) == [.arm(later(1))])
        _ = agenda.note(.woken(.localWrite), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: now) == [.arm(later(2))])
        _ = agenda.note(.woken(.localWrite), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero, hasProgress: true)), at: now)
                == [.start(.todos, .scheduled)])
    }

    @Test mutating func `a reload goes on with the new resources, the failing ones at once`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(
            .cycleEnded(.todos, ended(dueIn: .seconds(900), isFailing: true)), at: now)
        #expect(agenda.note(.woken(.reload), at: now) == [.reload])
        #expect(
            agenda.note(.reloaded([.todos]), at: now)
                == [.look(again: false, at: [.todos]), .start(.todos, asked), .disarm])
    }

    @Test mutating func `a cycle of the old configuration that fails after a reload is repeated`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.woken(.reload), at: now)
        _ = agenda.note(.reloaded([.movies, .todos]), at: now)
        _ = agenda.note(.looked(look(due: later(60))), at: now)
        #expect(
            agenda.note(
                .cycleEnded(.todos, ended(dueIn: .seconds(900), isFailing: true)), at: now)
                == [.look(again: false, at: [.todos]), .start(.todos, asked), .disarm])
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
        _ = agenda.note(.woken(.localWrite), at: now)
        #expect(agenda.note(.woken(.stop), at: now) == [.stopCycles, .arm(later(3))])
        let end = later(3).advanced(by: .milliseconds(1500))
        #expect(agenda.note(.woken(.moment), at: later(3)) == [.cancelCycles, .arm(end)])
        #expect(
            agenda.note(.woken(.moment), at: end)
                == [.endNow(isOverdue: true), .disarm, .leave])
    }

    @Test mutating func `a second signal to stop ends the process`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.woken(.stop), at: now)
        #expect(agenda.note(.woken(.stop), at: now) == [.endNow(isOverdue: false)])
    }

    @Test mutating func `a cycle that ends in the grace time is the last one`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.woken(.localWrite), at: now)
        _ = agenda.note(.woken(.stop), at: now)
        #expect(
            agenda.note(.cycleEnded(.todos, ended(dueIn: .zero)), at: now)
                == [.disarm, .leave])
    }

    @Test mutating func `a broken cache ends what is under way without grace`() {
        _ = agenda.note(.woken(.localWrite), at: now)
        #expect(
            agenda.note(.broke, at: now)
                == [.stopCycles, .cancelCycles, .arm(now.advanced(by: .milliseconds(1500)))])
    }

    @Test func `the watchdog is fed twice in its interval, and while stopping`() {
        var agenda = Agenda([.todos], watchdog: .seconds(4))
        #expect(
            agenda.note(.started, at: now)
                == [.look(again: true, at: [.todos]), .feedWatchdog, .arm(later(2))])
        #expect(agenda.note(.woken(.moment), at: later(2)) == [.feedWatchdog, .arm(later(4))])
        _ = agenda.note(.woken(.stop), at: later(2))
        #expect(
            agenda.note(.woken(.moment), at: later(4)) == [.feedWatchdog, .arm(later(5))])
    }
}
