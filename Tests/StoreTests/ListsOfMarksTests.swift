import Declarations
import Recovery
import Store
import Tables
import TestSupport
import Testing

/// Lists that take nothing of their rows but what every row has: the id, the place, the document.
@Suite struct `lists without a value of their own` {
    @Test(arguments: [
        #""columns": {"place": "@rank", "whole": "@document"}"#,
        #""delete": true, "columns": {"nr": "@id"}"#,
    ])
    func `they are pulled, checked and salvaged as others are`(declared: String) async throws {
        let cache = try await DamagedCache()
        let store = try Cache.open(.file(cache.path))
        let notes = try await store.table(
            of: DeclaredLists.list("notes", #""id": "$.id", \#(declared)"#))
        let isWritable = !notes.declaration.isReadOnly
        if isWritable { try await store.bind(notes.declaration.name, to: cousin) }
        try await store.pull(#"[{"id": "a"}, {"id": "b", "x": 1}]"#, of: notes)
        try await store.pull(#"[{"id": "a"}, {"id": "b", "x": 2}, {"id": "c"}]"#, of: notes)
        if isWritable { try await store.removeRows([2], of: notes) }
        let rows = try cache.rows("SELECT * FROM notes ORDER BY 1")
        #expect(rows.count == (isWritable ? 2 : 3))
        #expect(try await store.check().filter { $0.severity != .note } == [])
        #expect(try await StoreInvariants.violations(in: store) == [])
        let report = try await cache.salvaged()
        #expect(report.losses == [])
        // Rows that only the server writes come back with the next pull.
        guard isWritable else { return }
        #expect(try cache.rows("SELECT * FROM notes ORDER BY 1") == rows)
        try await Cache.open(.file(cache.path)).pull(
            #"[{"id": "a", "x": 3}, {"id": "b"}]"#, of: notes)
    }
}
