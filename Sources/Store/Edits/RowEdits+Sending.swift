internal import Declarations
internal import Rules
internal import SQLite
internal import Tables
internal import Text

/// What an operation sends.
struct Payload {
    /// As it is kept in `operation.sent`.
    let sent: String
    /// The fields of an update.
    let bits: Int64
    /// An update that changes nothing.
    let isNothing: Bool
    /// A column that refers to a row which the server does not have; nil: each of them has its row.
    let homeless: String?
    /// The fields of an update that another call takes: they wait for it.
    let others: Int64

    /// Tells it from others, in each process alike: FNV-1a, 64 bits.
    /// Source: https://www.rfc-editor.org/rfc/rfc9923
    var hash: Int64 {
        let hash = sent.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }
}

/// What is sent is frozen with the intent.
extension RowEdits {
    /// What the operation would send, where nothing is frozen yet.
    func payload(of operation: OperationSequence) throws -> Payload? {
        let found = try connection.first(
            "SELECT kind, row_id FROM operation WHERE seq = ? AND kind <> 'delete' AND sent IS NULL",
            .integer(operation.rawValue)
        ) { (OperationKind(rawValue: $0.text(0)) ?? .create, $0.integer(1)) }
        return try found.map { try payload($0, of: $1) }
    }

    /// Freezes what the operation sends. What another call takes of the row's edits is an operation of its own, which
    /// goes after it.
    func freeze(_ operation: OperationSequence, _ payload: Payload) throws(SQLiteError) {
        try connection.run(
            sql.freeze, .integer(operation.rawValue), .text(payload.sent), .integer(payload.bits))
        guard payload.others != 0 else { return }
        try connection.run(
            sql.leave, .integer(operation.rawValue), .integer(payload.others))
    }

    /// `operation` with the values that were frozen, whatever the row has become since.
    func asFrozen(_ operation: OutgoingOperation) throws -> OutgoingOperation {
        guard operation.kind != .delete else { return operation }
        let names = writable { _ in true }.map(\.name)
        let sent = try connection.all(
            """
            SELECT CAST(field.key AS INTEGER), sent -> ('$."' || field.key || '"')
            FROM operation, json_each(operation.sent) AS field
            WHERE seq = ? AND field.key NOT IN ('rows', 'names')
            """, .integer(operation.sequence.rawValue)
        ) { (names[Int($0.integer(0))], $0.text(1)) }
        let named = try connection.all(
            """
            SELECT field.key, json_quote(field.value)
            FROM operation, json_each(operation.sent, '$.names') AS field WHERE seq = ?
            """, .integer(operation.sequence.rawValue)
        ) { ($0.text(0), $0.text(1)) }
        var frozen = operation
        if operation.kind == .create {
            frozen.values = Dictionary(sent + named) { first, _ in first }
        } else {
            frozen.changed = Dictionary(sent + named) { first, _ in first }
            let row = try connection.first(
                "SELECT row_id FROM operation WHERE seq = ?",
                .integer(operation.sequence.rawValue)
            ) { $0.integer(0) }
            frozen.document = try row.flatMap { try knownDocument(of: $0) }
        }
        return frozen
    }

    func payload(
        _ kind: OperationKind, of row: Int64
    ) throws(SQLiteError) -> Payload {
        let places = Dictionary(
            writable { _ in true }.enumerated().map { ($1.name, $0) }
        ) { first, _ in first }
        let columns = writable { kind == .create ? $0.isForCreates : $0.isForUpdates }
        var values =
            try connection.first(
                kind == .create ? sql.creation : sql.payload, .integer(row)
            ) { row in columns.indices.map { row.textOrNil($0) } } ?? []
        let others = kind == .update ? leaveOthers(&values, columns) : 0
        var sent: [String] = []
        var bits: Int64 = 0
        for (column, value) in zip(columns, values) {
            guard let value else { continue }
            sent.append("\"\(places[column.name] ?? 0)\":\(value)")
            bits |= bit(of: column)
        }
        let isNothing = kind == .update && sent.isEmpty
        let given = Set(zip(columns, values).filter { $1 != nil }.map(\.0.name))
        let rows = try references(of: row).filter { given.contains($0.column) }
        if !rows.isEmpty {
            let numbers = rows.map { "\"\(places[$0.column] ?? 0)\":\($0.number)" }
            sent.append("\"rows\":{\(numbers.joined(separator: ","))}")
        }
        let named = try names(sentBy: kind, of: row, given: given)
        if let named { sent.append("\"names\":\(named)") }
        return Payload(
            sent: "{\(sent.joined(separator: ","))}", bits: bits, isNothing: isNothing,
            homeless: rows.first { !$0.isKnown }?.column, others: others)
    }

    private func bit(of column: Column) -> Int64 {
        sql.fields.first { $0.name == column.name }?.bit ?? 0
    }

    /// Takes the values away that the next call does not take; returns their bits.
    private func leaveOthers(
        _ values: inout [String?], _ columns: [Column]
    ) -> Int64 {
        guard !table.declaration.actions.isEmpty else { return 0 }
        let changed = zip(columns, values).compactMap { column, value in
            value.map { (column.name, $0) }
        }
        let update = table.declaration.update(of: Dictionary(changed) { first, _ in first })
        // What no call takes is refused as it is.
        guard let update, !update.takes.isEmpty else { return 0 }
        var bits: Int64 = 0
        for (index, column) in columns.enumerated()
        where values[index] != nil && !update.takes.contains(column.name) {
            values[index] = nil
            bits |= bit(of: column)
        }
        return bits
    }

    /// What the call names of other rows, as JSON; nil where it names nothing, or an update leaves the references alone.
    private func names(
        sentBy kind: OperationKind, of row: Int64, given: Set<String>
    ) throws(SQLiteError) -> String? {
        let names = table.declaration.referredColumns(sentBy: kind == .create ? .create : .update)
        guard names.contains(where: { given.contains($0.column) }) else { return nil }
        let statement = kind == .create ? sql.creationNames : sql.updateNames
        let values =
            try connection.first(statement, .integer(row)) { row in
                names.indices.map { row.textOrNil($0) }
            } ?? []
        let members = zip(names, values).filter { given.contains($0.0.column) }.map { name, value in
            var key: [UInt8] = []
            JSONText.append(name.description, to: &key)
            return "\(String(decoding: key, as: UTF8.self)):\(value ?? "null")"
        }
        return "{\(members.joined(separator: ","))}"
    }

    /// The rows that the row refers to: the local number, and whether the server has it.
    private func references(
        of row: Int64
    ) throws(SQLiteError) -> [(column: String, number: Int64, isKnown: Bool)] {
        let columns = table.declaration.references
        guard !columns.isEmpty else { return [] }
        let found = try connection.first(sql.references, .integer(row)) { row in
            columns.indices.map {
                (
                    column: columns[$0].name, number: row.integerOrNil($0 * 2),
                    isKnown: row.integer($0 * 2 + 1) == 1
                )
            }
        }
        return (found ?? []).compactMap { one in
            one.number.map { (one.column, $0, one.isKnown) }
        }
    }

    private func writable(_ isMeant: (Column.Writing) -> Bool) -> [Column] {
        table.declaration.columns.filter { $0.field != nil && isMeant($0.writing) }
    }
}
