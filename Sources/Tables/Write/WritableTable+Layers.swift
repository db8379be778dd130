internal import Declarations

/// The layers of a column, as SQL: what the server has, what was sent and is not decided, and what waits.
extension WritableTable {
    func key(_ column: Column) -> String {
        "\(fields.firstIndex(of: column) ?? 0)"
    }

    func bit(_ column: Column) -> UInt64 {
        updatable.firstIndex(of: column).map { 1 << UInt64($0) } ?? 0
    }

    func sentPlace(_ column: Column) -> String { "'$.\"\(key(column))\"'" }

    func value(_ column: Column, in document: String) -> String {
        "(\(Projection(document: document).value(column)))"
    }

    /// What the table shows of a value that was sent, `value`: of a row the number that it had here, whatever the
    /// server has made of it since.
    private func shown(_ column: Column, ofSent value: String, in sent: String) -> String {
        column.reference == nil ? value : sentRow(column, in: sent)
    }

    /// The local number of the row that was sent.
    func sentRow(_ column: Column, in sent: String) -> String {
        "\(sent) ->> '$.rows.\"\(key(column))\"'"
    }

    /// Whether an update of `operation` that is not decided lets its row refer to another one than `row`.
    func moves(_ column: Column, from row: String) -> String {
        """
        operation.state <> 'acknowledged' AND iif(operation.stage = 1,
            (operation.fields & \(bit(column))) <> 0 AND \(ownValue(of: column)) IS NOT \(row),
            json_type(operation.sent, \(sentPlace(column))) IS NOT NULL
                AND \(sentRow(column, in: "operation.sent")) IS NOT \(row))
        """
    }

    /// As the row shows it, or would if no delete hid it.
    func shown(_ column: Column, of row: String) -> String {
        """
        coalesce(
            (SELECT shown.\(SQLName(column.name)) FROM \(table) AS shown WHERE shown.\(id) = \(row)),
            (SELECT hidden.\(part(column)) FROM \(hidden) AS hidden WHERE hidden.id = \(row)))
        """
    }

    private static let isUndecided = """
        (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
            OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))
        """

    private func wasSent(_ column: Column, of row: String) -> String {
        has(row, "\(Self.isUndecided) AND json_type(sent, \(sentPlace(column))) IS NOT NULL")
    }

    /// What the undecided update or create of the row says.
    func sent(_ column: Column, of row: String) -> String {
        let value = Projection(document: "sent").value(column, quotedPlace: sentPlace(column))
        return "(SELECT \(value) \(operations(row, Self.isUndecided)))"
    }

    /// As the table shows it.
    func sentShown(_ column: Column, of row: String) -> String {
        let value = Projection(document: "sent").value(column, quotedPlace: sentPlace(column))
        let shown = shown(column, ofSent: value, in: "sent")
        return "(SELECT \(shown) \(operations(row, Self.isUndecided)))"
    }

    private func base(_ column: Column, of row: String) -> String {
        """
        (SELECT \(value(column, in: "known.document")) FROM \(known) AS known WHERE known.id = \(row))
        """
    }

    /// What the table shows of the server's value.
    func baseShown(_ column: Column, of row: String) -> String {
        column.shown(base(column, of: row))
    }

    private func beneath(_ column: Column, of row: String) -> String {
        "iif(\(wasSent(column, of: row)), \(sent(column, of: row)), \(base(column, of: row)))"
    }

    private func beneathShown(_ column: Column, of row: String) -> String {
        let (sent, base) = (sentShown(column, of: row), baseShown(column, of: row))
        return "iif(\(wasSent(column, of: row)), \(sent), \(base))"
    }

    /// Where the doubt of what lay beneath has been ended since, the dropped edit knows what was sent.
    func beneathDropped(_ column: Column, of row: String) -> String {
        let isKept = "kind = 'update' AND json_type(sent, \(sentPlace(column))) IS NOT NULL"
        let sent = Projection(document: "sent").value(column, quotedPlace: sentPlace(column))
        let value = shown(column, ofSent: sent, in: "sent")
        return """
            iif(\(has(row, isKept, in: "withdrawn")),
                (SELECT \(value) \(operations(row, isKept, in: "withdrawn")) LIMIT 1),
                \(beneathShown(column, of: row)))
            """
    }

    private func isMarked(_ column: Column, of row: String) -> String {
        has(row, "\(Self.isMark) AND (fields & \(bit(column))) <> 0")
    }

    /// Whether the row shows a value of the column that waits, or that was sent and is not decided.
    func isOwn(_ column: Column, of row: String) -> String {
        "(\(isMarked(column, of: row)) OR \(wasSent(column, of: row)))"
    }

    func isEdit(_ column: Column, of row: String) -> String {
        guard bit(column) != 0 else { return "false" }
        let own = column.compared(shown(column, of: row))
        let differs = Equality.differ(column, own, beneath(column, of: row))
        return "(\(isMarked(column, of: row)) AND \(differs))"
    }

    var layers: String {
        let columns = editable.map { column in
            [
                Equality.text(column, base(column, of: "?1")), wasSent(column, of: "?1"),
                Equality.text(column, sent(column, of: "?1")), isEdit(column, of: "?1"),
                Equality.text(column, column.compared(shown(column, of: "?1"))),
                Equality.text(column, value(column, in: "?2")),
            ].joined(separator: ",\n    ")
        }
        return select(columns)
    }

    /// The value by which a create is looked for: what was sent, whatever the row has become since.
    func sentOrOwn(_ column: Column) -> String {
        let value = Projection(document: "operation.sent")
            .value(column, quotedPlace: sentPlace(column))
        let own = column.compared(ownValue(of: column))
        return "iif(operation.sent IS NULL, \(own), \(value))"
    }

    /// Whether a create looks for its row by what was frozen with its intent: what the row shows may change meanwhile,
    /// and what the server calls a row that it refers to is known only then.
    var isFrozen: Bool { updates || fields.contains { $0.reference != nil } }

    /// The value by which a create is looked for.
    func lookedFor(_ column: Column) -> String {
        isFrozen ? sentOrOwn(column) : ownValue(of: column)
    }
}
