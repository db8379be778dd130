import SQLite
import Tables

/// What a list tells.
extension SyncSteps {
    /// The server shows the row so. `own`: the fields of the very request that this answers, whose operation
    /// is gone.
    func learn(
        _ row: Int64, _ document: String, _ answered: Layers? = nil, own: Set<Field> = []
    ) throws {
        let layers = try answered ?? self.layers(row)
        let sent = answered == nil ? layers.sent : [:]
        let delete = layers.delete
        // The whole row is frozen.
        guard delete?.state != .inDoubt else { return }
        var shown: Fields = [:]
        var changed: Field?
        for (field, new) in try values(in: document) where sent[field] == nil {
            let isMoved = new != (layers.base ?? [:]).value(field) && !own.contains(field)
            if !layers.waiting.contains(field) {
                shown[field] = new
            } else if isMoved, new != (layers.shown ?? [:]).value(field) {
                try tellConflict(row, field)
                if !setting.editsWin { shown[field] = new }
            }
            if isMoved, Field.written.contains(field) { changed = field }
        }
        let kept = try patch(document, with: layers.document ?? "{}", sent)
        try cache.run(
            "UPDATE s_notes SET document = ? WHERE id = ?", .text(kept), .integer(row))
        try write(row, layers, shown)
        if let delete, let changed, delete.state.isUnsent, !setting.editsWin {
            try tellConflict(row, changed)
            try takeBack(delete, row)
        }
        try look(row)
    }

    /// A delete that is not wanted any more.
    private func takeBack(_ delete: Layers.Queued, _ row: Int64) throws {
        if delete.state == .rejected { try remove(delete) } else { try showAgain(row) }
    }

    /// A settled list shows whether an update in doubt arrived. What did not arrive is marked again.
    private func decide(_ row: Int64, _ document: String) throws {
        let layers = try layers(row)
        guard let update = layers.update else { return }
        let new = try values(in: document)
        var shown: Fields = [:]
        var isWanted = false
        for (field, sent) in layers.sent {
            let (value, isWaiting) = (new.value(field), layers.waiting.contains(field))
            if value == sent {
                if !isWaiting { shown[field] = value }
            } else if value != (layers.base ?? [:]).value(field) {
                if let delete = layers.delete, delete.state != .sending, !setting.editsWin,
                    !isWanted
                {
                    isWanted = true
                    try tellConflict(row, field)
                }
                if !isWaiting {
                    try tellConflict(row, field)
                    shown[field] = value
                } else if value != (layers.shown ?? [:]).value(field) {
                    try tellConflict(row, field)
                    if !setting.editsWin { shown[field] = value }
                }
            }
        }
        try remove(update)
        if let mark = layers.mark {
            try cache.run(
                "UPDATE operation SET fields = fields | ? WHERE seq = ?", .integer(update.fields),
                .integer(mark.sequence))
        } else {
            try queue(.update, of: row, fields: update.fields)
        }
        try cache.run(
            "UPDATE s_notes SET document = ? WHERE id = ?",
            .text(try patched(layers, with: document)), .integer(row))
        try write(row, layers, shown)
        if isWanted, let delete = layers.delete { try takeBack(delete, row) }
        try look(row)
    }

    /// The server's list, as ids with documents. `isSettled`: nothing that was sent can still arrive after it.
    func pull(_ list: [(id: String, document: String)], isSettled: Bool) throws {
        try cache.run("DELETE FROM pulled")
        for (position, row) in list.enumerated() {
            try cache.run(
                "INSERT INTO pulled (position, id, document) VALUES (?, ?, ?)",
                .integer(position), .text(row.id), .text(row.document))
        }
        try forgetMissing()
        try learnQueued(isSettled)
        try findCreated(isSettled)
        try takeOthers()
    }

    private func forgetMissing() throws {
        let missing = try cache.all(
            """
            SELECT id FROM s_notes
            WHERE NOT EXISTS (SELECT 1 FROM pulled WHERE pulled.id = s_notes.server_id)
            """
        ) { $0.integer(0) }
        for row in missing {
            let layers = try layers(row)
            if !layers.isHidden {
                for field in Array(layers.sent.keys) + layers.waiting {
                    try tellConflict(row, field)
                }
            }
            try forget(row)
        }
    }

