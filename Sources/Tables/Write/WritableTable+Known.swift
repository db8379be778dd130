public import Declarations

/// How what is known of rows is laid over a list that shows a part of each: a list never touches what it does not
/// show.
///
/// Law: a member that no list has ever shown, and a column that is declared to come from reads, keeps what a read or
/// an answer has shown of it.
public struct KnownStatements: Sendable, Hashable {
    /// For each field whether a staged row shows it, be it as null.
    public let shown: String
    /// For each field whether the cache has it of any row.
    public let known: String
    /// What a read has shown of the row `?1`, `?2`, in the order of the document that is known: so the next list that
    /// shows the same is the same.
    public let read: String
    /// The document `?1`, with a column as it stands in `?2`, a row that was read and has another shape: one statement
    /// for each column; none where reads have the same shape.
    public let reshaped: [String]
    /// Notes the rows that a pull has brought, or changed: they are to be read.
    public let noteUnread: String?
    /// The rows that are to be read, in their order: at most `?1`.
    public let unread: String?
}

extension ListTable {
    /// Nil for a list that programs only read.
    public var knownStatements: KnownStatements? {
        isWritable ? WritableTable(list: self).knownStatements : nil
    }

    /// Lay what is known of each row over what is staged of it, where the list shows nothing of `hidden` columns, and
    /// `listed` are those that lists have shown.
    public func lay(hidden: [Column], listed: [Column]) -> [String] {
        WritableTable(list: self).lay(hidden, listed: listed)
    }
}

extension WritableTable {
    private func place(_ column: Column) -> SQLText {
        SQLText(column.field?.path.sqliteText ?? "$")
    }

    fileprivate var knownStatements: KnownStatements {
        let shown = fields.map { "ifnull(max(json_type(document, \(place($0))) IS NOT NULL), 0)" }
        let isKnown = fields.map {
            "EXISTS (SELECT 1 FROM \(known) WHERE json_type(document, \(place($0))) IS NOT NULL)"
        }
        let isRead = list.declaration.hasColumnsFromReads
        return KnownStatements(
            shown:
                "SELECT \(shown.joined(separator: ", ")) FROM temp.\(pulled) WHERE NOT isUnchanged",
            known: "SELECT \(isKnown.joined(separator: ", "))", read: read,
            reshaped: reshaped,
            noteUnread: isRead
                ? """
                INSERT OR IGNORE INTO unread_row (list, row_id)
                SELECT \(listName), known.id
                FROM temp.\(differing) CROSS JOIN temp.\(pulled) AS pulled USING (position)
                    CROSS JOIN \(known) AS known ON known.server_id = pulled.key
                """ : nil,
            unread: isRead
                ? """
                SELECT known.id, known.server_id FROM unread_row JOIN \(known) AS known ON known.id = row_id
                WHERE unread_row.list = \(listName) ORDER BY known.id LIMIT ?1
                """ : nil)
    }

    private var reshaped: [String] {
        let shape = list.declaration.read?.columns ?? [:]
        return fields.compactMap { column in
            shape[column.name].map { path in
                let (own, other) = (place(column), SQLText(path.sqliteText))
                return """
                    SELECT iif(json_type(?2, \(other)) IS NULL, json_remove(?1, \(own)),
                        json_set(?1, \(own), json(?2 -> \(other))))
                    """
            }
        }
    }

    private var read: String {
        let member = "json_quote(member.key) || ':' || (?2 -> member.fullkey)"
        return """
            SELECT iif(json_type(?2) = 'object', '{' || coalesce(
                (SELECT group_concat(text, ',') FROM (
                    SELECT \(member) AS text FROM \(known) AS known, json_each(known.document) AS member
                    WHERE known.id = ?1 AND json_type(?2, member.fullkey) IS NOT NULL
                    UNION ALL
                    SELECT \(member) FROM \(known) AS known, json_each(?2) AS member
                    WHERE known.id = ?1 AND json_type(known.document, member.fullkey) IS NULL)), '') || '}', ?2)
            """
    }

    fileprivate func lay(_ hidden: [Column], listed: [Column]) -> [String] {
        guard !hidden.isEmpty else { return [] }
        let projection = Projection(document: "laid.document")
        let parts = hidden.map { "\(part($0)) = \(projection.value($0))" }
        let update = """
            UPDATE temp.\(pulled) SET document = laid.document,
                \(parts.joined(separator: ",\n    "))
            """
        return [
            """
            \(update)
            FROM (\(hidden.reduce(withMembers(listed), laid)) LIMIT -1) AS laid
            WHERE laid.key = \(pulled).key AND laid.document IS NOT \(pulled).document
            """
        ] + unknown(hidden.filter(\.isFromReads), update)
    }

    /// A new row shows nothing of columns that come from reads.
    private func unknown(_ hidden: [Column], _ update: String) -> [String] {
        guard !hidden.isEmpty else { return [] }
        let places = hidden.map { "\(place($0))" }.joined(separator: ", ")
        let shows = hidden.map { "json_type(pulled.document, \(place($0))) IS NOT NULL" }.anyHolds
        return [
            """
            \(update)
            FROM (SELECT pulled.key, json_remove(pulled.document, \(places)) AS document
                FROM temp.\(pulled) AS pulled
                WHERE (\(shows)) AND NOT EXISTS (SELECT 1 FROM \(known) AS known
                    WHERE known.server_id = pulled.key) LIMIT -1) AS laid
            WHERE laid.key = \(pulled).key
            """
        ]
    }

    /// The staged rows that are known, with the members that they lack and that no list has shown.
    private func withMembers(_ listed: [Column]) -> String {
        let names = Set(
            listed.compactMap { column -> String? in
                guard case .member(let name) = column.field?.path.steps.first else { return nil }
                return name
            }
        ).sorted()
        let lists = names.map { "\(SQLText($0))" }.joined(separator: ", ")
        return """
            SELECT key, known, iif(more IS NULL, document,
                substr(document, 1, length(document) - 1) || iif(document = '{}', '', ',') || more || '}') AS document
            FROM (SELECT pulled.key, pulled.document, known.document AS known,
                    (SELECT group_concat(json_quote(member.key) || ':' || (known.document -> member.fullkey), ',')
                        FROM json_each(known.document) AS member
                        WHERE json_type(pulled.document, member.fullkey) IS NULL
                            AND member.key NOT IN (\(lists))) AS more
                FROM temp.\(pulled) AS pulled CROSS JOIN \(known) AS known ON known.server_id = pulled.key
                WHERE \(isSame("known.document")) LIMIT -1)
            """
    }

    /// The rows of `rows`, with the column as it is known.
    private func laid(_ rows: String, _ column: Column) -> String {
        let place = place(column)
        return """
            SELECT key, known, CASE
                    WHEN json_type(known, \(place)) IS NOT NULL
                        THEN json_set(document, \(place), json(known -> \(place)))
                    WHEN json_type(document, \(place)) IS NULL THEN document
                    ELSE json_remove(document, \(place)) END AS document
            FROM (\(rows) LIMIT -1)
            """
    }
}
