import SQLite

/// A row in three layers: what the server has, what was sent and is undecided, what waits.
struct ModelRow {
    /// Nil until the server has told of the row.
    var serverID: String?
    /// What the server has, with fields whose update is undecided as they were before.
    var base: Fields = [:]
    /// What the row's create says, or said when it was sent.
    var created: Fields = [:]
    var create: Operation.State?
    /// What an undecided update says.
    var sent: Fields = [:]
    var update: Operation.State?
    /// Edits that wait.
    var waiting: Fields = [:]
    var mark: Operation.State?
    var delete: Operation.State?
    /// What the rejected create or mark said.
    var refused: Fields?
    /// Its edits were dropped, and syncd has not looked at it yet.
    var isDropped = false
    /// Values that differ from what lies beneath and that no program wrote.
    var unmarked: Fields = [:]
    /// The column that syncd alone writes has what a program wrote there, until syncd looks at the row.
    var hasStaleColumn = false

    /// What a program's edit of the field is compared with.
    func under(_ field: Field) -> Value {
        sent[field] ?? (create == nil ? base : created).value(field)
    }

    func shown(_ field: Field) -> Value {
        waiting[field] ?? unmarked[field] ?? under(field)
    }

    var isShown: Bool { delete == nil || delete == .rejected }
    var isUnsent: Bool { create?.isUnsent ?? false }

    /// What the table says of the row.
    var state: String { (create ?? update ?? mark ?? delete)?.rawValue ?? "synced" }

    /// What the create sends.
    var creation: Fields {
        created.filter { Field.written.contains($0.key) && $0.value != .null }
    }

    /// What a program writes, or a person's trigger. `marksAll`: the mark of an INSERT has every field, so
    /// values that differ without a mark become edits too. A row that is only shown again is not refused.
    mutating func edit(
        _ new: Fields, marksAll: Bool = false, isShownAgain: Bool = false
    ) throws {
        let changes = new.filter { field, value in
            value != shown(field) || marksAll && unmarked[field] != nil
        }
        if isDropped, !isShownAgain, marksAll || !changes.isEmpty { throw Refusal(.dropping) }
        guard !changes.isEmpty || marksAll else { return }
        // An INSERT makes the whole row anew.
        if marksAll { hasStaleColumn = false }
        guard !isUnsent else { return created.merge(changes) { $1 } }
        for (field, value) in changes {
            unmarked[field] = nil
            waiting[field] = value == under(field) ? nil : value
        }
        if mark == nil { mark = .queued }
    }

    /// What syncd's look makes of the row.
    mutating func tidy() {
        hasStaleColumn = false
        if isDropped {
            isDropped = false
            waiting = [:]
            unmarked = [:]
            mark = nil
        }
        if waiting.isEmpty { mark = nil }
        if create == .rejected, let refused, creation != refused {
            create = .queued
            self.refused = nil
        }
        if mark == .rejected, let refused, waiting != refused {
            mark = .queued
            self.refused = nil
        }
    }

    /// After what lies beneath has moved: an edit that it meets is none.
    mutating func settle() {
        forgetMet()
        if waiting.isEmpty {
            mark = nil
        } else if mark == nil {
            mark = .queued
            refused = nil
        }
    }

    /// An edit to what lies beneath is none.
    mutating func forgetMet() { waiting = waiting.filter { $0.value != under($0.key) } }

    /// A create that has to be sent again says what is shown now.
    mutating func takeEditsIntoCreate() {
        created.merge(waiting) { $1 }
        waiting = [:]
        mark = nil
    }
}
