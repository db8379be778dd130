import Declarations
import Rules
import SQLite
import Store
import Tables
import Testing

@Suite struct ConflictTests {
    private let cache: Cache

    /// A list with one row of the server, whose id here is 1.
    init() async throws {
        cache = try Cache()
        let notes = ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/notes", "id": "$.id", "create": true, "update": true,
                 "delete": true,
                 "columns": {"title": {"text": "$.title", "write": "both", "required": true},
                             "size": {"integer": "$.size", "write": "both"},
                             "key": {"text": "$.key", "write": "create"}}}
                """, name: "notes"))
        _ = try await cache.store.table(of: notes)
        try await cache.execute(
            """
            UPDATE control SET applying = 'notes';
            INSERT INTO s_notes VALUES (1, 'n1', '{"id":"n1","title":"theirs","size":1}');
            INSERT INTO notes (_id, title, size, _server_id, _state)
            VALUES (1, 'theirs', 1, 'n1', 'synced');
            UPDATE control SET applying = NULL;
            """)
    }

    private func record(
        _ reason: ConflictReason, field: String = "title", row: Int64 = 1, list: String = "notes",
        mine: String = "'mine'", theirs: String = "'theirs'"
    ) async throws {
        try await cache.execute(
            """
            INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
            VALUES (0, '\(list)', \(row), '\(field)', '\(reason.rawValue)', \(mine), \(theirs))
            """)
    }

    private func row() async throws -> [String] {
        try await cache.rows("SELECT title, size, _state FROM notes")
    }

    private func left() async throws -> [String] {
        try await cache.rows("SELECT seq FROM conflicts")
    }

    @Test func `conflicts are read with both values, of one list or of all`() async throws {
        try await record(.edited)
        try await record(.gone, field: "size", row: 9, mine: "5", theirs: "NULL")
        try await record(.doubt, list: "tasks")
        let first = Conflict(
            sequence: 1, at: "1970-01-01T00:00:00.000Z", list: "notes", row: 1, field: "title",
            reason: .edited, mine: .text("mine"), theirs: .text("theirs"))
        let all = try await cache.store.conflicts()
        #expect(all.first == first)
        #expect(all.map(\.sequence) == [1, 2, 3])
        #expect(all.map(\.mine) == [.text("mine"), .integer(5), .text("mine")])
        #expect(all.map(\.theirs) == [.text("theirs"), .null, .text("theirs")])
        #expect(try await cache.store.conflicts(of: "notes") == Array(all.prefix(2)))
        #expect(try await cache.store.conflicts(of: "others") == [])
        #expect(try await cache.store.conflictCount() == 3)
    }

    @Test(arguments: [ConflictReason.edited, .doubt, .notTaken])
    func `mine is written again as an edit, theirs is seen`(reason: ConflictReason) async throws {
        try await record(reason)
        try await record(reason, field: "size", mine: "7", theirs: "1")
        try await cache.store.take(.theirs, of: [2])
        #expect(try await row() == ["theirs|1|synced"])
        #expect(try await left() == ["1"])
        try await cache.store.take(.mine, of: [1])
        #expect(try await row() == ["mine|1|queued"])
        #expect(try await cache.rows("SELECT op, row_id FROM outbox") == ["update|1"])
        #expect(try await left() == [])
        try await cache.expectLawful()
    }

    @Test func `where mine went over theirs, theirs is written`() async throws {
        try await cache.execute("UPDATE notes SET title = 'mine'")
        try await record(.overwritten)
        try await record(.overwritten, field: "size", mine: "1", theirs: "8")
        try await cache.store.take(.mine, of: [1])
        #expect(try await row() == ["mine|1|queued"])
        try await cache.store.take(.theirs, of: [2])
        #expect(try await row() == ["mine|8|queued"])
        #expect(try await left() == [])
    }

    @Test(arguments: [
        (
            ConflictReason.gone, Int64(9), "title",
            "row 9 of notes is not at the server any more: add it anew with `syncd add notes`, and then take theirs"
        ),
        (
            .delete, 1, "title",
            "row 1 of notes was kept, because somebody else changed it: delete it again with "
                + "`syncd rm notes 1`, and then take theirs"
        ),
        (
            .edited, 9, "title",
            "notes has no row 9 any more: if you have seen it, take theirs"
        ),
        (
            .doubt, 1, "key",
            "key of notes cannot be changed any more: if you have seen it, take theirs"
        ),
    ]) func `what mine cannot mean is said, and theirs ends it`(
        reason: ConflictReason, row: Int64, field: String, sentence: String
    ) async throws {
        try await record(.edited)
        try await record(reason, field: field, row: row)
        await #expect(throws: StoreError.refused("conflict 2: \(sentence)")) {
            try await cache.store.take(.mine, of: [1, 2])
        }
        // All or none.
        #expect(try await self.row() == ["theirs|1|synced"])
        #expect(try await left() == ["1", "2"])
        try await cache.store.take(.theirs, of: [1, 2])
        #expect(try await left() == [])
    }

    @Test func `what a trigger refuses, and a number that is not there, end nothing`() async throws
    {
        try await record(.edited, mine: "NULL")
        await #expect(throws: StoreError.refused("conflict 1: title of notes must be given")) {
            try await cache.store.take(.mine, of: [1])
        }
        await #expect(throws: StoreError.unknownConflict(2)) {
            try await cache.store.take(.theirs, of: [1, 2])
        }
        #expect(try await left() == ["1"])
    }

    @Test func `a list that has no table is not written to`() async throws {
        try await record(.edited, list: "tasks")
        let sentence =
            "conflict 1: tasks has no row 1 any more: if you have seen it, take theirs"
        await #expect(throws: StoreError.refused(sentence)) {
            try await cache.store.take(.mine, of: [1])
        }
    }
}
