internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Text

/// What is remembered of rows that the server has acknowledged changes of, in the table `trail`.
struct RowTrails {
    let connection: Connection
    let name: ListName

    private var listName: Value { .text(name.text) }

    /// What is remembered of the row; nil: nothing.
    func trail(of row: Int64) throws(SQLiteError) -> RowTrail? {
        try connection.first(
            """
            SELECT answered_boot, answered_ms, is_new, is_claim, holds_edits, fields FROM trail
            WHERE list = ? AND row_id = ?
            """, listName, .integer(row)
        ) { found in
            let answeredAt = BootTime(boot: found.text(0), milliseconds: found.integer(1))
            return RowTrail(
                answeredAt: answeredAt, isNew: found.integer(2) == 1,
                isClaim: found.integer(3) == 1,
                holdsEdits: found.integer(4) == 1,
                fields: TrailText.fields(in: found.text(5), boot: answeredAt.boot))
        }
    }

    /// Remembers it from now on.
    func keep(_ trail: RowTrail, of row: Int64) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO trail (list, row_id, answered_boot, answered_ms, is_new, is_claim, holds_edits, fields)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (list, row_id) DO UPDATE SET answered_boot = ?3, answered_ms = ?4, is_new = ?5,
                is_claim = ?6, holds_edits = ?7, fields = ?8
            """, listName, .integer(row), .text(trail.answeredAt.boot),
            .integer(trail.answeredAt.milliseconds), .flag(trail.isNew), .flag(trail.isClaim),
            .flag(trail.holdsEdits),
            .text(TrailText.text(of: trail.fields, boot: trail.answeredAt.boot)))
    }

    /// Forgets it.
    func forget(_ row: Int64) throws(SQLiteError) {
        try connection.run(
            "DELETE FROM trail WHERE list = ? AND row_id = ?", listName, .integer(row))
    }
}

@available(*, unavailable) extension RowTrails: Sendable {}

/// The fields of a trail as text: `{"title":[answered_ms, shown, sent, own, [older, ...]]}`. `shown` is 0 for a value
/// that nothing has shown, 1 if an answer has, 2 if the server refused it in a success, and 3 if a list or a read has
/// shown it. `own` is left out as 0 where somebody else's value took its place; each value is a text or null.
enum TrailText {
    static func text(of fields: [String: FieldTrail], boot: String) -> String {
        var bytes = Array("{".utf8)
        for (name, trail) in fields.sorted(by: { $0.key < $1.key }) {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(name, to: &bytes)
            // A moment of another boot lies before this one began.
            let moment = trail.answeredAt.boot == boot ? trail.answeredAt.milliseconds : 0
            let shown = trail.isRefused ? 2 : trail.isWitnessed ? 3 : trail.isShown ? 1 : 0
            bytes += ":[\(moment),\(shown),".utf8
            append(trail.sent, to: &bytes)
            bytes.append(UInt8(ascii: ","))
            if let own = trail.own { append(own, to: &bytes) } else { bytes += "0".utf8 }
            bytes += ",[".utf8
            for (place, value) in trail.older.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                append(value, to: &bytes)
            }
            bytes += "]]".utf8
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: FieldValue, to bytes: inout [UInt8]) {
        if let text = value.text { JSONText.append(text, to: &bytes) } else { bytes += "null".utf8 }
    }

    /// What cannot be read is not remembered.
    static func fields(in text: String, boot: String) -> [String: FieldTrail] {
        guard let node = try? JSONReader.read(Array(text.utf8), maxDepth: 4),
            case .object(let members) = node.value
        else { return [:] }
        let fields = members.compactMap { member in
            trail(member.node, boot: boot).map { (member.key, $0) }
        }
        return Dictionary(fields) { first, _ in first }
    }

    private static func trail(_ node: JSONNode, boot: String) -> FieldTrail? {
        guard case .list(let parts) = node.value, parts.count == 5,
            case .number(let moment) = parts[0].value, let moment = Int64(moment),
            case .number(let shown) = parts[1].value, case .list(let older) = parts[4].value
        else { return nil }
        var trail = FieldTrail(
            sent: value(parts[2]) ?? FieldValue(nil), own: value(parts[3]),
            older: older.compactMap(value),
            answeredAt: BootTime(boot: boot, milliseconds: moment), isShown: shown != "0")
        trail.isRefused = shown == "2"
        trail.isWitnessed = shown == "3"
        return trail
    }

    private static func value(_ node: JSONNode) -> FieldValue? {
        switch node.value {
        case .null: FieldValue(nil)
        case .text(let text): FieldValue(text)
        case .bool, .number, .list, .object: nil
        }
    }
}
