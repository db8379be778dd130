import SQLite

/// What programs write.
extension Model {
    /// What an INSERT does with a row that is there.
    enum Conflict: String {
        case abort = "ABORT"
        case replace = "REPLACE"
        case ignore = "IGNORE"
        case fail = "FAIL"
        case rollback = "ROLLBACK"
    }

    /// The clause ON CONFLICT.
    enum Upsert {
        case nothing
        case update([Field])
    }

    /// What is given to a new row.
    struct NewRow {
        /// Nil for the next one.
        let id: Int64?
        let fields: Fields
        /// Whether the statement also gives what syncd alone writes.
        let givesState: Bool
    }

    private static let largestPossibleID: Int64 = (1 << 52) - 1

    mutating func insert(_ new: NewRow, _ conflict: Conflict, _ upsert: Upsert?) throws {
        let values = Fields(
            uniqueKeysWithValues: Field.written.map { ($0, new.fields.value($0)) })
        guard let id = new.id, let row = rows[id] else {
            return try insertUnknown(new, values)
        }
        guard !row.isShown else { return try insertShown(id, row, values, conflict, upsert) }
        // The row is back.
        guard row.delete == .queued else { throw Refusal(.leaving) }
        try check(values.filter { $0.value != row.shown($0.key) })
        try change(id) { row in
            row.delete = nil
            try row.edit(values, marksAll: true)
        }
        try runOwnInsertTrigger(id)
    }

    private mutating func insertUnknown(_ new: NewRow, _ values: Fields) throws {
        if let id = new.id, var row = withdrawn[id] {
            try check(values)
            // What it had before its edit is not there until syncd has looked.
            guard !row.isDropped else { throw Refusal(.dropping) }
            try row.edit(values)
            withdrawn[id] = nil
            rows[id] = row
            return try runOwnInsertTrigger(id)
        }
        if let id = new.id, id <= largestID || id > Self.largestPossibleID {
            throw Refusal(.usedID)
        }
        if new.givesState { throw Refusal(.bookkeeping) }
        try check(values)
        largestID = new.id ?? largestID + 1
        var row = ModelRow()
        row.create = .queued
        row.created = values
        rows[largestID] = row
        try runOwnInsertTrigger(largestID)
    }

    private mutating func insertShown(
        _ id: Int64, _ row: ModelRow, _ values: Fields, _ conflict: Conflict, _ upsert: Upsert?
    ) throws {
        switch (upsert, conflict) {
        case (.nothing, _), (nil, .ignore): return
        case (.update(let fields), _):
            return try update(id, values.filter { fields.contains($0.key) })
        case (nil, .replace): break
        case (nil, .abort), (nil, .fail), (nil, .rollback):
            var refusal = Refusal(.unique)
            refusal.keepsRows = conflict == .fail
            refusal.endsTransaction = conflict == .rollback
            throw refusal
        }
        // A delete trigger that ran has kept the row: what it has already is not judged.
        let isKept = setting.recursiveTriggers && !row.isUnsent
        try check(values.filter { !(isKept && $0.value == row.shown($0.key)) })
        try change(id) { row in
            row.delete = nil
            try row.edit(values, marksAll: true)
        }
        try runOwnInsertTrigger(id)
    }

    mutating func update(_ id: Int64, _ new: Fields) throws {
        guard let row = rows[id] else { return }
        try check(new.filter { $0.value != row.shown($0.key) })
        try change(id) { try $0.edit(new) }
        if setting.editsTitledRows, new[.title] == .text("b") {
            try update(id, [.body: .text("y")])
        }
    }

    mutating func delete(_ id: Int64) {
        if rows[id]?.isUnsent ?? false {
            withdrawn[id] = rows.removeValue(forKey: id)
        } else {
            change(id) { $0.delete = .queued }
        }
    }

    private func check(_ values: Fields) throws {
        if values[.title] == .null || values[.done] == .integer(2) { throw Refusal(.wrongValue) }
        if case .integer(let book) = values[.book], !books.shown.contains(book) {
            throw Refusal(.unknownRow)
        }
    }

    /// Of ``Setting/editsNewRows``.
    mutating func runOwnInsertTrigger(_ id: Int64) throws {
        guard setting.editsNewRows, rows[id]?.shown(.title) == .text("c") else { return }
        try update(id, [.body: .text("x")])
    }

    // MARK: The outbox

    /// `DELETE FROM outbox`.
    mutating func drop(_ operation: Operation) throws {
        let id = operation.row
        switch operation.kind {
        case .create: withdrawn[id] = rows.removeValue(forKey: id)
        case .update:
            change(id) { row in
                row.isDropped = true
                row.mark = nil
            }
        case .delete:
            let isHidden = rows[id].map { !$0.isShown } ?? false
            change(id) { $0.delete = nil }
            if isHidden { try showAgain(id) }
        }
    }

    /// `UPDATE outbox SET state = 'queued'`.
    mutating func retry(_ operation: Operation) {
        change(operation.row) { row in
            switch operation.kind {
            case .create:
                row.create = .queued
                row.refused = nil
            case .update:
                // Until syncd looks, the outbox shows a mark that a rejected create has taken in. What that
                // create said stays refused.
                guard row.mark != nil else { return }
                row.mark = .queued
                row.refused = nil
            case .delete: row.delete = .queued
            }
        }
    }

    /// `UPDATE outbox SET state = 'rejected'` of what is in doubt.
    mutating func end(_ operation: Operation) throws {
        let id = operation.row
        switch operation.kind {
        case .create:
            guard rows[id]?.delete == nil else { return rows[id] = nil }
            change(id) { row in
                row.refused = row.creation
                row.create = .rejected
                row.takeEditsIntoCreate()
            }
        case .update:
            change(id) { row in
                row.refused = row.sent
                row.waiting.merge(row.sent) { waiting, _ in waiting }
                row.sent = [:]
                row.update = nil
                row.mark = .rejected
                // Until syncd looks, the mark is there, even if nothing is left of it. Whoever writes what was
                // refused once more meets it.
                row.forgetMet()
            }
        case .delete:
            change(id) { $0.delete = .rejected }
            try showAgain(id)
        }
    }

    /// A row that was hidden is inserted by a trigger, as a program would insert it.
    mutating func showAgain(_ id: Int64) throws {
        try change(id) { row in
            let shown = Field.written.map { ($0, row.shown($0)) }
            try row.edit(
                Fields(uniqueKeysWithValues: shown), marksAll: true, isShownAgain: true)
        }
        try runOwnInsertTrigger(id)
    }
}
