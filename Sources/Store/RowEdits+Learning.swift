public import Rules
internal import SQLite
internal import Tables

/// What a pull and an answer make of a row.
extension RowEdits {
    /// Carries out what the rules say of a row that the server shows as `document`.
    func carryOut(_ outcome: EditOutcome, on row: Int64, showing document: String) throws {
        guard !outcome.isFrozen else { return }
        for conflict in outcome.conflicts { try record(conflict, of: row, against: document) }
        let old = try knownDocument(of: row) ?? document
        var kept = document
        for field in sql.fields where outcome.fields[field.name] == .frozen {
            kept = try patched(field.keep, kept, with: old)
        }
        guard kept != old || outcome.update != .stays || outcome.dropsDelete else { return }
        try applying {
            if kept != old {
                for statement in sql.takeOthers {
                    try connection.run(statement, .integer(row), .text(document))
                }
            }
            for field in sql.fields where outcome.fields[field.name] == .taken {
                for statement in field.take {
                    try connection.run(statement, .integer(row), .text(document))
                }
            }
            try end(outcome, on: row)
            try connection.run(sql.setDocument, .integer(row), .text(kept))
            let isBack = try outcome.dropsDelete && isHidden(row)
            if outcome.dropsDelete {
                try connection.run(
                    "DELETE FROM operation WHERE resource = ? AND row_id = ? AND kind = 'delete'",
                    resource, .integer(row))
            }
            try endEmpty(try emptyMarks(of: row))
            try follow(row, isDelete: outcome.dropsDelete)
            let tell = isBack ? table.rowStatements?.tellAdded : table.rowStatements?.tellChanged
            if isBack || kept != old, let tell { try connection.run(tell, .integer(row)) }
        }
    }

    /// The undecided update goes; what of it waits again is marked.
    private func end(_ outcome: EditOutcome, on row: Int64) throws {
        guard outcome.update != .stays else { return }
        let again = sql.fields.filter { outcome.fields[$0.name] == .waitsAgain }
            .reduce(0) { $0 | $1.bit }
        guard again != 0 else {
            try connection.run(
                """
                DELETE FROM operation
                WHERE resource = ? AND row_id = ? AND kind = 'update' AND stage = 0
                """, resource, .integer(row))
            return
        }
        let mark = try liftMark(of: row)
        try connection.run(
            """
            UPDATE operation SET refuted = refuted + (last_status IS NOT NULL), undecided = 0,
                state = ?3, stage = 1, fields = ?4, first_sent_boot = NULL, first_sent_ms = NULL,
                missed_boot = NULL, missed_ms = NULL
            WHERE resource = ?1 AND row_id = ?2 AND kind = 'update' AND stage = 0
            """, resource, .integer(row),
            .text(
                (outcome.update == .isRejected ? OperationState.rejected : .queued).rawValue),
            .integer(again))
        try join(mark, to: .update, of: row)
    }

    /// The server took the update of the row, and did not answer with the row: what was sent is its base.
    func acknowledge(_ row: Int64) throws {
        let sent = try connection.first(
            """
            SELECT sent FROM operation
            WHERE resource = ? AND row_id = ? AND kind = 'update' AND stage = 0
            """, resource, .integer(row)
        ) { $0.text(0) }
        guard let sent, var document = try knownDocument(of: row),
            let layers = try self.row(row, showing: document)
        else { return }
        for field in sql.fields
        where layers.fields.contains(where: { $0.name == field.name && $0.sent != nil }) {
            document = try patched(field.patch, document, with: sent)
        }
        try applying {
            try connection.run(sql.setDocument, .integer(row), .text(document))
            try connection.run(
                """
                DELETE FROM operation
                WHERE resource = ? AND row_id = ? AND kind = 'update' AND stage = 0
                """, resource, .integer(row))
            try endEmpty(try emptyMarks(of: row))
            try follow(row)
        }
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

    private func record(
        _ conflict: EditConflict, of row: Int64, against document: String?
    ) throws(SQLiteError) {
        guard let field = sql.fields.first(where: { $0.name == conflict.field }) else { return }
        let own: Value =
            switch conflict.own {
            case .waiting: .integer(0)
            case .sent: .integer(1)
            case .none: .null
            }
        try connection.run(
            field.record, .integer(row), .text(document), .text(conflict.reason.rawValue), own)
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
    func learn(_ rows: [ReadRow], by rule: (EditedRow) -> EditOutcome) throws -> Int {
        var decided = 0
        for shown in rows {
            guard let row = try row(shown.row, showing: shown.document) else { continue }
            let outcome = rule(row)
            if outcome.update != .stays { decided += 1 }
            try carryOut(outcome, on: shown.row, showing: shown.document)
        }
        return decided
    }
}

extension RowsPull {
    /// Brings the rows that programs have changed, and that the pull or a read beside it shows, to what `rule`
    /// says of each. Returns how many updates were decided.
    public func learnEdited(by rule: (EditedRow) -> EditOutcome) throws -> Int {
        guard let edits = RowEdits(connection: connection, table: table) else { return 0 }
        let pulled = try connection.all(edits.sql.pulledRows) {
            ReadRow(row: $0.integer(0), document: $0.text(1))
        }
        return try edits.learn(pulled + beside.shown, by: rule)
    }
}
