import Declarations
import Host
import Rules
import Store
import Testing

@Suite struct `changes that are stuck` {
    private static let seen = """
        SELECT waiting, stuck, stuck_error FROM sync_status WHERE list = 'todos'
        """

    @Test func `S1: the status counts what waits, and what has waited for an hour`() async throws {
        let cache = try Cache(.memory)
        #expect(try await cache.rows(Self.seen) == ["0|0|-"])
        _ = try await cache.store.add("a")
        _ = try await cache.store.create("b", in: .inDoubt)
        _ = try await cache.store.create("c", in: .rejected)
        _ = try await cache.store.create("d", in: .acknowledged)
        #expect(try await cache.rows(Self.seen) == ["2|0|-"])
        try await cache.write(
            "UPDATE operation SET queued_at = queued_at - 3500000 WHERE state <> 'in doubt'")
        #expect(try await cache.rows(Self.seen) == ["2|0|-"])
        try await cache.write(
            "UPDATE operation SET queued_at = queued_at - 100000 WHERE state <> 'in doubt'")
        #expect(try await cache.rows(Self.seen) == ["2|1|-"])
    }

    @Test func `S1: the newest reason of those that are stuck is told, else that of the list`()
        async throws
    {
        let cache = try Cache(.memory)
        try await cache.store.record(
            CycleRecord(
                list: .todos, state: .offline, attemptedAt: noon, pull: nil, failures: 3,
                error: "no route", due: boot(5000), dueShown: noon, dueAskedUntil: nil,
                durationMilliseconds: 12))
        for title in ["a", "b", "c"] { _ = try await cache.store.add(title) }
        try await cache.write("UPDATE operation SET attempts = 3 WHERE row_id < 3")
        #expect(try await cache.rows(Self.seen) == ["3|2|no route"])
        for (row, bootName, moment, words) in [
            (1, "another", 9000, "old"), (2, "b", 10, "new"), (3, "b", 20, "not stuck"),
        ] {
            try await cache.write(
                """
                UPDATE operation SET last_error = '\(words)', sent_ms = \(moment),
                    sent_boot = iif('\(bootName)' = 'b', '\(boot(1).boot)', 'another')
                WHERE row_id = \(row)
                """)
        }
        #expect(try await cache.rows(Self.seen) == ["3|2|new"])
    }
}
