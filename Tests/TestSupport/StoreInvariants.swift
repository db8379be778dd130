public import SQLite
public import Store

/// The laws of the cache that hold after every commit, whoever made it: each is a query that finds
/// what breaks it, and must find nothing.
public enum StoreInvariants: Sendable {
    /// One law, and the query for what breaks it; the first column names the offender.
    public struct Law: Sendable, Hashable {
        /// The law in a sentence.
        public let sentence: String
        /// Finds the rows that break it.
        public let query: String
    }

    /// What is broken in the cache behind `connection`, one sentence each; empty where all is well.
    public static func violations(in connection: Connection) throws(SQLiteError) -> [String] {
        var violations: [String] = []
        for law in laws {
            let offenders = try connection.all(law.query) { $0.text(0) }
            guard !offenders.isEmpty else { continue }
            violations.append("\(law.sentence): \(offenders.prefix(5).joined(separator: ", "))")
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

    /// Every law, the file's own integrity included.
    public static let laws: [Law] =
        todoLaws + operationLaws + timeLaws + pulledLaws + [
            Law(
                sentence: "foreign keys lead somewhere",
                query: "SELECT \"table\" || ' row ' || rowid FROM pragma_foreign_key_check"),
            Law(
                sentence: "the file is intact",
                query: "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
        ]

    private static let todoLaws = [
        Law(
            sentence: "a todo without an id at the server has a create",
            query: """
                SELECT id FROM todo WHERE server_id IS NULL
                    AND id NOT IN (SELECT todo_id FROM operation WHERE kind = 'create')
                """),
        Law(
            sentence: "a todo with an id at the server has no create",
            query: """
                SELECT id FROM todo WHERE server_id IS NOT NULL
                    AND id IN (SELECT todo_id FROM operation WHERE kind = 'create')
                """),
        Law(
            sentence: "a title that was given here has 1 to 4096 bytes",
            query: """
                SELECT id FROM todo WHERE server_id IS NULL
                    AND length(CAST(title AS BLOB)) NOT BETWEEN 1 AND 4096
                """),
        Law(
            sentence: "local ids are never used again",
            query: """
                SELECT max(id) FROM todo HAVING max(id) >
                    (SELECT seq FROM sqlite_sequence WHERE name = 'todo')
                """),
        Law(
            sentence: "the view todos shows every todo without a waiting delete",
            query: """
                SELECT id FROM todo WHERE id NOT IN (SELECT id FROM todos)
                    AND id NOT IN (SELECT todo_id FROM operation
                        WHERE kind = 'delete' AND state <> 'rejected')
                """),
    ]

    private static let operationLaws = [
        Law(
            sentence: "an operation has its todo",
            query: "SELECT seq FROM operation WHERE todo_id NOT IN (SELECT id FROM todo)"),
        Law(
            sentence: "the view outbox shows every operation",
            query: "SELECT seq FROM operation WHERE seq NOT IN (SELECT seq FROM outbox)"),
        Law(
            sentence: "a delete waits behind a create only while that is sending or in doubt",
            query: """
                SELECT deletion.seq FROM operation AS deletion
                JOIN operation AS creation ON creation.todo_id = deletion.todo_id
                WHERE deletion.kind = 'delete' AND creation.kind = 'create'
                    AND (creation.state IN ('queued', 'rejected') OR deletion.state <> 'queued')
                """),
        Law(
            sentence: "an operation in doubt is undecided, a queued or rejected one is not",
            query: """
                SELECT seq FROM operation
                WHERE state = 'in doubt' AND undecided = 0
                    OR state IN ('queued', 'rejected') AND undecided = 1
                """),
        Law(
            sentence: "an undecided operation knows its first attempt, a queued one has none",
            query: """
                SELECT seq FROM operation
                WHERE undecided = 1 AND first_sent_boot IS NULL
                    OR state IN ('queued', 'rejected') AND first_sent_boot IS NOT NULL
                """),
        Law(
            sentence: "an operation that was sent has attempts",
            query: """
                SELECT seq FROM operation WHERE state IN ('sending', 'in doubt') AND attempts = 0
                """),
        Law(
            sentence: "what is being sent or rejected waits for no moment",
            query: """
                SELECT seq FROM operation
                WHERE state IN ('sending', 'rejected') AND wait_boot IS NOT NULL
                """),
        Law(
            sentence: "a rejected operation says why",
            query: "SELECT seq FROM operation WHERE state = 'rejected' AND last_error IS NULL"),
    ]

    private static let timeLaws = [
        Law(
            sentence: "the moments of an operation are whole",
            query: """
                SELECT seq FROM operation
                WHERE (sent_boot IS NULL) <> (sent_ms IS NULL)
                    OR (first_sent_boot IS NULL) <> (first_sent_ms IS NULL)
                    OR (wait_boot IS NULL) <> (wait_ms IS NULL)
                    OR (wait_boot IS NULL) <> (wait_shown IS NULL)
                    OR state IN ('sending', 'in doubt') AND sent_boot IS NULL
                    OR wait_asked = 1 AND wait_boot IS NULL
                """),
        Law(
            sentence: "the moments of a resource are whole",
            query: """
                SELECT resource FROM sync_state
                WHERE (pulled_boot IS NULL) <> (pulled_ms IS NULL)
                    OR (due_boot IS NULL) <> (due_ms IS NULL)
                    OR (due_boot IS NULL) <> (due_shown IS NULL)
                    OR (pause_boot IS NULL) <> (pause_ms IS NULL)
                """),
        Law(
            sentence: "both resources have their status",
            query: """
                SELECT count(*) FROM sync_status WHERE resource IN ('movies', 'todos')
                HAVING count(*) <> 2
                """),
    ]

    private static let pulledLaws = [
        Law(
            sentence: "a pulled todo is what its document says",
            query: """
                SELECT id FROM todo WHERE document IS NOT NULL
                    AND (NOT json_valid(document) OR document ->> '$.title' IS NOT title
                        OR CAST(document ->> '$.id' AS TEXT) IS NOT server_id)
                """),
        Law(
            sentence: "a movie is what its document says",
            query: """
                SELECT id FROM movie
                WHERE NOT json_valid(document) OR document ->> '$.title' IS NOT title
                    OR document ->> '$.id' IS NOT id OR rank < 1 OR missed_pulls NOT BETWEEN 0 AND 2
                """),
        Law(
            sentence: "held rows belong to a hold, and a hold holds rows",
            query: """
                SELECT resource FROM held_row WHERE resource NOT IN (SELECT resource FROM hold)
                UNION SELECT resource FROM hold
                WHERE resource NOT IN (SELECT resource FROM held_row)
                """),
        Law(
            sentence: "kept validators validate something",
            query: """
                SELECT url FROM validator WHERE entity_tag IS NULL AND last_modified IS NULL
                    OR resource = 'movies' AND (movie_ids IS NULL OR total_pages IS NULL)
                """),
    ]
}
