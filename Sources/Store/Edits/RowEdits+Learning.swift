internal import Host
public import Rules
internal import SQLite
internal import Tables
internal import Text

/// What a pull and an answer make of a row.
extension RowEdits {
    /// Carries out what the rules say of a row that the server shows as `document`. An answer `isPart` of the row where
    /// it may leave out what the row has.
    func carryOut(
        _ outcome: EditOutcome, on row: Int64, showing document: String, isPart: Bool = false
    ) throws {
        guard !outcome.isFrozen else { return }
        for conflict in outcome.conflicts { try record(conflict, of: row, against: document) }
        let old = try knownDocument(of: row) ?? document
        let shown = isPart ? try laid(document, over: old) : document
        let kept = try base(outcome, of: row, shown: shown, old: old)
        try remember(outcome, of: row, isWitnessed: !isPart)
        let isMoved = !CanonicalJSON.isSame(kept, old)
        guard isMoved || outcome.update != .stays || outcome.dropsDelete else { return }
        try applying {
            if isMoved, !outcome.isEcho {
                for statement in sql.takeOthers {
                    try connection.run(statement, .integer(row), .text(shown))
                }
            }
            for field in sql.fields where outcome.fields[field.name] == .taken {
                for statement in field.take {
                    try connection.run(statement, .integer(row), .text(shown))
                }
            }
            try end(outcome, on: row)
            try connection.run(sql.setDocument, .integer(row), .text(kept))
            let isBack = try outcome.dropsDelete && isHidden(row)
            if outcome.dropsDelete {
                try connection.run(
                    "DELETE FROM operation WHERE list = ? AND row_id = ? AND kind = 'delete'",
                    listName, .integer(row))
            }
            try endEmpty(try emptyMarks(of: row))
            try follow(row, isDelete: outcome.dropsDelete)
            let tell = isBack ? table.rowStatements?.tellAdded : table.rowStatements?.tellChanged
            if isBack || isMoved, let tell { try connection.run(tell, .integer(row)) }
        }
    }

    /// The document that the server has by the rules: as it shows it, but for columns that are undecided, and for
    /// those that it has acknowledged and does not show yet.
    private func base(
        _ outcome: EditOutcome, of row: Int64, shown: String, old: String
    ) throws -> String {
        // Of a row as it was before an answer, only columns that have moved since are taken.
        var kept = outcome.isEcho ? old : shown
        for field in sql.fields where (outcome.fields[field.name] == .frozen) != outcome.isEcho {
            kept = try patched(field.keep, kept, with: outcome.isEcho ? shown : old)
        }
        return try acknowledged(outcome, of: row, in: kept)
    }

    /// `document` with what was sent and acknowledged, and is not shown yet.
    func acknowledged(
        _ outcome: EditOutcome, of row: Int64, in document: String
    ) throws -> String {
        let fields = sql.fields.filter { outcome.fields[$0.name] == .acknowledged }
        guard !fields.isEmpty, let sent = try sent(of: row) else { return document }
        return try fields.reduce(document) { try patched($1.patch, $0, with: sent) }
    }

    /// `document` without the columns of these names.
    func leaveOut(_ names: Set<String>, of document: String) throws(SQLiteError) -> String {
        var rest = document
        for field in sql.fields where names.contains(field.name) {
            rest = try patched(field.keep, rest, with: "{}")
        }
        return rest
    }

    private func sent(of row: Int64) throws(SQLiteError) -> String? {
        try connection.first(
            """
            SELECT sent FROM operation WHERE list = ? AND row_id = ? AND sent IS NOT NULL
                AND (kind = 'create' OR kind = 'update' AND stage = 0 AND state <> 'acknowledged')
            """, listName, .integer(row)
        ) { $0.text(0) }
    }

    /// `answer` laid over the document that is known: what an answer leaves out stays.
    func laid(_ answer: String, over document: String) throws(SQLiteError) -> String {
        guard let statement = table.queueStatements?.laidOver else { return answer }
        return try patched(statement, document, with: answer)
    }

    /// A list or a read that shows the row `isWitnessed`: the row is there.
    private func remember(
        _ outcome: EditOutcome, of row: Int64, isWitnessed: Bool
    ) throws(SQLiteError) {
        let before = try trails.trail(of: row)
        guard before != nil || !outcome.trails.isEmpty else { return }
        let moments = outcome.trails.values.map(\.answeredAt)
        // What is remembered of an earlier boot came before all of this one.
        let later = moments.filter { $0.boot != before?.answeredAt.boot }
        let newest = (later.isEmpty ? moments : later).max { $0.milliseconds < $1.milliseconds }
        guard let answeredAt = newest ?? before?.answeredAt else { return }
        var trail = before ?? RowTrail(answeredAt: answeredAt)
        trail.answeredAt = answeredAt
        trail.fields = outcome.trails
        if isWitnessed { trail.isNew = false }
        if outcome.trails.values.allSatisfy(\.isShown) { trail.holdsEdits = false }
        if trail.fields.isEmpty, !trail.isNew, !outcome.isEarly {
            try trails.forget(row)
        } else if trail != before {
            try trails.keep(trail, of: row)
        }
    }

