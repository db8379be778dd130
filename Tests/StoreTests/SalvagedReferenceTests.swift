import Declarations
import Recovery
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// What a salvage keeps of rows that refer to rows.
@Suite struct SalvagedReferenceTests {
    /// Programs write to the steps, and only read the areas.
    private static func lists() throws -> [ListTable] {
        let writes = #""create": true, "update": true, "delete": true"#
        let declarations = [
            try Declaration.stored(
                #"{"list": "/areas", "id": "$.id", "columns": {"name": "text $.name"}}"#,
                name: "areas"),
            try Declaration.stored(
                """
                {"list": "/steps", "id": "$.id", \(writes), "columns": {
                    "title": {"text": "$.title", "write": "both"},
                    "area": {"row": "$.area", "of": "areas", "write": "both"},
                    "below": {"row": "$.below", "of": "steps", "write": "both"}}}
                """, name: "steps"),
        ]
        return try declarations.map { ListTable(try $0.referring(to: declarations)) }
    }

    @Test func `rows keep what they refer to, and are found by it again`() async throws {
        let cache = try await DamagedCache()
        let store = try Cache.open(.file(cache.path))
        let lists = try Self.lists()
        try await store.bring(to: lists)
        try await store.pull(
            #"[{"id":7,"title":"dig","area":3,"below":null},{"id":8,"title":"sow","area":3,"below":7}]"#,
            of: lists[1])
        try cache.directory.sqlite("INSERT INTO steps (title, below) VALUES ('reap', 1)")
        try cache.directory.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let steps = "SELECT _id, title, area, below, _state FROM steps ORDER BY _id"
        let before = try cache.rows(steps)
        #expect(before == ["1|dig|-|-|synced", "2|sow|-|1|synced", "3|reap|-|1|queued"])
        let report = try await cache.salvaged()
        #expect(report.losses == [])
        #expect(try cache.rows(steps) == before)
        #expect(try cache.rows("SELECT * FROM r_steps ORDER BY row_id") == ["1|3|-", "2|3|7"])
        let again = try Cache.open(.file(cache.path))
        try await again.bring(to: lists)
        #expect(try await again.check().filter { $0.severity != .note } == [])
        #expect(try cache.rows(steps) == before)
    }
}
