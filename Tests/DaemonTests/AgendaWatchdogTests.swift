import Daemon
import Declarations
import Host
import Store
import SyncEngine
import Testing

@Suite struct AgendaWatchdogTests {
    let now = BootTime(boot: "b", milliseconds: 1_000_000)
    var agenda = Agenda([.todos], watchdog: .seconds(4))
    /// What the first fact brings.
    let first: [Agenda.Action]

    init() { first = agenda.note(.started, at: now) }

    private func later(_ seconds: Int) -> BootTime { now.advanced(by: .seconds(seconds)) }

    private mutating func endLook(at moment: BootTime) -> [Agenda.Action] {
        var look = Agenda.FoundRequests()
        look.dues[.todos] = later(60)
        look.states[.todos] = .ok
        return agenda.note(.foundRequests(look), at: moment)
    }

    private mutating func endSight(at moment: BootTime) -> [Agenda.Action] {
        agenda.note(
            .foundWrites(
                WriteSign(
                    mark: WriteMark(version: 1, ownCommits: 0), isWriterActive: false, work: nil)),
            at: moment)
    }

    @Test mutating func `P21: the watchdog is fed twice in its interval, and while stopping`() {
        #expect(first.suffix(2) == [.feedWatchdog, .arm(later(2))])
        _ = endLook(at: now)
        _ = endSight(at: now)
        #expect(agenda.note(.woken(.moment), at: later(2)) == [.feedWatchdog, .arm(later(4))])
        _ = agenda.note(.woken(.reload), at: later(3))
        _ = agenda.note(.woken(.stop), at: later(3))
        #expect(agenda.note(.woken(.moment), at: later(4)) == [.feedWatchdog, .arm(later(6))])
    }

    @Test mutating func `a cycle that takes long is fed for`() {
        _ = endLook(at: now)
        _ = endSight(at: now)
        _ = agenda.note(.woken(.syncNow), at: now)
        #expect(endLook(at: now).first == .start(.todos, .asked(acceptsRemovals: false)))
        for seconds in [2, 4, 6] {
            #expect(
                agenda.note(.woken(.moment), at: later(seconds))
                    == [.feedWatchdog, .arm(later(seconds + 2))])
        }
    }

    @Test mutating func `a call of the cache that hangs starves the watchdog until it ends`() {
        _ = endSight(at: now)
        #expect(agenda.note(.woken(.moment), at: later(2)) == [.arm(later(4))])
        #expect(agenda.note(.woken(.moment), at: later(4)) == [.arm(later(6))])
        #expect(endLook(at: later(5)).contains(.feedWatchdog))
        #expect(agenda.note(.woken(.moment), at: later(6)) == [.feedWatchdog, .arm(later(8))])
    }

    @Test mutating func `a look for writes that hangs starves the watchdog, too`() {
        _ = endLook(at: now)
        #expect(agenda.note(.woken(.moment), at: later(2)) == [.arm(later(4))])
        #expect(endSight(at: later(3)).contains(.feedWatchdog))
    }
}
