import Declarations
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// Lists that programs only read, and whose rows refer to rows.
@Suite struct ReadOnlyReferenceTests {
    @Test func `they show the numbers of the rows, and hinder no delete of another list`()
        async throws
    {
        let declarations = try [
            ("areas", ""), ("places", #", "area": {"row": "$.area", "of": "areas"}"#),
        ].map { name, more in
            try Declaration.stored(
                #"{"list": "/x", "id": "$.id", "columns": {"name": "text $.name"\#(more)}}"#,
                name: name)
        }
        let lists = try declarations.map { ListTable(try $0.referring(to: declarations)) }
        let store = try Cache.open(.memory)
        try await store.bring(to: lists)
        _ = try await store.addTodos(["milk"])
        try await store.withConnection {
            try $0.execute(
                script: """
                    INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
                    VALUES ('todos', 'delete', 1, 'k', 0)
                    """)
        }
        let todos = try #require(
            try await store.tables().first { $0.declaration.name == .todos })
        let waiting = try await store.queueSnapshot(of: todos).waiting
        #expect(waiting.allSatisfy { $0.behindRow == nil } && !waiting.isEmpty)
    }
}
