import Declarations
import Host
import Store
import Tables
import TestSupport
import Testing

/// An edit that the server has refused, when a program has changed it since.
@Suite struct `a refused edit` {
    @Test(arguments: StorePlace.allCases)
    func `waits again where it says something else by now, and its row shows that`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        let notes = ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/notes", "id": "$.id", "update": true,
                 "columns": {"title": {"text": "$.title", "write": "update"}}}
                """, name: "notes"))
        _ = try await cache.store.table(of: notes)
        try await cache.execute(
            """
            UPDATE control SET applying = 'notes';
            INSERT INTO s_notes VALUES (1, 'n1', '{"id":"n1","title":"one"}');
            INSERT INTO notes (_id, title, _server_id, _state) VALUES (1, 'one', 'n1', 'synced');
            UPDATE control SET applying = NULL;
            UPDATE notes SET title = 'two';
            UPDATE operation SET state = 'rejected', attempts = 1, sent = '{"0":"two"}',
                last_error = 'no';
            UPDATE notes SET title = 'three';
            """)
        let shown = "SELECT title, _state, _error FROM notes"
        #expect(try await cache.rows(shown) == ["three|rejected|no"])
        _ = try await cache.store.openCycle(
            of: notes, now: BootTime(boot: "b", milliseconds: 0))
        #expect(try await cache.rows(shown) == ["three|queued|-"])
        try await cache.expectLawful()
    }
}
