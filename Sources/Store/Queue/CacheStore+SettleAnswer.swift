internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// What the answer to an operation shows.
extension CacheStore {
    /// Finds the row in the answer, and whose it is.
    func read(
        _ acceptance: Acceptance, of operation: inout SettlingOperation, in table: ListTable
    ) throws {
        guard let sql = table.queueStatements else { return }
        let statements =
            switch operation.kind {
            case .create, .delete: [sql.answered]
            case .update: sql.answeredUpdates
            }
        var answered: (id: String, document: String)?
        for statement in statements where answered == nil && !acceptance.body.isEmpty {
            answered = try rows(
                in: acceptance.body, statement, part: try part(of: operation.sequence, in: table)
            ).first
        }
        operation.facts.isRow = answered != nil
        guard acceptance.mayShowRow else { return try readUpdated(nil, of: &operation, in: table) }
        switch operation.kind {
        case .create: try readCreated(answered, acceptance, of: &operation, in: table)
        case .update: try readUpdated(answered, of: &operation, in: table)
        case .delete: break
        }
    }

    private func rows(
        in body: [UInt8], _ statement: String, part: [Value]
    ) throws -> [(id: String, document: String)] {
        try JSONStaging(connection: connection, body: body).all(statement, values: part) {
            ($0.text(0), $0.text(1))
        }
    }

    /// The part of the row of an operation, where the list has parts: an answer does not say it.
    private func part(
        of operation: OperationSequence, in table: ListTable
    ) throws -> [Value] {
        guard let statement = table.parts?.partOfOperation else { return [] }
        let part = try connection.first(statement, .integer(operation.rawValue)) { $0.textOrNil(0) }
        return [.text(part ?? nil)]
    }

    /// The row of a create. One that is not what was sent is another row, and names nothing.
    private func readCreated(
        _ shown: (id: String, document: String)?, _ acceptance: Acceptance,
        of operation: inout SettlingOperation, in table: ListTable
    ) throws {
        guard let sql = table.queueStatements else { return }
        if let shown, try isWhatWasSent(shown, by: operation, in: table) {
            operation.answered = shown
        } else if let id = try named(by: acceptance, sql) {
            try connection.each(
                sql.named, [.text(id)] + part(of: operation.sequence, in: table)
            ) { operation.answered = ($0.text(0), $0.text(1)) }
            operation.isClaim = true
        }
        guard let answered = operation.answered else { return }
        let holder = try connection.first(
            sql.owner, .text(answered.id), .integer(operation.row), .text(answered.document)
        ) { row in
            (
                id: row.integer(0), isSame: row.integer(1) == 1,
                isUnconfirmed: row.integer(2) == 1
            )
        }
        operation.facts.edited = try edits(of: table)?
            .row(operation.row, showing: answered.document, isPart: true)
        guard let holder else {
            operation.facts.answer = .free
            return
        }
        operation.holder = holder.id
        let isEqual = try hasAllThatWasSent(holder.id, by: operation, in: table)
        if !holder.isSame, !operation.isClaim {
            operation.facts.answer = .reused(isConfirmed: !holder.isUnconfirmed)
        } else if try ListRows(connection: connection, table: table).isLeaving(holder.id) {
            guard try isEqual || operation.isClaim || wasSentDelete(of: holder.id, in: table)
            else {
                // The answer names another row.
                return
            }
            // The server has deleted that row, and has given its id to this one. Or it has merged the two: then the
            // one that is wanted stays.
            operation.facts.answer = .reused(isConfirmed: false)
        } else if isEqual, table.declaration.once == .look {
            // The server has merged the two.
            operation.facts.answer = .merged
        }
    }

    private func wasSentDelete(of row: Int64, in table: ListTable) throws(SQLiteError) -> Bool {
        try connection.count(
            """
            SELECT EXISTS (SELECT 1 FROM operation WHERE list = ? AND row_id = ?
                AND kind = 'delete' AND attempts > 0)
            """, .text(table.declaration.name.text), .integer(row)) == 1
    }

