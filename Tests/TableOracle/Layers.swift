import SQLite

/// A row as the tables have it, with what follows from that.
struct Layers {
    /// Nil if the row is neither shown nor hidden.
    var shown: Fields?
    var isHidden = false
    var document: String?
    /// What the document shows.
    var base: Fields?
    var operations: [Queued] = []
    /// What an undecided update says.
    var sent: Fields = [:]
    /// What a program's edit is compared with; empty for a create that was not sent.
    var under: Fields = [:]

    /// An operation of the queue.
    struct Queued {
        let sequence: Int64
        let kind: Operation.Kind
        let stage: Int64
        let state: Operation.State
        /// The bits of a mark, or of what was sent.
        let fields: Int64
        let sent: Fields?
    }

    func queued(_ operation: Operation) -> Queued? {
        operations.first { $0.kind == operation.kind && $0.stage == operation.stage }
    }

    var create: Queued? { operations.first { $0.kind == .create } }
    var delete: Queued? { operations.first { $0.kind == .delete } }
    var update: Queued? { operations.first { $0.kind == .update && $0.stage == 0 } }
    var mark: Queued? { operations.first { $0.kind == .update && $0.stage == 1 } }

    /// The fields whose shown value is not what lies beneath.
    var differing: [Field] {
        guard let shown, !under.isEmpty else { return [] }
        return Field.written.filter { shown.value($0) != under.value($0) }
    }

    /// The edits: what differs and was marked.
    var waiting: [Field] {
        let bits = mark?.fields ?? 0
        return differing.filter { $0.bit & bits != 0 }
    }

    /// What a create sends.
    var creation: Fields {
        (shown ?? [:]).filter { Field.written.contains($0.key) && $0.value != .null }
    }

    /// What an update sends.
    var edits: Fields {
        Fields(uniqueKeysWithValues: waiting.map { ($0, (shown ?? [:]).value($0)) })
    }
}
