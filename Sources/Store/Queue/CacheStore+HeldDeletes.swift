public import Declarations
public import Host
internal import Rules
internal import SQLite
public import Tables

/// The deletes that a program may not have meant: they wait for a person.
extension CacheStore {
    /// Whether an operation is a delete that waits for a person, as a condition on the table `operation`.
    static let isHeldDelete = """
        EXISTS (SELECT 1 FROM held_delete AS held
            WHERE held.seq = operation.seq AND held.accepted = 0)
        """

    /// How long a delete that was sent counts together with those that follow, in milliseconds.
    private static let memory = 60_000
    /// The clock that `queued_at` is written by.
    private static let now =
        "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)"

    /// Holds the deletes that ``DeleteGuard`` names, until a person accepts them or takes them back. What was accepted is
    /// not judged again, and neither is what was sent. Writes nothing where nothing is held anew.
    public func holdDeletes(
        of table: ListTable, now: WallTime
    ) throws(StoreError) {
        guard let found = try read({ try recentDeletes(of: table) }) else { return }
        judgedRows[table.declaration.name] = found.rows
        let held = try read { try heldSequences(of: table.declaration.name) }
        guard DeleteGuard.held(found).contains(where: { !held.contains($0.sequence) }) else {
            return
        }
        try requireUnchangedFile()
        try write(.full) {
            // Others can have taken some back meanwhile.
            guard let found = try recentDeletes(of: table) else { return }
            for delete in DeleteGuard.held(found) {
                try connection.run(
                    """
                    INSERT OR IGNORE INTO held_delete (seq, list, held_at, of_rows)
                    SELECT seq, list, ?2, ?3 FROM operation
                    WHERE seq = ?1 AND kind = 'delete' AND state = 'queued'
                    """, .integer(delete.sequence.rawValue), .integer(now.milliseconds),
                    .integer(delete.rows))
            }
        }
    }

    /// Lets every delete of `lists` that waits now go, held or not.
    public func acceptDeletes(of lists: [ListName]) throws(StoreError) {
        try write(.full) {
            for name in lists {
                try connection.run(
                    """
                    INSERT INTO held_delete (seq, list, held_at, of_rows, accepted)
                    SELECT seq, list, queued_at, 0, 1 FROM operation
                    WHERE list = ? AND kind = 'delete' AND state = 'queued'
                    ON CONFLICT (seq) DO UPDATE SET accepted = 1
                    """, .text(name.text))
            }
        }
    }

    /// Takes every held delete back: its row is shown again.
    public func dropHeldDeletes() throws(StoreError) -> OutboxOutcome {
        try write(.full) {
            var outcome = OutboxOutcome()
            outcome.changed = try connection.count("SELECT count(*) FROM held_deletes")
            try connection.run(
                "DELETE FROM outbox WHERE seq IN (SELECT seq FROM held_deletes)")
            outcome.left = try countQueue(nil)
            return outcome
        }
    }

    /// The deletes that are held, by list, in the order of their names.
    public func heldDeletes() throws(StoreError) -> [HeldDeletes] {
        try read {
            try connection.all(
                """
                SELECT list, count(*), max(of_rows) FROM held_deletes
                GROUP BY list ORDER BY list
                """
            ) {
                HeldDeletes(list: $0.text(0), count: $0.integer(1), rows: $0.integer(2))
            }
        }
    }

    /// What the deletes of the list are judged by; nil where none waits.
    func recentDeletes(of table: ListTable) throws(SQLiteError) -> RecentDeletes? {
        guard let known = table.writeReconciliation?.known else { return nil }
        let listName = Value.text(table.declaration.name.text)
        let waiting = try connection.count(
            """
            SELECT EXISTS (SELECT 1 FROM operation
                WHERE kind = 'delete' AND state = 'queued' AND list = ?)
            """, listName)
        guard waiting == 1 else { return nil }
        let deletes = try connection.all(
            """
            SELECT seq, queued_at, state = 'queued', NULL FROM operation
            WHERE list = ?1 AND kind = 'delete' AND state <> 'rejected'
                AND seq NOT IN (SELECT seq FROM held_delete WHERE accepted = 1)
                AND EXISTS (SELECT 1 FROM \(known) AS known WHERE known.id = row_id)
            UNION ALL
            SELECT seq, queued_at, 0, of_rows FROM \(Self.recentlyDone) ORDER BY seq
            """, listName
        ) { row in
            let rowsBefore = row.integerOrNil(3)
            return RecentDeletes.Delete(
                sequence: OperationSequence(rawValue: row.integer(0)),
                queuedAt: row.wallTime(1) ?? WallTime(milliseconds: 0),
                progress: rowsBefore.map { .done(rowsBefore: $0) }
                    ?? (row.integer(2) == 1 ? .waiting : .underWay))
        }
        let rows = try connection.count(
            """
            SELECT (SELECT count(*) FROM \(known))
                - (SELECT count(*) FROM held_delete JOIN operation USING (seq)
                    WHERE operation.list = ?1 AND accepted = 1)
            """, listName)
        return RecentDeletes(deletes: deletes, rows: rows)
    }

    /// Deletes of the last minute that were sent and are done.
    private static let recentlyDone = """
        (SELECT sent.seq, sent.queued_at, sent.of_rows FROM sent_delete AS sent
            WHERE sent.list = ?1 AND abs(sent.queued_at - \(now)) <= \(memory)
                AND NOT EXISTS (SELECT 1 FROM operation WHERE operation.seq = sent.seq))
        """

    /// Remembers a delete that is sent now, unless a person has accepted it; forgets those that are older than
    /// a minute.
    func noteSentDelete(
        _ operation: OperationSequence, of table: ListTable
    ) throws(SQLiteError) {
        guard let known = table.writeReconciliation?.known else { return }
        let noted = try connection.first(
            """
            INSERT OR REPLACE INTO sent_delete (seq, list, queued_at, of_rows)
            SELECT seq, list, queued_at, coalesce(?2, (SELECT count(*) FROM \(known)))
            FROM operation WHERE seq = ?1 AND kind = 'delete'
                AND NOT EXISTS (SELECT 1 FROM held_delete WHERE held_delete.seq = ?1)
            RETURNING seq
            """, .integer(operation.rawValue), .integer(judgedRows[table.declaration.name])
        ) { $0.integer(0) }
        guard noted != nil else { return }
        try connection.run(
            """
            DELETE FROM sent_delete WHERE abs(queued_at - \(Self.now)) > \(Self.memory)
            """)
    }

    func heldSequences(of name: ListName) throws(SQLiteError) -> Set<OperationSequence> {
        Set(
            try connection.all(
                "SELECT seq FROM held_delete WHERE list = ? AND accepted = 0", .text(name.text)
            ) { OperationSequence(rawValue: $0.integer(0)) })
    }
}
