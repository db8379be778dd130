import SQLite
import Tables

/// What syncd does, by chance.
extension OracleRun {
    /// Another projection: rows that have a mark show values that no program wrote.
    func showOtherwise() throws {
        model.tidy()
        try syncd.transaction {
            for id in model.ids {
                guard let row = model.rows[id], row.mark != nil, row.create == nil,
                    row.isShown || row.delete == .queued, random.happens(70)
                else { continue }
                let marked = try syncd.layers(id).mark?.fields ?? 0
                for field in Field.written
                where field.bit & marked == 0 && row.sent[field] == nil && random.happens(50) {
                    let value = random.element(of: field.usual)
                    try syncd.write(id, syncd.layers(id), [field: value])
                    model.rows[id]?.unmarked[field] = value == row.under(field) ? nil : value
                    trace.append("row \(id) shows \(field.rawValue) as \(value.shown)")
                }
            }
        }
        try compare(after: "another projection")
    }

    /// Writes that no trigger sees, and the sweep that finds them.
    func writeUnseen() throws {
        model.tidy()
        try projectUnmarked()
        try syncd.transaction {
            var found = UnseenRows()
            for id in model.ids where random.happens(40) {
                guard let row = model.rows[id], row.state == "synced" else { continue }
                if random.happens(30) {
                    found.lost += 1
                    try cache.run("DELETE FROM notes WHERE id = ?", .integer(id))
                    trace.append("row \(id) leaves unseen")
                    continue
                }
                let field = random.element(of: Field.written)
                let value = random.element(of: field.usual)
                try cache.run(
                    "UPDATE notes SET \(field.rawValue) = ? WHERE id = ?", value, .integer(id))
                trace.append("row \(id) has \(field.rawValue) \(value.shown) unseen")
                if value != row.shown(field) {
                    found.changed += 1
                    model.rows[id]?.waiting = [field: value]
                    model.rows[id]?.mark = .queued
                }
            }
            if random.happens(30) {
                try cache.run("INSERT INTO notes (title) VALUES ('a')")
                model.largestID += 1
                found.new += 1
                var row = ModelRow()
                row.create = .queued
                row.created = [.title: .text("a")]
                model.rows[model.largestID] = row
                trace.append("row \(model.largestID) comes unseen")
            }
            let swept = try syncd.findUnseen(schema.sweep)
            guard swept == found else {
                throw Problem(description: "the sweep finds \(swept) and not \(found)")
            }
            for statement in schema.sweep.mend { try cache.run(statement) }
        }
        try compare(after: "the sweep")
    }

    func send() throws {
        model.tidy()
        try syncd.transaction {
            for operation in model.operations where random.happens(75) {
                let isReady = model.isReady(operation)
                guard try syncd.intend(operation) == isReady else {
                    throw Problem(
                        description:
                            "\(operation.kind) of \(operation.row) \(isReady ? "does not leave" : "leaves")"
                    )
                }
                guard isReady else { continue }
                model.send(operation)
                trace.append("send \(operation.kind) of \(operation.row)")
            }
        }
        try compare(after: "sending")
    }

    /// Answers to what is being sent. One that was lost may have been done.
    func hear(at step: Int) throws {
        model.tidy()
        try syncd.transaction {
            for operation in model.operations where operation.state == .sending {
                guard let row = model.rows[operation.row] else { continue }
                let answers: [Operation.Answer] = [
                    .done, .done, .rejected, .rejected, .notApplied, .lost, .lost,
                ]
                let answer = random.element(of: answers)
                var told: (id: String, fields: Fields)?
                if answer == .done || answer == .lost && random.happens(50) {
                    told = serve(operation, row, at: step)
                }
                if answer == .done, random.happens(20), let changed = told?.id {
                    server[changed]?[.title] = .text("trimmed")
                    told?.fields[.title] = .text("trimmed")
                }
                if answer != .done { told = nil }
                trace.append(
                    "answer to \(operation.kind) of \(operation.row): \(answer.rawValue)"
                        + (told.map { " \($0.id) \($0.fields.json)" } ?? ""))
                let document = told.map { ($0.id, $0.fields.document(&random)) }
                try syncd.hear(answer, to: operation, told: document)
                try model.hear(answer, to: operation, told: told)
            }
        }
        // The transaction has ended with a look, which stays where that of the comparison is undone.
        model.tidy()
        try compare(after: "the answers")
    }

    /// Does what a request says, and returns the row as it is then; sometimes nothing is told of it.
    private func serve(
        _ operation: Operation, _ row: ModelRow, at step: Int
    ) -> (id: String, fields: Fields)? {
        switch operation.kind {
        case .create:
            let usual: Fields = [
                .title: .text(""), .body: .null, .done: .integer(0), .changed: .text("t0"),
                .book: .null,
            ]
            let fields = usual.merging(row.creation) { $1 }
            return (server.add(fields), fields)
        case .update:
            guard let id = row.serverID, var fields = server[id] else { return nil }
            fields.merge(row.sent) { $1 }
            fields[.changed] = .text("t\(step)")
            server[id] = fields
            return random.happens(70) ? (id, fields) : nil
        case .delete:
            if let id = row.serverID { server[id] = nil }
            return nil
        }
    }

    /// Other clients write, and syncd pulls.
    func listAnew(at step: Int) throws {
        for _ in 0..<random.number(0...2) {
            switch random.number(0...99) {
            case ..<40:
                _ = server.add([
                    .title: random.element(of: Field.title.usual + [.null]),
                    .body: random.element(of: Field.body.usual),
                    .done: .integer(random.number(0...1)), .changed: .text("t1"),
                    .book: random.element(of: Field.book.usual),
                ])
            case let kind:
                guard !server.rows.isEmpty else { continue }
                let id = random.element(of: server.rows).id
                guard kind < 85 else {
                    server[id] = nil
                    continue
                }
                let field = random.element(of: Field.written)
                server[id]?[field] = random.element(of: field.usual + [.null])
                server[id]?[.changed] = random.element(of: [.null, .text("t\(step)")])
            }
        }
        if model.operations.contains(where: { $0.state == .sending }) {
            try syncd.transaction { try syncd.loseAnswers() }
            model.tidy()
            model.loseAnswers()
        }
        try pull(isSettled: random.happens(50))
    }

    func pull(isSettled: Bool) throws {
        model.tidy()
        try projectUnmarked()
        trace.append("\(isSettled ? "settled pull" : "pull") of \(server.shown)")
        let list = server.rows.map { (id: $0.id, document: $0.fields.document(&random)) }
        try syncd.transaction { try syncd.pull(list, isSettled: isSettled) }
        model.pull(server, isSettled: isSettled)
        try compare(after: "the pull")
        let unseen = try syncd.findUnseen(schema.sweep)
        guard unseen == UnseenRows() else {
            throw Problem(description: "the sweep after a pull finds \(unseen)")
        }
        model.tidy()
    }

    /// Rows without operations are projected again as one: no value of theirs is left that no program wrote.
    private func projectUnmarked() throws {
        try syncd.transaction {
            for id in model.ids {
                guard let row = model.rows[id], row.mark == nil, !row.unmarked.isEmpty else {
                    continue
                }
                let beneath = row.unmarked.keys.map { ($0, row.under($0)) }
                try syncd.write(id, syncd.layers(id), Fields(uniqueKeysWithValues: beneath))
                model.rows[id]?.unmarked = [:]
            }
        }
    }
}
