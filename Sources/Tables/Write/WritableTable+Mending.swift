internal import Declarations

/// How a salvage brings the three tables of a list in line, as far as it could read them. `applying` names
/// it in `control`.
package struct MendStatements: Sendable, Hashable {
    /// What one of the tables has lost, the others have. In this order.
    package let rows: [String]
    /// The rows that the server does not have, and that no create can give it: the id, and the column with the
    /// value that it cannot take.
    package let unusable: String
}

extension ListTable {
    /// Nil for a list that programs only read.
    package var mendStatements: MendStatements? {
        isWritable ? WritableTable(list: self).mendStatements : nil
    }
}

extension WritableTable {
    fileprivate var mendStatements: MendStatements {
        MendStatements(
            rows: ["DELETE FROM \(hidden) WHERE id IN (SELECT \(id) FROM \(table))"]
                + [known(from: table, id), known(from: hidden, SQLName("id"))] + documents
                + [shownByServer] + hiddenByDelete + likeDocuments + (creates ? [] : unknown),
            unusable: unusable)
    }

    private var required: [Column] { fields.filter(\.isRequired) }
    private var parts: String { fields.map { "\(part($0)), " }.joined() }
    private var names: String { fields.map { "\(SQLName($0.name)), " }.joined() }

    private func isDeleted(_ row: String) -> String {
        has(row, "kind = 'delete' AND state <> 'rejected'")
    }

    /// A row that has an id at the server, and no document any more.
    private func known(from rows: SQLName, _ id: SQLName) -> String {
        let serverID = rows == table ? serverID : SQLName("server_id")
        return """
            INSERT OR IGNORE INTO \(known) (id, server_id, document)
            SELECT own.\(id), own.\(serverID), 'null' FROM \(rows) AS own
            WHERE own.\(serverID) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(known) AS known
                WHERE known.id = own.\(id) OR known.server_id = own.\(serverID))
            """
    }

    private var hasOtherID: String {
        let place = SQLText(list.declaration.id.sqliteText)
        return "CAST(\(known).document ->> \(place) AS TEXT) IS NOT \(known).server_id"
    }

    /// Documents that are not there any more, or not those of their rows, are made of the rows. One that cannot be
    /// made goes.
    private var documents: [String] {
        let projection = Projection(document: "\(known).document")
        let read = fields.map { ($0, "(\(projection.shown($0)))") }
        let differs = read.map { Equality.differ($0, "own.\(part($0))", $1) }.anyHolds
        let isWhole = required.map { " AND own.\(part($0)) IS NOT NULL" }.joined()
        let lacks = read.filter(\.0.isRequired).map { "\n    OR \($1) IS NULL" }.joined()
        let made = DocumentText(list.declaration, serverID: "\(known).server_id") {
            "own.\(part($0))"
        }
        return [
            "UPDATE \(known) SET document = 'null' WHERE NOT json_valid(document)",
            """
            UPDATE \(known) SET document = \(made.sql)
            FROM (SELECT \(parts)id FROM \(hidden) UNION ALL SELECT \(names)\(id) FROM \(table)) AS own
            WHERE own.id = \(known).id\(isWhole)
                AND (\(hasOtherID) OR NOT \(has("\(known).id", "kind = 'update'"))
                    AND (\(differs)))
            """,
            "DELETE FROM \(known) WHERE NOT json_valid(document) OR \(hasOtherID)\(lacks)",
        ]
    }

    /// What the server has and nothing hides is shown.
    var shownByServer: String {
        let projection = Projection(document: "known.document")
        let values = fields.map { "\(projection.shown($0)), " }
        return """
            INSERT INTO \(table) (\(id), \(names)\(state), \(serverID))
            SELECT known.id, \(values.joined())'synced', known.server_id FROM \(known) AS known
            WHERE NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = known.id)
                AND NOT \(isHidden("known.id"))
            """
    }

    /// A row whose delete is not there any more is shown; one whose delete waits is hidden.
    var hiddenByDelete: [String] {
        [
            """
            INSERT INTO \(table) (\(id), \(names)\(serverID), \(added))
            SELECT hidden.id, \(fields.map { "hidden.\(part($0)), " }.joined())hidden.server_id, hidden.added_at
            FROM \(hidden) AS hidden WHERE NOT \(isDeleted("hidden.id"))
            """,
            "DELETE FROM \(hidden) WHERE id IN (SELECT \(id) FROM \(table))",
            """
            INSERT INTO \(hidden) (id, \(parts)server_id, added_at)
            SELECT \(id), \(names)\(serverID), \(added) FROM \(table) AS shown
            WHERE \(isDeleted("shown.\(id)"))
            """,
            "DELETE FROM \(table) WHERE \(id) IN (SELECT id FROM \(hidden))",
        ]
    }

    /// What a document that was made anew cannot tell, the next pull brings.
    var likeDocuments: [String] {
        guard !fields.isEmpty else { return [] }
        let projection = Projection(document: "known.document")
        let values = fields.map { "\(projection.shown($0)) AS \(part($0))" }
        func follow(_ rows: SQLName, _ id: SQLName, _ name: (Column) -> SQLName) -> String {
            let changes = fields.map { "\(name($0)) = read.\(part($0))" }
            let differs = fields.map { "\(rows).\(name($0)) IS NOT read.\(part($0))" }
            return """
                UPDATE \(rows) SET \(changes.joined(separator: ", "))
                FROM (SELECT known.id, \(values.joined(separator: ",\n        "))
                    FROM \(known) AS known WHERE NOT \(has("known.id", "kind = 'update'"))) AS read
                WHERE read.id = \(rows).\(id) AND (\(differs.anyHolds))
                """
        }
        return [
            follow(table, id) { SQLName($0.name) },
            follow(hidden, SQLName("id")) { part($0) },
        ]
    }

    /// A row of a list that takes no new ones is the server's, and the next pull brings it.
    private var unknown: [String] {
        [
            "DELETE FROM \(table) WHERE \(id) NOT IN (SELECT id FROM \(known))",
            "DELETE FROM \(hidden) WHERE id NOT IN (SELECT id FROM \(known))",
        ]
    }

    var unusable: String {
        let cases = creatable.map { column in
            let wrong = unsendable(column)
            return "WHEN \(wrong.anyHolds) THEN \(SQLText(column.name))"
        }
        return """
            SELECT shown.\(id), CASE \((cases + ["WHEN false THEN ''"]).joined(separator: "\n    ")) END AS wrong
            FROM \(table) AS shown WHERE wrong IS NOT NULL AND NOT \(isKnown("shown.\(id)"))
            """
    }

    /// What the column of a new row cannot be: a condition each, none where it can be anything.
    private func unsendable(_ column: Column) -> [String] {
        let value = "shown.\(SQLName(column.name))"
        let bytes = "length(CAST(\(value) AS BLOB))"
        var wrong = column.isRequired ? ["\(value) IS NULL"] : []
        switch column.field?.type {
        case .text, .json:
            if column.field?.type == .text, !column.mayBeEmpty { wrong.append("\(bytes) = 0") }
            wrong.append("\(bytes) > \(column.byteLimit)")
            wrong.append("instr(CAST(\(value) AS BLOB), x'00') > 0")
        case .boolean: wrong.append("\(value) NOT IN (0, 1)")
        case .real, .realText: wrong.append("abs(\(value)) = 9e999")
        case .integer, .integerText, .row, .rowText, nil: break
        }
        return wrong
    }
}
