import Declarations
import SQLite
import Store
import Tables
import Testing

@Suite struct `changes of rows of a declared list` {
    private let cache: Cache
    private let notes: ListTable

    init() async throws {
        cache = try Cache()
        notes = ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/notes", "id": "$.id", "create": true, "update": true,
                 "delete": true,
                 "columns": {"nr": "@id", "ti\\"tle": {"text": "$.title", "write": "both", "required": true},
                             "key": {"text": "$.key", "write": "create"},
                             "done": {"boolean": "$.done", "write": "both"}}}
                """, name: "notes"))
        _ = try await cache.store.table(of: notes)
        for id in 1...2 {
            try await cache.execute(
                """
                UPDATE control SET applying = 'notes';
                INSERT INTO s_notes VALUES (\(id), 'n\(id)', '{"id":"n\(id)","title":"one","done":false}');
                INSERT INTO notes (nr, "ti""tle", done, _server_id, _state)
                VALUES (\(id), 'one', 0, 'n\(id)', 'synced');
                UPDATE control SET applying = NULL;
                """)
        }
    }

    private func change(
        _ id: Int64, _ values: [Int: Value], at place: String? = nil
    ) -> RowToChange {
        RowToChange(place: place, id: id, values: values)
    }

    private func shown() async throws -> [String] {
        try await cache.rows(#"SELECT nr, "ti""tle", done, _state FROM notes ORDER BY nr"#)
    }

    @Test func `an edit shows at once, and its update waits once`() async throws {
        let updates = try await cache.store.changeRows(
            [change(1, [0: .text("two"), 1: .integer(1)]), change(2, [1: .integer(1)])], of: notes)
        #expect(try await shown() == ["1|two|1|queued", "2|one|1|queued"])
        #expect(
            try await cache.rows("SELECT seq, op, row_id, state FROM outbox")
                == zip(updates, 1...2).map { "\($0)|update|\($1)|queued" })
        #expect(updates.count == 2)
        // It joins the one that waits, so nothing new is to be taken back.
        #expect(try await cache.store.changeRows([change(1, [1: .integer(0)])], of: notes) == [])
        #expect(try await cache.rows("SELECT count(*) FROM outbox") == ["2"])
        try await cache.expectLawful()
    }

    @Test func `a value that is there already is no edit`() async throws {
        #expect(try await cache.store.changeRows([change(1, [0: .text("one")])], of: notes) == [])
        #expect(try await cache.rows("SELECT * FROM outbox") == [])
    }

    @Test func `an edit of a row that was never sent goes into its create`() async throws {
        _ = try await cache.store.addRows(
            [RowToAdd(values: [.text("new"), .null, .null])], to: notes)
        #expect(try await cache.store.changeRows([change(3, [0: .text("newer")])], of: notes) == [])
        #expect(try await shown().last == "3|newer|-|queued")
        #expect(try await cache.rows("SELECT op FROM outbox") == ["create"])
        try await cache.expectLawful()
    }

    @Test func `what a trigger refuses is told with its place, and nothing is changed`()
        async throws
    {
        let good = change(1, [0: .text("two")], at: "line 1")
        let refused = StoreError.refused("line 2: ti\"tle of notes must be given")
        await #expect(throws: refused) {
            try await cache.store.changeRows(
                [good, change(2, [0: .null], at: "line 2")], of: notes)
        }
        await #expect(throws: StoreError.refused("ti\"tle of notes must be given")) {
            try await cache.store.changeRows([good, change(2, [0: .null])], of: notes)
        }
        #expect(try await shown() == ["1|one|0|synced", "2|one|0|synced"])
        #expect(try await cache.rows("SELECT * FROM outbox") == [])
    }

    @Test func `an unknown id is named, and no row is changed`() async throws {
        await #expect(throws: StoreError.unknownRow(9, of: notes.declaration.name)) {
            try await cache.store.changeRows(
                [change(1, [0: .text("two")]), change(9, [0: .text("x")])], of: notes)
        }
        try await cache.execute("DELETE FROM notes WHERE nr = 2")
        // Its delete waits.
        await #expect(throws: StoreError.unknownRow(2, of: notes.declaration.name)) {
            try await cache.store.changeRows([change(2, [0: .text("x")])], of: notes)
        }
        #expect(try await shown() == ["1|one|0|synced"])
    }

    @Test func `edits that were dropped a moment ago are looked at first`() async throws {
        _ = try await cache.store.changeRows([change(1, [0: .text("two")])], of: notes)
        try await cache.execute("DELETE FROM outbox")
        let sentence =
            "the edits of this row of notes were dropped a moment ago: try again when syncd has taken them back"
        await #expect(throws: StoreError.refused(sentence)) {
            try await cache.store.changeRows([change(1, [0: .text("three")])], of: notes)
        }
    }
}
