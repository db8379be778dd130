/// What a program wrote into one field.
struct Edit {
    let row: Int64
    let field: Int
    let value: String?
    /// What the server had then, as far as the cache knew.
    let base: String?
    /// What the program saw before.
    let before: String?
    /// The server did not have the row yet.
    let isOfNewRow: Bool
    /// It goes back to what lies beneath.
    let isBack: Bool
    /// It stands in `conflicts`.
    var hasConflict = false
    /// A program has dropped it.
    var isDropped = false
    /// The server has shown this value since.
    var isSatisfied = false
    /// Another value has been shown since, lawfully.
    var isOver = false
    /// When it was made, among everything that happened at the server.
    var moment = 0
    /// A list that lags, or a read beside one, has shown this value while the edit waited, or was refused: it may
    /// count as done.
    var isEchoed = false
    /// When the list was made that the request with it was based on.
    var listed: Int?
    /// The server has said yes to it, and syncd has written that down.
    var isAcknowledged = false
    /// The server has said yes to it once.
    var wasAcknowledged = false
    /// The server has said that it refuses it, in a success.
    var isRefused = false
}

/// What was known when an operation was first seen refused.
struct EditRefusal {
    /// The fields that were sent.
    let fields: [Int]
    let base: [String?]?
    /// How many edits there were.
    let edits: Int
    /// The newest of them that was sent; -1 for none.
    let sent: Int
}

/// What programs of the person have done, and what they were told.
struct EditLedger {
    enum Wish {
        case kept
        case deleted
        /// Its create was dropped.
        case dropped
    }

    /// By their numbers, in the order in which they were made.
    private(set) var edits: [Edit] = []
    /// What becomes of a row, as far as the person wants something.
    var wishes: [Int64: Wish] = [:]
    /// Rows that programs have added.
    var inserted: Set<Int64> = []
    /// The row of the server that a row of the cache was first.
    var firstInstance: [Int64: Int] = [:]
    /// What a person saw of a row that was to be deleted; empty where the server did not have it yet.
    var seenAtDelete: [Int64: [[String?]]] = [:]
    var conflicts: [EditImage.Conflict] = []
    /// By row and field, what the server has shown of it.
    var shown: [Int64: [Int: Set<String?>]] = [:]
    /// Rows of which a person has ended a doubt: what was sent before can come late, or twice.
    var ended: Set<Int64> = []
    /// Rows whose id was used again for one that nothing tells from them.
    var alike: Set<Int64> = []
    /// Rows that are somebody else's, found when no row of ours had shown yet what the server makes of marks.
    var foundUnmarked: Set<Int64> = []
    /// When the server last said yes to an operation of the row, on the clock of the run.
    var answered: [Int64: Int64] = [:]
    /// The newest moment of the server that a read has shown of a row.
    var read: [Int64: Int] = [:]
    /// Rows that a list has shown as they were before that.
    var goneBack: Set<Int64> = []
    /// Rows of which a request has arrived late.
    var late: Set<Int64> = []
    /// Operations that the server has said yes to, which syncd has written down.
    var acknowledged: Set<Int64> = []
    /// By row of the cache, when its create was answered so.
    var creates: [Int64: Int64] = [:]
    /// Rows of which a delete was answered so.
    var deletes: Set<Int64> = []
    /// Rows whose delete, or create, was refused in a success.
    var refusedRows: Set<Int64> = []
    /// By operation, those that are refused.
    var refusals: [Int64: EditRefusal] = [:]

    /// The edits of a field, the newest last.
    func edits(of row: Int64, _ field: Int) -> [Int] {
        edits.indices.filter { edits[$0].row == row && edits[$0].field == field }
    }

    func newest(of row: Int64, _ field: Int) -> Int? {
        edits.lastIndex { $0.row == row && $0.field == field }
    }

    /// The newest edit of a field that no program has dropped.
    func newestKept(of row: Int64, _ field: Int) -> Int? {
        edits.lastIndex { $0.row == row && $0.field == field && !$0.isDropped }
    }

