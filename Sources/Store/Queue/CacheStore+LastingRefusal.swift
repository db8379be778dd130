internal import Host
internal import Rules
internal import SQLite

/// Refusals that come again and again.
extension CacheStore {
    /// What an attempt came to, once the refusals before it are looked at: a lasting one is for good. Lives inside the
    /// transaction of the settlement.
    func judged(
        _ settlement: Settlement, of sequence: OperationSequence
    ) throws(SQLiteError) -> Settlement {
        switch settlement {
        case .accepted, .rejected, .refusedInRun, .stale: return settlement
        case .notApplied(let wait), .doubtful(let wait, _):
            guard let refusal = wait.refusal else { return settlement }
            let lasting = LastingRefusal(refusal, after: try lastingRefusal(of: sequence))
            try connection.run(
                """
                UPDATE operation SET refused = ?2, refused_count = ?3, refused_boot = ?4,
                    refused_ms = ?5
                WHERE seq = ?1
                """, .integer(sequence.rawValue), .text(lasting.words), .integer(lasting.count),
                .text(lasting.since.boot), .integer(lasting.since.milliseconds))
            return lasting.isForGood(at: refusal.at) ? .rejected(wait) : settlement
        }
    }

    private func lastingRefusal(
        of sequence: OperationSequence
    ) throws(SQLiteError) -> LastingRefusal? {
        try connection.first(
            "SELECT refused, refused_count, refused_boot, refused_ms FROM operation WHERE seq = ?",
            .integer(sequence.rawValue)
        ) { row in
            guard let words = row.textOrNil(0), let since = row.bootTime(2) else { return nil }
            return LastingRefusal(
                words: words, count: Int(min(max(row.integer(1), 0), 1 << 31)), since: since)
        } ?? nil
    }
}
