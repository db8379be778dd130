import SQLite

/// The one step on a row: what it is against what the server has, and the operations that follow.
extension SyncSteps {
    func layers(_ row: Int64) throws -> Layers {
        var layers = Layers()
        let shown = try cache.first(Self.shownOrHidden, .integer(row)) {
            (isHidden: $0.integer(0) == 1, fields: Fields($0, from: 1))
        }
        layers.shown = shown?.fields
        layers.isHidden = shown?.isHidden ?? false
        layers.document = try cache.first(
            "SELECT document FROM s_notes WHERE id = ?", .integer(row)
        ) { $0.text(0) }
        layers.base = try layers.document.map(values)
        layers.operations = try operations(row)
        layers.sent = layers.update?.sent ?? [:]
        layers.under = (layers.base ?? [:]).merging(layers.sent) { $1 }
        if let create = layers.create, !create.state.isUnsent {
            layers.under = Fields(
                uniqueKeysWithValues: Field.allCases.map { ($0, (create.sent ?? [:]).value($0)) })
        }
        return layers
    }

    private static let shownOrHidden = """
        SELECT 0, \(Field.names()) FROM notes WHERE id = ?1
        UNION ALL
        SELECT 1, \(Field.names(prefix: "c_")) FROM d_notes
        WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM notes WHERE id = ?1)
        """

    private func operations(_ row: Int64) throws -> [Layers.Queued] {
        var read = try cache.all(
            """
            SELECT seq, kind, stage, state, fields, sent FROM operation
            WHERE list = 'notes' AND row_id = ?
            """, .integer(row)
        ) { ($0.integer(0), $0.text(1), $0.integer(2), $0.text(3), $0.integer(4), $0.textOrNil(5)) }
        // Sorted here, because SQLite would make a sorter each time.
        read.sort { $0.0 < $1.0 }
        return try read.compactMap { sequence, kind, stage, state, fields, sent in
            guard let kind = Operation.Kind(rawValue: kind),
                let state = Operation.State(rawValue: state)
            else { return nil }
            return Layers.Queued(
                sequence: sequence, kind: kind, stage: stage, state: state, fields: fields,
                sent: try sent.map(members))
        }
    }

    /// The fields that an object of JSON has.
    func members(of json: String) throws -> Fields {
        if let known = membersByJSON[json] { return known }
        let members = try cache.all(
            """
            SELECT key, CASE type WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE atom END
            FROM json_each(?)
            """, .text(json)
        ) { row -> (Field?, Value) in
            let (field, value) = (Field(rawValue: row.text(0)), row.value(1))
            guard field == .book, case .integer(let serverID) = value else { return (field, value) }
            return (field, .integer(ModelBooks.number(of: serverID)))
        }
        let fields = Fields(
            uniqueKeysWithValues: members.compactMap { field, value in field.map { ($0, value) } })
        membersByJSON[json] = fields
        return fields
    }

    /// Writes shown values, where the row stands.
    func write(_ row: Int64, _ layers: Layers, _ new: Fields) throws {
        let (table, prefix) = layers.isHidden ? ("d_notes", "c_") : ("notes", "")
        for field in Field.allCases {
            guard let shown = layers.shown, let value = new[field], value != shown[field] else {
                continue
            }
            try cache.run(
                "UPDATE \(table) SET \(prefix)\(field.rawValue) = ? WHERE id = ?", value,
                .integer(row))
        }
    }

    func look(_ row: Int64) throws {
        let layers = try layers(row)
        seen[row] = layers
        guard layers.shown != nil else { return try lookForLost(row, layers) }
        guard layers.document != nil || layers.create != nil else {
            if let mark = layers.mark { try remove(mark) }
            try queue(.create, of: row)
            return try write(row, layers, [.changed: .null])
        }
        if let create = layers.create, create.state.isUnsent {
            if let mark = layers.mark { try remove(mark) }
            if create.state == .rejected, let sent = create.sent, sent != layers.creation {
                try requeue(create)
            }
        } else {
            try lookAtEdits(layers)
        }
        // What the server alone writes.
        try write(row, layers, [.changed: (layers.base ?? [:]).value(.changed)])
        let isLeaving = layers.delete.map { $0.state != .rejected } ?? false
        if layers.isHidden {
            if !isLeaving { try showAgain(row) }
        } else {
            try cache.run("DELETE FROM d_notes WHERE id = ?", .integer(row))
            if isLeaving, let delete = layers.delete { try remove(delete) }
        }
    }

    private func lookAtEdits(_ layers: Layers) throws {
        guard let mark = layers.mark else { return }
        if layers.waiting.isEmpty {
            try remove(mark)
        } else if mark.state == .rejected, let sent = mark.sent, sent != layers.edits {
            try requeue(mark)
        }
    }

    /// The row is neither shown nor hidden: it left without a trigger. That is no wish, so a row of the server
    /// is back.
    private func lookForLost(_ row: Int64, _ layers: Layers) throws {
        let isServers = layers.document != nil
        for operation in layers.operations
        where operation.state.isUnsent && !(isServers && operation.kind == .create) {
            try remove(operation)
        }
        guard isServers else { return }
        try cache.run(
            """
            INSERT INTO notes (id, \(Field.names()))
            SELECT id, \(Field.values(in: "document")) FROM s_notes WHERE id = ?
            """, .integer(row))
        try mirror(row)
        try write(row, try self.layers(row), layers.sent)
    }

    /// A row that a delete has hidden is back.
    func showAgain(_ row: Int64) throws {
        if let delete = try layers(row).delete, delete.state != .rejected {
            return try remove(delete)
        }
        try follow(row)
    }

    /// What programs withdrew: a create goes with its row, an update's values are taken back.
    func takeBackWithdrawn() throws {
        let withdrawn = try cache.all(
            "SELECT seq, kind, row_id FROM withdrawn WHERE list = 'notes' ORDER BY seq"
        ) { ($0.integer(0), $0.text(1), $0.integer(2)) }
        for (sequence, kind, row) in withdrawn {
            guard kind == "update" else {
                try forget(row)
                continue
            }
            let layers = try layers(row)
            let taken = layers.differing.map { ($0, layers.under.value($0)) }
            try write(row, layers, Fields(uniqueKeysWithValues: taken))
            try cache.run("DELETE FROM withdrawn WHERE seq = ?", .integer(sequence))
            try look(row)
        }
    }
}
