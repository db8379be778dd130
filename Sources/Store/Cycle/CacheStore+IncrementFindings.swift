internal import SQLite
package import Tables

/// Compares a list with an increment of it that stands in a table of its own.
extension CacheStore {
    /// From where a trial asks, as the server wrote it; nil where no row lies before it, or none has a moment.
    package func markOfTrial(
        _ comparison: IncrementComparison
    ) throws(StoreError) -> String? {
        guard let sql = comparison.mark else { return nil }
        return try read { try connection.first(sql) { $0.textOrNil(0) } ?? nil }
    }

    /// What the increment from `mark` shows of the list, and what it does not.
    package func findings(
        of comparison: IncrementComparison, from mark: String
    ) throws(StoreError) -> IncrementFindings {
        let found = try read {
            try connection.first(comparison.counts, .text(mark)) { row in
                IncrementFindings(
                    rows: row.integer(0), known: row.integer(1), shown: row.integer(2),
                    later: row.integer(3), laterMissing: row.integer(4), same: row.integer(5),
                    sameMissing: row.integer(6), earlier: row.integer(7),
                    earlierShown: row.integer(8), withoutMoment: row.integer(9))
            }
        }
        guard let found else { throw .stopped }
        return found
    }

    /// The ids of the rows that the increment from `mark` lacks, though they have changed since.
    package func missing(
        of comparison: IncrementComparison, from mark: String
    ) throws(StoreError) -> Set<String> {
        try read {
            Set(try connection.all(comparison.missing, .text(mark)) { $0.text(0) })
        }
    }
}