    private func named(
        by acceptance: Acceptance, _ sql: QueueStatements
    ) throws -> String? {
        guard let statement = sql.answeredID else { return acceptance.named }
        guard !acceptance.body.isEmpty else { return nil }
        let json = JSONStaging(connection: connection, body: acceptance.body)
        return try json.all(statement) { $0.textOrNil(0) }.first ?? nil
    }

    /// Whether the row of an answer is what the create sent, by the columns by which it would be looked for.
    private func isWhatWasSent(
        _ shown: (id: String, document: String), by operation: SettlingOperation,
        in table: ListTable
    ) throws -> Bool {
        guard let sql = table.queueStatements?.compared else { return true }
        let values = try connection.all(
            sql, .integer(operation.sequence.rawValue), .text(shown.document)
        ) { row in (0..<row.columnCount).map { row.textOrNil($0) } }
        guard values.count == 2 else { return true }
        let adoption = Adoption(table.declaration, marks: nil, titleCut: nil)
        let holder = try table.queueStatements.flatMap {
            try connection.first(
                $0.owner, .text(shown.id), .integer(operation.row), .text(shown.document)
            ) { $0.integer(0) }
        }
        guard adoption.isWhatWasSent(values[0], shown: values[1], isKnown: holder != nil) else {
            return false
        }
        try learnMark(
            adoption.keeping(sent: values[0], shown: values[1]), in: shown.document, of: table)
        return true
    }

    /// What an answer leaves out says nothing of marks.
    private func learnMark(
        _ keeping: MarkKeeping?, in document: String, of table: ListTable
    ) throws {
        guard let keeping, let showsMark = table.queueStatements?.showsMark,
            try connection.count(showsMark, .text(document)) == 1
        else { return }
        try ListMarks(connection: connection, table: table).learn(keeping)
    }

    /// Whether a row of the cache equals all that the create sent.
    private func hasAllThatWasSent(
        _ holder: Int64, by operation: SettlingOperation, in table: ListTable
    ) throws -> Bool {
        guard let answered = operation.answered, !operation.isClaim else { return false }
        guard let edits = edits(of: table), let sent = operation.facts.edited,
            let held = try edits.row(holder, showing: answered.document)
        else { return true }
        return zip(sent.fields, held.fields).allSatisfy { field, own in
            guard let value = field.sent else { return true }
            return field.isShown && field.shown == value && own.base == field.shown
        }
    }

    /// Finds the row in the answer to an update, if it is the one that was changed. One of another identity is
    /// another row, which has got the id since: the next list says what became of this one. One of another id can be
    /// the same row, if its id is made of what was changed.
    private func readUpdated(
        _ shown: (id: String, document: String)?, of operation: inout SettlingOperation,
        in table: ListTable
    ) throws {
        guard operation.kind == .update, let sql = table.queueStatements,
            let edits = edits(of: table)
        else { return }
        if let shown,
            try connection.count(
                sql.isSameRow, .integer(operation.row), .text(shown.id), .text(shown.document)) == 1
        {
            operation.answered = shown
        } else if let shown, try hasMoved(operation.row, to: shown, by: edits, sql) {
            operation.answered = shown
            operation.movedTo = shown.id
        } else {
            // A part of nothing.
            operation.answered = ("", "{}")
        }
        operation.facts.edited = try edits.row(
            operation.row, showing: operation.answered?.document, isPart: true)
    }

    private func hasMoved(
        _ row: Int64, to shown: (id: String, document: String), by edits: RowEdits,
        _ sql: QueueStatements
    ) throws -> Bool {
        let isTaken =
            try connection.first(
                sql.owner, .text(shown.id), .integer(row), .text(shown.document)
            ) { _ in true } ?? false
        guard !isTaken, let edited = try edits.row(row, showing: shown.document, isPart: true)
        else { return false }
        return edited.hasMoved(to: shown.id)
    }
}
