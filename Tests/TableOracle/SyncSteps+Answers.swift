import SQLite

/// Requests and their answers.
extension SyncSteps {
    func layersAndOperation(_ operation: Operation) throws -> (Layers, Layers.Queued)? {
        let layers = try layers(operation.row)
        return layers.queued(operation).map { (layers, $0) }
    }

    /// What a request of the operation says.
    func payload(of operation: Operation, in layers: Layers) -> Fields {
        guard operation.kind != .delete,
            let queued = layers.queued(operation)
        else { return [:] }
        if !queued.state.isUnsent { return queued.sent ?? [:] }
        return operation.kind == .create ? layers.creation : layers.edits
    }

    /// Freezes what the request says. False if the operation has to wait.
    func intend(_ operation: Operation) throws -> Bool {
        try look(operation.row)
        guard let (layers, queued) = try layersAndOperation(operation) else { return false }
        let payload = payload(of: operation, in: layers)
        // It waits for a row that the server does not have.
        if case .integer(let book) = payload[.book],
            try cache.count("SELECT count(*) FROM s_books WHERE id = ?", .integer(book)) == 0
        {
            return false
        }
        let bits = operation.kind == .update ? payload.keys.reduce(0) { $0 | $1.bit } : 0
        let obstacle =
            switch operation.kind {
            case .create: "other.kind = 'delete'"
            case .update:
                "(other.kind = 'create' OR other.stage = 0 OR other.kind = 'delete' AND other.state <> 'rejected')"
            case .delete: "(other.kind = 'create' OR other.stage = 0)"
            }
        let count = try changeQueue(
            """
            UPDATE operation SET state = 'sending', stage = iif(kind = 'update', 0, 1), fields = ?3,
                attempts = attempts + 1, sent = ?2
            WHERE seq = ?1 AND state = 'queued' AND NOT EXISTS (
                SELECT 1 FROM operation AS other WHERE other.list = operation.list
                    AND other.row_id = operation.row_id AND \(obstacle))
            """, .integer(queued.sequence), .text(payload.json), .integer(bits))
        return count == 1
    }

    /// No answer to what was being sent will come any more.
    func loseAnswers() throws {
        try changeQueue("UPDATE operation SET state = 'in doubt' WHERE state = 'sending'")
    }

    /// An answer came. `told` is what it says of the row: its id and document.
    func hear(
        _ answer: Operation.Answer, to operation: Operation, told: (id: String, document: String)?
    ) throws {
        guard let (layers, queued) = try layersAndOperation(operation) else { return }
        switch answer {
        case .lost:
            try changeQueue(
                "UPDATE operation SET state = 'in doubt', last_error = 'lost' WHERE seq = ?",
                .integer(queued.sequence))
        case .rejected, .notApplied:
            try hearRefusal(of: queued, operation.row, layers, isFinal: answer == .rejected)
        case .done:
            switch operation.kind {
            case .delete: try forget(operation.row)
            case .create:
                guard let told else { return }
                try adopt(queued, operation.row, told.id, told.document, layers)
            case .update:
                try remove(queued)
                let document = try told?.document ?? patched(layers, with: layers.sent.json)
                try learn(operation.row, document, layers, own: Set(layers.sent.keys))
            }
        }
    }

    private func hearRefusal(
        of operation: Layers.Queued, _ row: Int64, _ layers: Layers, isFinal: Bool
    ) throws {
        if operation.kind == .create, layers.delete != nil { return try forget(row) }
        let isLeaving = layers.delete.map { $0.state != .rejected } ?? false
        let isOutdated =
            operation.kind != .delete && !layers.waiting.isEmpty
            || operation.kind == .update && isLeaving
        var bits: Int64 = 0
        if operation.kind != .delete, let mark = layers.mark {
            if operation.kind == .update { bits = mark.fields }
            try remove(mark)
        }
        let state: Operation.State = isFinal && !isOutdated ? .rejected : .queued
        try changeQueue(
            """
            UPDATE operation SET state = ?1, stage = 1, fields = fields | ?3,
                last_error = iif(?1 = 'rejected', 'no', NULL), sent = iif(?1 = 'rejected', sent, NULL)
            WHERE seq = ?2
            """, .text(state.rawValue), .integer(operation.sequence), .integer(bits))
        try look(row)
    }

    /// The server has the row of a create.
    func adopt(
        _ create: Layers.Queued, _ row: Int64, _ serverID: String, _ document: String,
        _ layers: Layers
    ) throws {
        let others = try cache.all(
            "SELECT id FROM s_notes WHERE server_id = ? AND id <> ?", .text(serverID),
            .integer(row)
        ) { $0.integer(0) }
        for other in others { try forget(other) }
        try cache.run(
            "INSERT INTO s_notes (id, server_id, document) VALUES (?, ?, ?)", .integer(row),
            .text(serverID), .text(document))
        try remove(create)
        try cache.run(
            "UPDATE d_notes SET server_id = ? WHERE id = ?", .text(serverID), .integer(row))
        let shown = try values(in: document).filter { !layers.waiting.contains($0.key) }
        try write(row, layers, shown)
        try look(row)
    }

    func values(in document: String) throws -> Fields {
        if let known = shownByDocument[document] { return known }
        let fields =
            try cache.first(Self.documentValues, .text(document)) { Fields($0, from: 0) } ?? [:]
        shownByDocument[document] = fields
        return fields
    }

    private static let documentValues = "SELECT \(Field.values(in: "?1"))"

    /// The row's document with the sent fields as another document has them. In SQL, so that the rest stays
    /// as it is written.
    func patched(_ layers: Layers, with other: String) throws -> String {
        try patch(layers.document ?? "{}", with: other, layers.sent)
    }

    func patch(_ document: String, with other: String, _ fields: Fields) throws -> String {
        var document = document
        for field in fields.keys {
            document =
                try cache.first(
                    """
                    SELECT iif(json_type(?2, ?3) IS NULL, json_remove(?1, ?3),
                        json_set(?1, ?3, json(?2 -> ?3)))
                    """, .text(document), .text(other), .text("$.\(field.rawValue)")
                ) { $0.text(0) } ?? document
        }
        return document
    }
}
