internal import Declarations
public import SQLite
public import Store
public import Tables

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
        for law in try schemaLaws(of: connection) + documentLaws(of: connection) + otherLaws {
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

    /// The laws about the documents of lists: no view can state them.
    private static func documentLaws(of connection: Connection) throws(SQLiteError) -> [Law] {
        let rows = try connection.all("SELECT name, declaration FROM declared_list") {
            (name: $0.text(0), text: $0.text(1))
        }
        let known = rows.compactMap { try? Declaration.stored($0.text, name: $0.name) }
        return rows.flatMap { row in
            let list = known.first { $0.name.text == row.name }.map {
                ListTable((try? $0.referring(to: known)) ?? $0)
            }
            let documents = Law(
                name: "the documents of \(row.name)",
                query: list?.documentLaw ?? "SELECT 'a declaration can be read', '\(row.name)'")
            return [documents] + (list.map(touchedLaws) ?? [])
        }
    }

    /// What follows the writes of programs is as the table, but for the rows that syncd has not looked at yet.
    public static func touchedLaws(of list: ListTable) -> [Law] {
        guard list.touchedStatements != nil else { return [] }
        let name = list.declaration.name
        let words = list.fullTextStatements?.unlike.map {
            Law(
                name: "the words of \(name)",
                query: "SELECT 'the full text of \(name) has its words', row_id FROM (\($0))")
        }
        let history = list.declaration.history.map { watched in
            let id = list.declaration.column(of: .id)?.name ?? "_id"
            return Law(
                name: "the history of \(name)",
                query: """
                    SELECT 'the history of \(name) ends with what the table shows', last.id
                    FROM (SELECT id, change, "new_\(watched)" AS value, max(seq)
                        FROM \(list.historyName) GROUP BY id) AS last
                    LEFT JOIN \(name) AS shown ON shown."\(id)" = last.id
                    WHERE last.id NOT IN (SELECT key FROM touched_\(name))
                        AND ((last.change = 'vanished') <> (shown."\(id)" IS NULL)
                            OR nullif(shown."\(watched)", '') IS NOT last.value)
                    """)
        }
        return [words, history].compactMap { $0 }
    }

    /// The laws that take more than a view: about the views themselves, and the file's own integrity.
    public static let otherLaws: [Law] =
        changeLaws + [
            Law(
                name: "the view outbox",
                query: """
                    SELECT 'the view outbox shows every operation but acknowledged deletes', seq
                    FROM operation
                    WHERE (kind = 'delete' AND state = 'acknowledged')
                        = (seq IN (SELECT seq FROM outbox))
                    """),
            Law(
                name: "the rows of the status",
                query: """
                    SELECT 'the status counts what the view todos shows', rows FROM sync_status
                    WHERE list = 'todos' AND rows <> (SELECT count(*) FROM todos)
                    """),
            Law(
                name: "integrity",
                query: """
                    SELECT 'the file is intact', integrity_check FROM pragma_integrity_check
                    WHERE integrity_check <> 'ok'
                    """),
        ]

    /// Whoever follows the change log knows what the views show, unless he was told of a reset.
    private static let changeLaws = [
        Law(
            name: "the changes of todos",
            query: """
                SELECT 'the change log ends with what the view todos shows', last.row_id
                FROM (\(newestChanges("todos"))) AS last LEFT JOIN todos ON todos.id = last.row_id
                WHERE (last.change = 'removed') <> (todos.id IS NULL)
                    OR todos.state IS NOT last.state
                    OR todos.id IS NOT NULL AND substr(todos.title, 1, 500) IS NOT last.title
                """),
        Law(
            name: "the changes of the outbox",
            query: """
                SELECT 'the change log ends with what the view outbox shows', last.row_id
                FROM (\(newestChanges("outbox"))) AS last LEFT JOIN outbox ON seq = last.row_id
                WHERE (last.change = 'removed') <> (seq IS NULL)
                    OR outbox.state IS NOT last.state OR seq IS NOT NULL AND outbox.op <> last.op
                """),
        Law(
            name: "the changes of movies",
            query: """
                SELECT 'the change log ends with what the view movies shows', last.row_id
                FROM (\(newestChanges("movies"))) AS last LEFT JOIN movies ON id = last.row_id
                WHERE (last.change = 'removed') <> (id IS NULL)
                    OR id IS NOT NULL AND substr(movies.title, 1, 500) IS NOT last.title
                """),
        Law(
            name: "the order of changes",
            query: """
                SELECT 'what is added was not there, what changes or goes was', rev FROM (
                    SELECT rev, change, lag(change) OVER (
                        PARTITION BY list, row_id, resets ORDER BY rev) AS before
                    FROM (SELECT *, sum(change = 'reset') OVER (
                        PARTITION BY list ORDER BY rev) AS resets FROM change)
                    WHERE row_id IS NOT NULL)
                WHERE change = 'added' AND before <> 'removed'
                    OR change <> 'added' AND before = 'removed'
                """),
    ]

    private static func newestChanges(_ list: String) -> String {
        """
        SELECT row_id, change, state, title, op, max(rev) AS rev FROM change
        WHERE list = '\(list)' AND rev > coalesce((SELECT max(rev) FROM change
            WHERE list = '\(list)' AND change = 'reset'), 0)
        GROUP BY row_id
        """
    }
}
