public import Host
internal import Rules
internal import SQLite

extension CacheStore {
    /// What has been in doubt for so long that the person is told, in the order it was queued.
    ///
    /// That is longer than ``OpenDoubt/age`` since it was sent first, and ``OpenDoubt/pulls`` pulls that
    /// did not decide it. How long ago something was in another boot nobody knows: it counts as longer.
    public func lastingDoubts(now: BootTime) throws(StoreError) -> [LastingDoubt] {
        try read {
            guard try countLastingDoubts(now: now) > 0 else { return [] }
            let rows = try connection.all(
                """
                SELECT seq, kind, row_id, (SELECT title FROM outbox WHERE outbox.seq = operation.seq),
                    last_error, list
                FROM operation WHERE \(Self.isLastingDoubt) ORDER BY seq
                """, .text(now.boot), .integer(now.milliseconds)
            ) { row in
                (
                    sequence: OperationSequence(rawValue: row.integer(0)),
                    kind: OperationKind(rawValue: row.text(1)) ?? .create, row: row.integer(2),
                    title: row.textOrNil(3), error: row.textOrNil(4), list: row.text(5)
                )
            }
            return try rows.map { row in
                LastingDoubt(
                    sequence: row.sequence, kind: row.kind, list: row.list, row: row.row,
                    title: row.title ?? "",
                    reason: try obstacleOfPulls(of: row.list)
                        ?? .attempt(row.error ?? "no answer came"))
            }
        }
    }

    /// How many there are; lives inside a transaction.
    func countLastingDoubts(now: BootTime) throws(SQLiteError) -> Int64 {
        try connection.count(
            "SELECT count(*) FROM operation WHERE \(Self.isLastingDoubt)",
            .text(now.boot), .integer(now.milliseconds))
    }

    /// The condition, where `?1` is this boot and `?2` its clock. Its first line is that of the index.
    package static let isLastingDoubt = """
        (state <> 'queued' OR kind <> 'create') AND state = 'in doubt'
            AND open_pulls >= \(OpenDoubt.pulls)
            AND (first_sent_boot <> ?1
                OR first_sent_ms + \(OpenDoubt.age.wholeMilliseconds) <= ?2)
        """

    private func obstacleOfPulls(of list: String) throws(SQLiteError) -> LastingDoubt.Reason? {
        try connection.first(
            """
            SELECT state, EXISTS (SELECT 1 FROM hold WHERE list = ?1), last_error, complete
            FROM sync_state WHERE list = ?1
            """, .text(list)
        ) { row in
            LastingDoubt.Reason.ofPulls(
                state: SyncState(rawValue: row.text(0)), isHeld: row.integer(1) == 1,
                error: row.textOrNil(2), complete: row.integerOrNil(3).map { $0 == 1 })
        } ?? nil
    }
}