    private func learnQueued(_ isSettled: Bool) throws {
        let queued = try cache.all(
            """
            SELECT DISTINCT known.id, pulled.document FROM operation
                JOIN s_notes AS known ON known.id = operation.row_id
                JOIN pulled ON pulled.id = known.server_id
            WHERE operation.list = 'notes' AND operation.kind <> 'create' ORDER BY known.id
            """
        ) { ($0.integer(0), $0.text(1)) }
        for (row, document) in queued {
            if isSettled, try layers(row).update?.state == .inDoubt { try decide(row, document) }
            if isSettled, let delete = try layers(row).delete, delete.state == .inDoubt {
                try changeQueue(
                    "UPDATE operation SET state = 'queued', last_error = NULL WHERE seq = ?",
                    .integer(delete.sequence))
            }
            try learn(row, document)
        }
    }

    /// A row that says what a create in doubt said is taken for it.
    private func findCreated(_ isSettled: Bool) throws {
        let rows = try cache.all(
            """
            SELECT row_id FROM operation
            WHERE list = 'notes' AND kind = 'create' AND state = 'in doubt' ORDER BY row_id
            """
        ) { $0.integer(0) }
        for row in rows {
            let layers = try layers(row)
            guard let create = layers.create else { continue }
            let candidates = try cache.all(Self.unknown) {
                (id: $0.text(0), document: $0.text(1), fields: Fields($0, from: 2))
            }
            let found = candidates.first { candidate in
                (create.sent ?? [:]).allSatisfy { candidate.fields.value($0.key) == $0.value }
            }
            if let found {
                try adopt(create, row, found.id, found.document, layers)
            } else if isSettled, layers.delete != nil {
                try forget(row)
            } else if isSettled {
                try changeQueue(
                    "UPDATE operation SET state = 'queued', last_error = NULL, sent = NULL WHERE seq = ?",
                    .integer(create.sequence))
                try look(row)
            }
        }
    }

    private static let unknown = """
        SELECT id, document, \(Field.values(in: "document")) FROM pulled
        WHERE NOT EXISTS (SELECT 1 FROM s_notes WHERE server_id = pulled.id) ORDER BY position
        """

    private static let isFree =
        "NOT EXISTS (SELECT 1 FROM operation WHERE list = 'notes' AND row_id = known.id)"

    private static let showOthers: String = {
        let values = Field.allCases.map { "\($0.rawValue) = \($0.value(in: "pulled.document"))" }
        return """
            UPDATE notes SET \(values.joined(separator: ", "))
            FROM pulled JOIN s_notes AS known ON known.server_id = pulled.id
            WHERE known.id = notes.id AND known.document IS NOT pulled.document AND \(isFree)
            """
    }()

    private static let keepOthers = """
        UPDATE s_notes AS known SET document = pulled.document FROM pulled
        WHERE pulled.id = known.server_id AND pulled.document IS NOT known.document AND \(isFree)
        """

    private static let showNew = """
        INSERT INTO notes (id, \(Field.names()), _server_id, _state)
        SELECT id, \(Field.values(in: "document")), server_id, 'synced' FROM s_notes
        WHERE id > ?1 ORDER BY id
        """

    /// Rows without operations, in bulk.
    private func takeOthers() throws {
        try cache.run(Self.showOthers)
        try cache.run(Self.keepOthers)
        let last = Value.integer(try largestID())
        try cache.run(
            """
            INSERT INTO s_notes (id, server_id, document)
            SELECT ?1 + row_number() OVER (ORDER BY position), id, document FROM pulled
            WHERE NOT EXISTS (SELECT 1 FROM s_notes AS known WHERE known.server_id = pulled.id)
            ORDER BY position
            """, last)
        try cache.run(Self.showNew, last)
    }

    /// How many rows came, changed and left without a trigger.
    func findUnseen(_ sql: SweepStatements) throws -> UnseenRows {
        UnseenRows(
            new: try cache.count(sql.countUnknown), changed: try cache.count(sql.countChanged),
            lost: try cache.count(sql.countLost))
    }
}

/// How many rows came, changed and left without a trigger.
struct UnseenRows: Equatable {
    var new: Int64 = 0
    var changed: Int64 = 0
    var lost: Int64 = 0
}