    /// The newest edit of a field that has set `value`; one that no program has dropped, where there is one.
    func edit(of row: Int64, _ field: Int, to value: String?) -> Int? {
        let found = edits(of: row, field).filter { edits[$0].value == value }
        return found.last { !edits[$0].isDropped } ?? found.last
    }

    mutating func add(_ edit: Edit) { edits.append(edit) }

    mutating func change(_ edit: Int, _ change: (inout Edit) -> Void) { change(&edits[edit]) }

    mutating func changeAll(where holds: (Edit) -> Bool, _ change: (inout Edit) -> Void) {
        for index in edits.indices where holds(edits[index]) { change(&edits[index]) }
    }

    /// Compares what programs see before and after a script of one of them.
    mutating func note(from before: EditImage, to after: EditImage, at moment: Int) {
        for row in after.shown {
            let old = before.rows[row.id]
            if old == nil {
                inserted.insert(row.id)
                wishes[row.id] = .kept
            }
            // `REPLACE` over a row whose delete was refused keeps it.
            if wishes[row.id] == .deleted, after.operations(of: row.id, "delete").isEmpty {
                wishes[row.id] = .kept
            }
            for field in row.values.indices {
                let value = row.values[field]
                guard value != old?.values[field] else { continue }
                if wishes[row.id] == nil { wishes[row.id] = .kept }
                let isInCreate = old == nil || before.hasUnsentCreate(row.id)
                edits.append(
                    Edit(
                        row: row.id, field: field, value: value, base: old?.base?[field],
                        before: old?.values[field], isOfNewRow: old?.base == nil,
                        isBack: !isInCreate && before.beneath(field, of: row.id) == value,
                        moment: moment))
            }
        }
    }

    /// A program has deleted the row.
    mutating func noteDelete(of row: EditImage.Row, in image: EditImage) {
        wishes[row.id] = .deleted
        guard let base = row.base else { return seenAtDelete[row.id] = [] }
        seenAtDelete[row.id] = row.values.indices.map { field in
            [base[field], row.values[field], image.beneath(field, of: row.id)]
        }
    }

    /// A program has dropped the operation. What is on its way, with the edits `shipped`, stays there.
    mutating func noteDrop(
        of operation: EditImage.Operation, shipped: [Int: Int], updatable: [Int]
    ) {
        switch operation.kind {
        case "create":
            wishes[operation.row] = .dropped
            for index in edits.indices where edits[index].row == operation.row {
                edits[index].isDropped = true
            }
        case "update":
            let fields = updatable.enumerated()
                .filter { operation.fields & (1 << Int64($0.offset)) != 0 }.map(\.element)
            for field in fields {
                for edit in edits(of: operation.row, field) where edit > shipped[field] ?? -1 {
                    edits[edit].isDropped = true
                }
            }
        default: wishes[operation.row] = .kept
        }
    }

    /// The server has shown some `fields` of the row, as they were at `moment`. What only shows an edit that goes by
    /// it does not end the edit.
    mutating func noteShown(
        _ values: [String?], of row: Int64, only fields: Set<Int>, until moment: Int,
        endsEdits: Bool = true
    ) {
        for field in fields { shown[row, default: [:]][field, default: []].insert(values[field]) }
        for number in edits.indices where edits[number].row == row {
            let edit = edits[number]
            guard fields.contains(edit.field), values[edit.field].isSame(as: edit.value) else {
                continue
            }
            if edit.moment <= moment {
                edits[number].isSatisfied = true
            } else if endsEdits, edit.listed == nil || edit.isRefused {
                edits[number].isEchoed = true
            }
        }
    }

    /// A program has written: what it wants again may be sent again.
    mutating func forgetAcknowledged(_ operation: Int64? = nil) {
        if let operation { acknowledged.remove(operation) }
        changeAll(where: \.isAcknowledged) { $0.isAcknowledged = false }
    }
}
