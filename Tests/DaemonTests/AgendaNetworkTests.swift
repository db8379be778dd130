import Daemon
import Declarations
import Host
import Store
import SyncEngine
import Testing

/// What the agenda makes of a network that comes up.
@Suite struct AgendaNetworkTests {
    private let now = BootTime(boot: "b", milliseconds: 1_000_000)
    private let asked = CycleCause.asked(acceptsRemovals: false)
    private var agenda = Agenda([.todos], watchdog: nil)

    /// A daemon whose only list stands so, and is due in 15 minutes.
    private mutating func begin(_ state: SyncState) -> [Agenda.Action] {
        _ = agenda.note(.started, at: now)
        var look = Agenda.FoundRequests()
        look.dues[.todos] = now.advanced(by: .seconds(900))
        look.states[.todos] = state
        return agenda.note(.foundRequests(look), at: now)
    }

    private func later(_ milliseconds: Int) -> BootTime {
        now.advanced(by: .milliseconds(milliseconds))
    }

    private mutating func end(isFailing: Bool, at moment: BootTime) -> [Agenda.Action] {
        let due = now.advanced(by: .seconds(900))
        return agenda.note(
            .cycleEnded(.todos, .init(due: due, isFailing: isFailing, hasProgress: false)),
            at: moment)
    }

    @Test mutating func `while all is well nobody listens, and an event is nothing`() {
        #expect(!begin(.ok).contains(.listenToNetwork))
        #expect(agenda.note(.woken(.networkUp), at: now) == [])
    }

    @Test mutating func `a daemon that starts offline listens, and an event starts a cycle`() {
        #expect(begin(.offline).contains(.listenToNetwork))
        #expect(agenda.note(.woken(.networkUp), at: now).first == .start(.todos, asked))
    }

    @Test mutating func `it listens from the first failure to the first success`() {
        _ = begin(.ok)
        #expect(
            agenda.note(.woken(.syncNow), at: now).contains(.findRequests(again: false, at: [])))
        _ = agenda.note(.foundRequests(Agenda.FoundRequests()), at: now)
        #expect(end(isFailing: true, at: now).contains(.listenToNetwork))
        #expect(agenda.note(.woken(.networkUp), at: now).contains(.start(.todos, asked)))
        #expect(end(isFailing: true, at: now).allSatisfy { $0 != .listenToNetwork })
        #expect(agenda.note(.woken(.networkUp), at: later(300)).contains(.start(.todos, asked)))
        #expect(end(isFailing: false, at: later(300)).contains(.ignoreNetwork))
    }

    @Test mutating func `a link that flaps starts fewer and fewer cycles`() {
        _ = begin(.offline)
        var started = 0
        for tenths in 0..<6000 {
            let moment = later(tenths * 100)
            var actions = agenda.note(.woken(.networkUp), at: moment)
            actions += agenda.note(.woken(.moment), at: moment)
            guard actions.contains(where: { $0 == .start(.todos, asked) }) else { continue }
            started += 1
            _ = end(isFailing: true, at: moment)
        }
        // Nine in the first 64 s, 0, 0.25, 0.75 … 63.75 s, then one a minute; of 6000 events.
        #expect(started == 17)
    }

    @Test mutating func `the second event is served a quarter of a second after the first`() {
        _ = begin(.offline)
        _ = agenda.note(.woken(.networkUp), at: now)
        _ = end(isFailing: true, at: now)
        #expect(agenda.note(.woken(.networkUp), at: later(10)) == [.arm(later(250))])
        #expect(
            agenda.note(.woken(.moment), at: later(250)).contains(.start(.todos, asked)))
    }
}
