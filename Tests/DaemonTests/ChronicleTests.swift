import Daemon
import Declarations
import Host
import Rules
import Store
import SyncEngine
import Testing

@Suite struct ChronicleTests {
    let now = BootTime(boot: "b", milliseconds: 1000)
    var chronicle = Chronicle()

    private func report(
        _ state: SyncState, before: SyncState, _ change: (inout CycleReport) -> Void = { _ in }
    ) -> CycleReport {
        var report = CycleReport(
            list: .todos, state: before, due: BootTime(boot: "b", milliseconds: 3000))
        report.state = state
        change(&report)
        return report
    }

    private mutating func told(_ report: CycleReport) -> [Chronicle.Line] {
        chronicle.ended(report, at: now).filter { $0.level > .debug }
    }

    @Test mutating func `a day offline is two lines`() {
        var lines = told(
            report(.offline, before: .ok) {
                $0.error = "connection refused"
                $0.hint = "Check the network."
            })
        for _ in 0..<1440 {
            lines += told(report(.offline, before: .offline) { $0.error = "timed out" })
        }
        lines += told(report(.ok, before: .offline) { $0.rows = 3 })
        #expect(
            lines == [
                .init(.warning, "todos: offline: connection refused. Check the network."),
                .init(.info, "todos: ok, 3 rows"),
            ])
    }

    @Test mutating func `a replay is one line, with what became of it`() {
        func lines(_ sent: Int, _ done: Int, _ rejected: Int, _ inDoubt: Int) -> [Chronicle.Line] {
            told(
                report(.ok, before: .ok) {
                    $0.replay.sent = sent
                    $0.replay.done = done
                    $0.replay.rejected = rejected
                    $0.replay.inDoubt = inDoubt
                })
        }
        #expect(lines(1, 1, 0, 0) == [.init(.info, "todos: sent 1 change: 1 done")])
        #expect(lines(5, 3, 0, 2) == [.init(.info, "todos: sent 5 changes: 3 done, 2 in doubt")])
        #expect(
            lines(2, 1, 1, 0).first == .init(.info, "todos: sent 2 changes: 1 done, 1 rejected"))
        // An outage is no reason for a line each second.
        #expect(lines(3, 0, 0, 0) == [])
    }

    @Test mutating func `a full stop of the server's own is not doubled`() {
        let lines = told(
            report(.needsCredentials, before: .ok) {
                $0.error = "the login was answered 401: Wrong password."
                $0.hint = "Check it."
            })
        let text = "todos: needs credentials: the login was answered 401: Wrong password. Check it."
        #expect(lines == [.init(.warning, text)])
    }

    @Test
    mutating func
        `held deletes are told once, again where there are more, and when they are decided`()
    {
        func lines(_ held: Int64?) -> [Chronicle.Line] {
            told(
                report(.ok, before: .ok) { report in
                    report.heldDeletes = held.map {
                        HeldDeletes(list: "todos", count: $0, rows: 20)
                    }
                })
        }
        #expect(
            lines(12) == [
                .init(
                    .warning,
                    "todos: a program deleted 12 of 20 rows within a minute: these deletes are held, "
                        + "and not sent. If they are meant, run `syncd sync todos --accept-deletes`; "
                        + "`syncd outbox drop --held` brings the rows back.")
            ])
        #expect(lines(12) == [])
        #expect(lines(13).count == 1)
        #expect(lines(5) == [])
        #expect(lines(nil) == [.init(.info, "todos: no delete is held any more")])
        #expect(lines(nil) == [])
    }

    @Test mutating func `stuck changes are told when they begin and when they end`() {
        func lines(_ stuck: Int64, of waiting: Int64) -> [Chronicle.Line] {
            told(
                report(.ok, before: .ok) {
                    $0.changes = WaitingChanges(
                        waiting: waiting, stuck: stuck,
                        error: "POST http://h/todos was answered 422: no title.")
                })
        }
        #expect(lines(0, of: 3) == [])
        #expect(
            lines(2, of: 3) == [
                .init(
                    .warning,
                    "todos: 2 of 3 changes that wait are stuck (tried three times, or waiting for an hour): "
                        + "POST http://h/todos was answered 422: no title. "
                        + WaitingChanges.hint)
            ])
        #expect(lines(3, of: 3) == [])
        #expect(lines(0, of: 1) == [.init(.info, "todos: no change is stuck any more")])
        #expect(lines(0, of: 0) == [])
    }

    @Test mutating func `a halted replay is told once for each reason, and when it is over`() {
        func lines(_ state: SyncState?) -> [Chronicle.Line] {
            told(
                report(.ok, before: .ok) {
                    $0.halt = state.map { ReplayHalt(state: $0, error: "refused") }
                    $0.haltHint = "Look."
                })
        }
        #expect(
            lines(.needsCredentials) == [
                .init(
                    .warning, "todos: changes are not sent: needs credentials: refused. Look.")
            ])
        #expect(lines(.needsCredentials) == [])
        #expect(lines(.misconfigured).count == 1)
        #expect(
            lines(nil) == [
                .init(.info, "todos: nothing keeps changes from being sent any more")
            ])
        #expect(lines(nil) == [])
    }

    @Test mutating func `a held pull is told with the way to accept it`() {
        let lines = told(
            report(.held, before: .ok) {
                $0.error = "too many removals"
                $0.hint = "Run it."
            })
        #expect(lines == [.init(.warning, "todos: held: too many removals. Run it.")])
    }

    @Test mutating func `a log that grows over 64 MiB is told once, and its end once`() {
        func lines(_ bytes: Int) -> [Chronicle.Line] {
            told(report(.ok, before: .ok) { $0.walBytes = bytes })
        }
        #expect(lines(64 << 20) == [])
        let grown = lines(64 << 20 + 1)
        #expect(grown.map(\.level) == [.warning])
        #expect(grown.first?.text.contains("the write-ahead log has 64 MiB") == true)
        #expect(lines(200 << 20) == [])
        #expect(
            lines(4120) == [.init(.info, "the write-ahead log is short again")])
        #expect(lines(0) == [])
    }

    @Test mutating func `skipped rows are told when they change, the first ones by name`() {
        func skipping(_ count: Int64, rows: Int64? = 9) -> CycleReport {
            report(.ok, before: .ok) {
                $0.rows = rows
                $0.skipped = SkippedRows(
                    count: count,
                    named: (0..<count).map { SkippedRow(place: "[\($0)].id", problem: "null") })
            }
        }
        #expect(
            told(skipping(5)) == [
                .init(
                    .warning,
                    "todos: 5 rows could not be taken, nothing is removed: "
                        + "[0].id: null; [1].id: null; [2].id: null; …")
            ])
        #expect(told(skipping(5)) == [])
        // "Unchanged" says nothing of rows.
        #expect(told(skipping(0, rows: nil)) == [])
        #expect(told(skipping(5)) == [])
        #expect(
            told(skipping(1)) == [
                .init(
                    .warning, "todos: 1 row could not be taken, nothing is removed: [0].id: null")
            ])
        #expect(told(skipping(0)) == [.init(.info, "todos: every row is taken again")])
        #expect(told(skipping(0)) == [])
    }

    @Test mutating func `D5: a cut list is told when it begins and when it ends, not at each pull`()
    {
        func pulled(_ rows: Int64?, _ error: String?) -> CycleReport {
            report(.ok, before: .ok) {
                $0.rows = rows
                $0.error = error
                $0.hint = error.map { _ in "Let the server answer with it." }
            }
        }
        #expect(
            told(pulled(5, "the list is cut: it has 5 rows")) == [
                .init(
                    .warning,
                    "todos: the list is cut: it has 5 rows. Let the server answer with it.")
            ])
        #expect(told(pulled(6, "the list is cut: it has 6 rows")) == [])
        // A cycle without a list, and one that failed, say nothing of it.
        #expect(told(pulled(nil, nil)) == [])
        #expect(told(report(.offline, before: .offline) { $0.error = "timed out" }) == [])
        #expect(told(pulled(5, "the list is cut: it has 5 rows")) == [])
        #expect(told(pulled(8, nil)) == [.init(.info, "todos: the list is whole again")])
        #expect(told(pulled(8, nil)) == [])
    }

    @Test(arguments: [(1, "1 change"), (2, "2 changes")])
    mutating func `refused changes are counted`(count: Int, words: String) {
        let lines = told(report(.ok, before: .ok) { $0.replay.rejected = count })
        #expect(
            lines == [
                .init(
                    .warning, "todos: the server refused \(words). Look at `syncd outbox list`.")
            ])
    }

    @Test mutating func `trouble with the cache is told when it comes, changes and goes`() {
        let full = chronicle.failed(.diskFull)
        #expect(full.map(\.level) == [.warning])
        #expect(chronicle.failed(.diskFull) == [])
        #expect(chronicle.failed(.busy).count == 1)
        #expect(
            told(report(.ok, before: .ok)) == [.init(.info, "the cache works again")])
        #expect(told(report(.ok, before: .ok)) == [])
    }

    @Test mutating func `each cycle is one line for who looks for a fault`() {
        let lines = chronicle.ended(
            report(.ok, before: .ok) {
                $0.hasPulled = true
                $0.rows = 2
                $0.replay.sent = 3
                $0.replay.done = 2
                $0.replay.inDoubt = 1
            }, at: now)
        #expect(
            lines == [
                .init(.info, "todos: sent 3 changes: 2 done, 1 in doubt"),
                .init(
                    .debug,
                    "todos: cycle ended: ok; pulled 2 rows; sent 3, done 2, rejected 0, in doubt 1; "
                        + "next in 2000 ms"),
            ])
    }
}
