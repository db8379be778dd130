public import SQLite
public import Store

/// The laws of the cache that hold after every commit, whoever made it: each is a query that finds
/// what breaks it, and must find nothing.
public enum StoreInvariants: Sendable {
    /// One law, and the query for what breaks it; the first column is the law in a sentence, the
    /// second names the offender.
    public struct Law: Sendable, Hashable {
        /// The law in a word.
        public let name: String
        /// Finds the rows that break it.
        public let query: String
    }

    /// What is broken in the cache behind `connection`, one sentence each; empty where all is well.
    public static func violations(in connection: Connection) throws(SQLiteError) -> [String] {
        var violations: [String] = []
        for law in try schemaLaws(of: connection) + otherLaws {
            let offenders = try connection.all(law.query) { ($0.text(0), $0.text(1)) }
            guard let sentence = offenders.first?.0 else { continue }
            let named = offenders.prefix(5).map(\.1).joined(separator: ", ")
            violations.append("\(sentence): \(named)")
        }
        return violations
    }

    /// What is broken in the cache in the file `path`, read through a connection of its own.
    public static func violations(at path: String) throws(SQLiteError) -> [String] {
        let connection = try Connection(
            .file(path), access: .readWrite, busyTimeout: .seconds(5))
        connection.keepWALOnClose()
        return try violations(in: connection)
    }

    /// What is broken in the cache of `store`, in memory too.
    public static func violations(in store: CacheStore) async throws(StoreError) -> [String] {
        try await store.withConnection { try violations(in: $0) }
    }

    /// The laws that the schema states itself, as views that must be empty.
    public static func schemaLaws(of connection: Connection) throws(SQLiteError) -> [Law] {
        try connection.all(
            "SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'invariant_*'"
        ) { Law(name: $0.text(0), query: "SELECT law, offender FROM \($0.text(0))") }
    }

    /// The laws that take more than a view: about documents, about the views themselves, and the
    /// file's own integrity.
    public static let otherLaws: [Law] =
        CacheStore.documentLaws.map { Law(name: $0.name, query: $0.query) } + [
            Law(
                name: "the view todos",
                query: """
                    SELECT 'the view todos shows every todo without a waiting delete', id FROM todo
                    WHERE id NOT IN (SELECT id FROM todos) AND id NOT IN (
                        SELECT todo_id FROM operation WHERE kind = 'delete' AND state <> 'rejected')
                    """),
            Law(
                name: "the view outbox",
                query: """
                    SELECT 'the view outbox shows every operation', seq FROM operation
                    WHERE seq NOT IN (SELECT seq FROM outbox)
                    """),
            Law(
                name: "the rows of the status",
                query: """
                    SELECT 'the status counts what the view todos shows', rows FROM sync_status
                    WHERE resource = 'todos' AND rows <> (SELECT count(*) FROM todos)
                    """),
            Law(
                name: "the change log",
                query: """
                    SELECT 'the change log ends with what the view todos shows', todo.id FROM todo
                    JOIN (SELECT row_id, change, max(rev) FROM change
                        WHERE resource = 'todos' GROUP BY row_id) AS last ON last.row_id = todo.id
                    LEFT JOIN todos ON todos.id = todo.id
                    WHERE (last.change = 'removed') <> (todos.id IS NULL)
                    """),
            Law(
                name: "foreign keys",
                query: """
                    SELECT 'foreign keys lead somewhere', "table" || ' row ' || rowid
                    FROM pragma_foreign_key_check
                    """),
            Law(
                name: "integrity",
                query: """
                    SELECT 'the file is intact', integrity_check FROM pragma_integrity_check
                    WHERE integrity_check <> 'ok'
                    """),
        ]
}