    /// The undecided update goes; what of it waits again is marked.
    private func end(_ outcome: EditOutcome, on row: Int64) throws {
        guard outcome.update != .stays else { return }
        if outcome.update == .isAcknowledged {
            try connection.run(
                """
                UPDATE operation SET state = 'acknowledged', undecided = 0, first_sent_boot = NULL,
                    first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL, last_error = NULL
                WHERE list = ? AND row_id = ? AND kind = 'update' AND stage = 0
                """, listName, .integer(row))
            return
        }
        let again = sql.fields.filter { outcome.fields[$0.name] == .waitsAgain }
            .reduce(0) { $0 | $1.bit }
        guard again != 0 else {
            try connection.run(
                """
                DELETE FROM operation
                WHERE list = ? AND row_id = ? AND kind = 'update' AND stage = 0
                """, listName, .integer(row))
            return
        }
        let mark = try liftMark(of: row)
        try connection.run(
            """
            UPDATE operation SET refuted = refuted + (last_status IS NOT NULL AND behind <> 1), undecided = 0,
                state = ?3, stage = 1, fields = ?4, first_sent_boot = NULL, first_sent_ms = NULL,
                missed_boot = NULL, missed_ms = NULL
            WHERE list = ?1 AND row_id = ?2 AND kind = 'update' AND stage = 0
            """, listName, .integer(row),
            .text(
                (outcome.update == .isRejected ? OperationState.rejected : .queued).rawValue),
            .integer(again))
        try join(mark, to: .update, of: row)
    }

    /// Records every edit of a row that is not at the server any more, unless it was to be deleted.
    func recordGone(_ row: Int64) throws {
        guard let layers = try self.row(row, showing: nil),
            layers.delete == nil || layers.delete == .rejected
        else { return }
        for field in layers.fields {
            if field.waiting != nil {
                try record(EditConflict(field.name, .gone, .waiting), of: row, against: nil)
            } else if field.sent != nil, layers.update != nil {
                try record(EditConflict(field.name, .gone, .sent), of: row, against: nil)
            }
        }
    }

    /// Tells the person of the conflict.
    func record(
        _ conflict: EditConflict, of row: Int64, against document: String?
    ) throws {
        guard let field = sql.fields.first(where: { $0.name == conflict.field }) else { return }
        var remembered: String?
        let own: Value
        switch conflict.own {
        case .waiting: own = .integer(0)
        case .sent: own = .integer(1)
        case .acknowledged:
            own = .integer(2)
            remembered = try trails.trail(of: row)?.fields[conflict.field]?.sent.text
        case .known:
            own = .integer(2)
            let known = try self.row(row, showing: nil)?.fields
            remembered = known?.first { $0.name == conflict.field }?.base.text
        case .none: own = .null
        }
        try connection.run(
            field.record, .integer(row), .text(document), .text(conflict.reason.rawValue), own,
            .text(remembered))
    }

    private func isHidden(_ row: Int64) throws(SQLiteError) -> Bool {
        try connection.count(sql.isHidden, .integer(row)) == 1
    }

    private func patched(
        _ statement: String, _ document: String, with other: String
    ) throws(SQLiteError) -> String {
        try connection.first(statement, .text(document), .text(other)) { $0.text(0) } ?? document
    }
}

extension RowEdits {
    /// Brings rows that programs have changed to what `rule` says of each, where the server shows it. Returns how
    /// many updates were decided.
    func learn(_ rows: [ReadRow], by rule: (EditedRow, ReadRow) -> EditOutcome) throws -> Int {
        var decided = 0
        for shown in rows {
            guard
                let row = try row(
                    shown.row, showing: shown.document, isList: shown.isFromList)
            else { continue }
            let outcome = rule(row, shown)
            if outcome.update != .stays { decided += 1 }
            try carryOut(outcome, on: shown.row, showing: shown.document)
        }
        return decided
    }
}

extension RowsPull {
    /// Brings the rows that programs have changed, and that the pull or a read beside it shows, to what `rule`
    /// says of each. Returns how many updates were decided.
    public func learnEdited(by rule: (EditedRow, ReadRow) -> EditOutcome) throws -> Int {
        guard let edits = RowEdits(connection: connection, table: table) else { return 0 }
        // One whose change was dropped meanwhile may have left with the list.
        let known = try beside.shown.filter { try edits.knownDocument(of: $0.row) != nil }
        return try edits.learn(pulledRows(edits) + known, by: rule)
    }

    private func pulledRows(_ edits: RowEdits) throws(SQLiteError) -> [ReadRow] {
        try connection.all(edits.sql.pulledRows) {
            ReadRow(listed: $0.integer(0), document: $0.text(1))
        }
    }

    /// The same of rows that a list had not shown and that this one shows again: what was sent of them before is
    /// decided by it.
    func learnReturned(by rule: (EditedRow, ReadRow) -> EditOutcome) throws -> Int {
        guard let edits = RowEdits(connection: connection, table: table) else { return 0 }
        let departed = try connection.all(
            "SELECT row_id FROM departed JOIN trail USING (list, row_id) WHERE list = ?",
            listName
        ) { $0.integer(0) }
        guard !departed.isEmpty else { return 0 }
        return try edits.learn(
            pulledRows(edits).filter { departed.contains($0.row) }, by: rule)
    }
}
