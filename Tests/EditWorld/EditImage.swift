import SQLite

/// The rows and operations of a cache, as they are committed.
struct EditImage: Sendable {
    struct Row: Sendable {
        let id: Int64
        let serverID: String?
        /// A delete does not hide it.
        let isShown: Bool
        /// What it shows, or would.
        let values: [String?]
        /// What the server had; nil for a row that it does not have yet.
        let base: [String?]?
    }

    struct Operation: Sendable {
        let sequence: Int64
        let kind: String
        let row: Int64
        /// 0: sent and undecided, of an update.
        let stage: Int64
        let state: String
        let fields: Int64
        let attempts: Int64
        let key: String
        /// The moment of its last intent.
        let intent: Int64
        /// By field; of a field that was not sent, nil.
        let sent: [String??]

        var isUnsent: Bool { state == "queued" || state == "rejected" }
        /// The server has said yes, and nothing has shown it yet.
        var isAcknowledged: Bool { state == "acknowledged" }
    }

    struct Conflict: Sendable {
        let sequence: Int64
        let row: Int64
        let field: String
        let reason: String
        let mine: String?
        let theirs: String?
    }

    var rows: [Int64: Row] = [:]
    /// In their order.
    var operations: [Operation] = []

    /// What a program sees.
    var shown: [Row] { rows.values.filter(\.isShown).sorted { $0.id < $1.id } }

    func operations(of row: Int64, _ kind: String) -> [Operation] {
        operations.filter { $0.row == row && $0.kind == kind }
    }

    func hasUnsentCreate(_ row: Int64) -> Bool {
        operations(of: row, "create").contains { $0.isUnsent }
    }

    /// The create or the update of the row that may be on its way; else the newest that the server has said yes to
    /// and that nothing has shown.
    func undecided(_ row: Int64) -> Operation? {
        let sent = operations.filter {
            $0.row == row
                && ($0.kind == "update" && $0.stage == 0 || $0.kind == "create" && !$0.isUnsent)
        }
        return sent.first { !$0.isAcknowledged } ?? sent.last
    }

    /// What lies beneath an edit of a field.
    func beneath(_ field: Int, of row: Int64) -> String? {
        if let operation = undecided(row), !operation.isAcknowledged,
            let sent = operation.sent[field]
        {
            return sent
        }
        return rows[row]?.base?[field]
    }

    /// What a trace shows of it: a line for each row and each operation.
    var lines: [String] {
        func text(_ values: [String?]) -> String {
            values.map { $0 ?? "" }.joined(separator: "|")
        }
        let rows = rows.values.sorted { $0.id < $1.id }.map { row in
            "row \(row.id)|\(row.serverID ?? "")|\(text(row.values))"
                + "\(row.isShown ? "" : " hidden") over \(row.base.map(text) ?? "nothing")"
        }
        let operations = operations.map { one in
            "\(one.kind) of \(one.row) \(one.state), stage \(one.stage), fields \(one.fields),"
                + " attempts \(one.attempts), sent \(text(one.sent.map { $0 ?? nil }))"
        }
        return rows + operations
    }

    /// Whether anything waits that is not refused for good.
    var hasWork: Bool { operations.contains { $0.state != "rejected" } }
}

/// Reads the images of a cache.
struct EditImageReader: Sendable {
    private let shownRows: String
    private let hiddenRows: String
    private let queue: String
    private let count: Int

    init(fields: [EditField]) {
        count = fields.count
        func query(_ table: String, _ id: String, _ prefix: String, isShown: Bool) -> String {
            let own = fields.map { "one.\(prefix)\($0.name)" }.joined(separator: ", ")
            let known = fields.map { "known.document ->> '$.\($0.name)'" }.joined(separator: ", ")
            return """
                SELECT one.\(id), known.server_id, known.id IS NOT NULL, \(own), \(known)
                FROM \(table) AS one LEFT JOIN s_notes AS known ON known.id = one.\(id)
                """
        }
        shownRows = query("notes", "_id", "", isShown: true)
        hiddenRows = query("d_notes", "id", "c_", isShown: false)
        let sent = fields.indices.map { "sent ->> '$.\"\($0)\"', json_type(sent, '$.\"\($0)\"')" }
        queue = """
            SELECT seq, kind, row_id, stage, state, fields, attempts, idempotency_key, sent_ms,
                \(sent.joined(separator: ", "))
            FROM operation ORDER BY seq
            """
    }

    func image(_ connection: Connection) throws -> EditImage {
        var image = EditImage()
        for (query, isShown) in [(shownRows, true), (hiddenRows, false)] {
            try connection.each(query, []) { row in
                image.rows[row.integer(0)] = EditImage.Row(
                    id: row.integer(0), serverID: row.textOrNil(1), isShown: isShown,
                    values: (0..<count).map { EditValue.form(row.textOrNil(3 + $0)) },
                    base: row.integer(2) == 0
                        ? nil
                        : (0..<count).map { EditValue.form(row.textOrNil(3 + count + $0)) })
            }
        }
        image.operations = try connection.all(queue) { row in
            EditImage.Operation(
                sequence: row.integer(0), kind: row.text(1), row: row.integer(2),
                stage: row.integer(3), state: row.text(4), fields: row.integer(5),
                attempts: row.integer(6), key: row.text(7), intent: row.integer(8),
                sent: (0..<count).map { place in
                    row.isNull(10 + 2 * place)
                        ? .none
                        : .some(EditValue.form(row.textOrNil(9 + 2 * place)))
                })
        }
        return image
    }

    func conflicts(_ connection: Connection, after sequence: Int64) throws -> [EditImage.Conflict] {
        try connection.all(
            """
            SELECT seq, row_id, field, why, mine, theirs FROM conflict WHERE seq > ? ORDER BY seq
            """, .integer(sequence)
        ) { row in
            EditImage.Conflict(
                sequence: row.integer(0), row: row.integer(1), field: row.text(2),
                reason: row.text(3), mine: EditValue.form(row.textOrNil(4)),
                theirs: EditValue.form(row.textOrNil(5)))
        }
    }
}
