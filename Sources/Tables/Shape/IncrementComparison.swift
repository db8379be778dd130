internal import Declarations

/// The statements that compare a list with what an increment of it shows, which stands in a table of its own.
package struct IncrementComparison: Sendable, Hashable {
    /// From where is asked for a trial: the largest moment an hour before the newest. Where no row is older than that,
    /// and of numbers, the one in the middle. NULL where all rows have one moment. Nil where the server makes its own
    /// texts.
    package let mark: String?
    /// First three numbers: the rows of the list, those that the increment shows too, and all that it shows. Then
    /// pairs by a row's moment. Behind `?1`: the rows, and those that are missing. At `?1`: the same. Before `?1`: the
    /// rows, and those that are shown. Last, the rows without a moment.
    package let counts: String
    /// The ids of the rows whose moment lies at `?1` or behind it, and that the increment does not show.
    package let missing: String
}

extension ListTable {
    /// Compares the rows of this list with those in the table of `increment`, a list that is only read.
    package func comparison(with increment: ListTable) -> IncrementComparison {
        let shown = "SELECT 1 FROM \(increment.table) AS shown WHERE shown.\(increment.key)"
        let rows = """
            SELECT key, text, \(instant("text")) AS instant, EXISTS (\(shown) = listed.key) AS is_shown
            FROM (SELECT CAST(\(knownKey) AS TEXT) AS key, \(moment(of: knownDocument) ?? "NULL") AS text
                FROM \(knownRows) WHERE \(knownKey) IS NOT NULL) AS listed
            """
        let isBehind = "instant > \(instant("?1"))"
        return IncrementComparison(
            mark: moment(of: knownDocument).map { markOfTrial($0) },
            counts: """
                SELECT count(*), ifnull(sum(is_shown), 0), (SELECT count(*) FROM \(increment.table)),
                    count(*) FILTER (WHERE \(isBehind)),
                    count(*) FILTER (WHERE \(isBehind) AND NOT is_shown),
                    count(*) FILTER (WHERE text = ?1),
                    count(*) FILTER (WHERE text = ?1 AND NOT is_shown),
                    count(*) FILTER (WHERE instant < \(instant("?1"))),
                    count(*) FILTER (WHERE instant < \(instant("?1")) AND is_shown),
                    count(*) FILTER (WHERE instant IS NULL)
                FROM (\(rows))
                """,
            missing: """
                SELECT key FROM (\(rows)) WHERE NOT is_shown AND (\(isBehind) OR text = ?1)
                """)
    }

    private var knownRows: SQLName { isWritable ? WritableTable(list: self).known : table }
    private var knownKey: SQLName { isWritable ? SQLName("server_id") : key }
    private var knownDocument: String {
        isWritable ? "document" : "\(name(of: .document))"
    }

    private func markOfTrial(_ moment: String) -> String {
        """
        WITH moments AS MATERIALIZED (
            SELECT instant, max(text) AS text, max(text GLOB '*[^0-9.]*') AS is_date
            FROM (SELECT text, \(instant("text")) AS instant FROM (SELECT \(moment) AS text FROM \(knownRows)))
            WHERE instant IS NOT NULL GROUP BY instant)
        SELECT iif((SELECT count(*) FROM moments) < 2, NULL, coalesce(
            (SELECT text FROM moments
                WHERE is_date AND instant <= (SELECT max(instant) FROM moments) - 1 / 24.0
                    AND instant > (SELECT min(instant) FROM moments)
                ORDER BY instant DESC LIMIT 1),
            (SELECT text FROM moments ORDER BY instant
                LIMIT 1 OFFSET (SELECT count(*) / 2 FROM moments))))
        """
    }
}
