import Daemon
import Declarations
import Host
import Store
import Testing

@Suite struct StatusLineTests {
    /// 2026-03-01T12:00:00Z
    let now = WallTime(milliseconds: 1_772_366_400_000)

    private func line(
        _ rows: [StatusRow], queue change: (inout QueueCounts) -> Void = { _ in },
        of lists: [ListName] = [.movies, .todos], remarks: [String] = []
    ) -> String {
        var queue = QueueCounts()
        change(&queue)
        return StatusLine(
            Standing(lists: rows, queue: queue), of: lists, remarks: remarks, now: now
        ).description
    }

    private func row(
        _ list: ListName, _ state: SyncState, rows: Int64? = nil, next: String? = nil,
        error: String? = nil
    ) -> StatusRow {
        StatusRow(list: list, state: state, rows: rows, nextDueAt: next, lastError: error)
    }

    @Test func `nothing is known at first`() {
        let line = StatusLine(nil, of: ListName.both, remarks: [], now: now)
        #expect(line.description == "starting")
    }

    @Test func `rows, next due and queue are told, another day by its date`() {
        #expect(
            line([
                row(.movies, .ok, rows: 812, next: "2026-03-02T06:02:33.123Z"),
                row(.todos, .ok, rows: 1, next: "2026-03-01T12:01:02.000Z"),
            ])
                == "movies: 812 rows, next 2026-03-02 06:02:33 UTC; "
                + "todos: 1 row, next 12:01:02 UTC; queue: empty")
    }

    @Test func `the last error stands with the state, and the queue by its states`() {
        #expect(
            line(
                [
                    row(
                        .todos, .offline, rows: 37, next: "2026-03-01T12:15:00.000Z",
                        error: "connection refused")
                ], queue: { ($0.queued, $0.sending, $0.inDoubt, $0.rejected) = (3, 1, 2, 4) })
                == "todos: offline (connection refused), 37 rows, next 12:15:00 UTC; "
                + "queue: 3 queued, 1 sending, 2 in doubt, 4 rejected")
    }

    @Test func `D5: a list that is cut is told though all goes well`() {
        let row = row(.todos, .ok, rows: 5, error: "the list is cut: it has 5 rows")
        #expect(line([row]) == "todos: ok (the list is cut: it has 5 rows), 5 rows; queue: empty")
    }

    @Test func `before the first cycle a list waits`() {
        #expect(line([row(.todos, .waiting, rows: 0)]) == "todos: waiting, 0 rows; queue: empty")
    }

    @Test func `a list that is not synced is not told`() {
        let rows = [row(.movies, .waiting), row(.todos, .ok)]
        #expect(line(rows, of: [.todos]) == "todos: ok; queue: empty")
    }

    @Test func `remarks come last`() {
        #expect(
            line([], remarks: ["the disk is full", "the configuration is not usable"])
                == "queue: empty; the disk is full; the configuration is not usable")
    }
}
