internal import Host
internal import Rules
internal import SQLite

/// Edits that wait for what the server has acknowledged.
extension CacheStore {
    /// The server said of the row's last change that it will act later. It could act on two in the wrong order, so the
    /// next one waits for a list, or for as long as one counts as an echo. What was said in another boot was said when
    /// this one began, as far as anybody knows.
    func isHeldByTrail(
        _ operation: OperationSequence, now: BootTime
    ) throws(SQLiteError) -> Bool {
        try connection.count(
            """
            SELECT EXISTS (SELECT 1 FROM operation JOIN trail USING (list, row_id)
                WHERE seq = ?1 AND holds_edits = 1
                    AND iif(trail.answered_boot = ?2, trail.answered_ms, 0) > ?3)
            """, .integer(operation.rawValue), .text(now.boot),
            .integer(now.milliseconds - Witness.memory.wholeMilliseconds)) == 1
    }
}
