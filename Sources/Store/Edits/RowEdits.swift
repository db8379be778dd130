internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// The edits of the rows of one list, as a pull and an answer change them, inside the caller's transaction.
struct RowEdits {
    let connection: Connection
    let table: ListTable
    let sql: EditStatements

    /// Nil where no row can be changed.
    init?(connection: Connection, table: ListTable) {
        guard let sql = table.editStatements else { return nil }
        self.connection = connection
        self.table = table
        self.sql = sql
    }

    var listName: Value { .text(table.declaration.name.text) }
    var trails: RowTrails { RowTrails(connection: connection, name: table.declaration.name) }

    /// A row in its layers, where the server shows `document` of it; nil where it is gone. An answer `isPart` of the
    /// row, where it may leave out columns.
    func row(
        _ row: Int64, showing document: String?, isPart: Bool = false, isList: Bool = false
    ) throws -> EditedRow? {
        let trail = try trails.trail(of: row)
        let remembered = trail?.fields ?? [:]
        let isShown = isPart ? try columns(shownBy: document) : nil
        let fields = try connection.first(sql.layers, .integer(row), .text(document)) { layers in
            sql.fields.enumerated().map { place, field in
                let first = place * 6
                let shown = FieldValue(layers.textOrNil(first + 4))
                var edited = EditedField(
                    name: field.name, base: FieldValue(layers.textOrNil(first)),
                    sent: layers.integer(first + 1) == 1
                        ? FieldValue(layers.textOrNil(first + 2)) : nil,
                    waiting: layers.integer(first + 3) == 1 ? shown : nil,
                    shown: FieldValue(layers.textOrNil(first + 5)), trail: remembered[field.name])
                edited.empty = field.empty.map { FieldValue($0) }
                if isList, field.isFromReads { edited.isShown = false }
                if let isShown { edited.isShown = isShown.contains(field.name) }
                return edited
            }
        }
        guard let fields else { return nil }
        let update = try connection.first(
            """
            SELECT state, sent_boot, sent_ms, settling_ms, iif(behind = 1, NULL, last_status), refuted FROM operation
            WHERE list = ? AND row_id = ? AND kind = 'update' AND stage = 0
            """, listName, .integer(row)
        ) { row in
            EditedRow.Update(
                state: OperationState(rawValue: row.text(0)) ?? .inDoubt, sentAt: row.bootTime(1),
                settlingTime: row.integerOrNil(3).map { .milliseconds($0) },
                lastStatus: row.integerOrNil(4).map { Int(clamping: $0) },
                refuted: Int(clamping: row.integer(5)))
        }
        let delete = try connection.first(
            "SELECT state FROM operation WHERE list = ? AND row_id = ? AND kind = 'delete'",
            listName, .integer(row)
        ) { OperationState(rawValue: $0.text(0)) }
        var edited = EditedRow(fields: fields, update: update, delete: delete ?? nil)
        edited.answeredAt = trail?.answeredAt
        return edited
    }

    /// The columns that the document has, null or not.
    private func columns(shownBy document: String?) throws -> Set<String> {
        guard let document else { return [] }
        let shown = try connection.first(
            "SELECT \(sql.fields.map(\.isShown).joined(separator: ", "))", .text(document)
        ) { row in sql.fields.indices.map { row.integer($0) == 1 } }
        return Set(zip(sql.fields, shown ?? []).filter(\.1).map(\.0.name))
    }

    func emptyMarks(of row: Int64?) throws(SQLiteError) -> [(sequence: Int64, row: Int64)] {
        try connection.all(sql.empty, .integer(row)) { ($0.integer(0), $0.integer(1)) }
    }

    /// The row of each is to be followed.
    func endEmpty(_ marks: [(sequence: Int64, row: Int64)]) throws(SQLiteError) {
        for mark in marks {
            try connection.run("DELETE FROM operation WHERE seq = ?", .integer(mark.sequence))
        }
    }

    /// See ``ListRows/follow(_:isDelete:)``.
    func follow(_ row: Int64, isDelete: Bool = false) throws(SQLiteError) {
        try ListRows(connection: connection, table: table).follow(row, isDelete: isDelete)
    }

    func knownDocument(of row: Int64) throws(SQLiteError) -> String? {
        try connection.first(sql.document, .integer(row)) { $0.text(0) }
    }

    func applying(_ body: () throws -> Void) throws {
        try connection.beginApplying(to: table)
        try body()
        try connection.endApplying()
    }
}

@available(*, unavailable) extension RowEdits: Sendable {}
