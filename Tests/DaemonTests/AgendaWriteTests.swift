import Daemon
import Declarations
import Host
import Store
import SyncEngine
import Testing

/// What the agenda does about what others write, from a daemon that is calm.
@Suite struct AgendaWriteTests {
    private let now = BootTime(boot: "b", milliseconds: 1_000_000)
    private let asked = CycleCause.asked(acceptsRemovals: false)
    private var agenda = Agenda([.movies, .todos], watchdog: nil)
    private var version: Int64 = 0

    init() {
        var look = Agenda.FoundRequests()
        for list in ListName.both { look.dues[list] = later(60) }
        _ = agenda.note(.started, at: now)
        _ = agenda.note(.foundRequests(look), at: now)
        _ = see()
    }

    private func later(_ seconds: Int) -> BootTime { now.advanced(by: .seconds(seconds)) }

    /// A look for the writes of others ends: there was a commit, and nobody writes any more.
    private mutating func see(
        requests: Bool = false, sendable: Bool = false
    ) -> [Agenda.Action] {
        version += 1
        let sign = WriteSign(
            mark: WriteMark(version: version, ownCommits: 0), isWriterActive: false,
            work: WaitingWork(hasRequests: requests, sendable: sendable ? [.todos] : []))
        return agenda.note(.foundWrites(sign), at: now)
    }

    @Test mutating func `a write that the cycle under way has taken in starts no other`() {
        for expected in [Agenda.Action.start(.todos, .localWrite), nil] {
            _ = agenda.note(.woken(.cacheTouched), at: now)
            #expect(see(sendable: true).first == expected)
        }
        let end = Agenda.CycleEnd(due: later(30), isFailing: false, hasProgress: true)
        guard case .findWrites(let question)? = agenda.note(.cycleEnded(.todos, end), at: now).first
        else {
            Issue.record("it did not look")
            return
        }
        #expect(question.asksForWork)
        #expect(see(sendable: false) == [])
    }

    @Test mutating func `a write of anything but todos and requests starts nothing`() {
        _ = agenda.note(.woken(.cacheTouched), at: now)
        #expect(see(sendable: false) == [])
    }

    @Test mutating func `a request by plain SQL is looked for, without a signal`() {
        _ = agenda.note(.woken(.cacheTouched), at: now)
        #expect(see(requests: true).first == .findRequests(again: false, at: []))
        #expect(
            agenda.note(.foundRequests(Agenda.FoundRequests()), at: now).filter {
                $0 != .arm(later(60))
            } == [],
            "Who took it back asked for nothing")
    }

    @Test mutating func `a signal whose request was taken already asks for nothing else`() {
        _ = agenda.note(.woken(.syncNow), at: now)
        _ = agenda.note(.woken(.syncNow), at: now)
        var found = Agenda.FoundRequests()
        found.requests = TakenRequests(lists: [.todos], acceptingRemovals: [], last: 1)
        _ = agenda.note(.foundRequests(found), at: now)
        let actions = agenda.note(.foundRequests(Agenda.FoundRequests()), at: now)
        #expect(!actions.contains(.start(.movies, asked)))
    }

    @Test func `a request for a list that is not synced is answered at once`() {
        var agenda = Agenda([.todos], watchdog: nil)
        _ = agenda.note(.started, at: now)
        var found = Agenda.FoundRequests()
        found.dues[.todos] = later(60)
        found.requests = TakenRequests(lists: [.movies], acceptingRemovals: [], last: 4)
        #expect(
            agenda.note(.foundRequests(found), at: now)
                == [
                    .finish(
                        TakenRequests(lists: [.movies], acceptingRemovals: [], last: 4)),
                    .arm(later(60)),
                ])
    }
}
