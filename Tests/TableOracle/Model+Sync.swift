import SQLite

/// What syncd learns.
extension Model {
    /// What syncd's look makes of all rows.
    mutating func tidy() {
        withdrawn = [:]
        for id in ids { change(id) { $0.tidy() } }
    }

    /// Whether a request of the operation may leave now.
    func isReady(_ operation: Operation) -> Bool {
        guard let row = rows[operation.row], operation.state == .queued else { return false }
        if case .integer(let book) = payload(of: operation)[.book],
            !ModelBooks.served.contains(book)
        {
            return false
        }
        return switch operation.kind {
        case .create: row.delete == nil
        case .update: row.create == nil && row.update == nil && row.isShown
        case .delete: row.create == nil && row.update == nil
        }
    }

    /// The request leaves.
    mutating func send(_ operation: Operation) {
        change(operation.row) { row in
            switch operation.kind {
            case .create: row.create = .sending
            case .delete: row.delete = .sending
            case .update:
                row.sent = row.waiting
                row.waiting = [:]
                row.update = .sending
                row.mark = nil
            }
        }
    }

    /// No answer to what was being sent will come any more.
    mutating func loseAnswers() {
        for id in ids {
            change(id) { row in
                if row.create == .sending { row.create = .inDoubt }
                if row.update == .sending { row.update = .inDoubt }
                if row.delete == .sending { row.delete = .inDoubt }
            }
        }
    }

    // MARK: Answers

    /// An answer came. `told` is what it says of the row: its id and fields.
    mutating func hear(
        _ answer: Operation.Answer, to operation: Operation, told: (id: String, fields: Fields)?
    ) throws {
        switch operation.kind {
        case .create: hearOfCreate(answer, operation.row, told)
        case .update: hearOfUpdate(answer, operation.row, told?.fields)
        case .delete: try hearOfDelete(answer, operation.row)
        }
    }

    private mutating func hearOfCreate(
        _ answer: Operation.Answer, _ id: Int64, _ told: (id: String, fields: Fields)?
    ) {
        if answer == .done, let told { return adopt(id, told.id, told.fields) }
        if answer != .lost, rows[id]?.delete != nil {
            rows[id] = nil
            return
        }
        change(id) { row in
            guard answer != .lost else { return row.create = .inDoubt }
            row.refused = row.creation
            row.create = answer == .rejected && row.waiting.isEmpty ? .rejected : .queued
            row.takeEditsIntoCreate()
        }
    }

    private mutating func hearOfUpdate(
        _ answer: Operation.Answer, _ id: Int64, _ told: Fields?
    ) {
        guard var row = rows[id] else { return }
        defer { rows[id] = row }
        guard answer != .lost else { return row.update = .inDoubt }
        let (sent, wasMarked) = (row.sent, row.mark != nil)
        row.sent = [:]
        row.update = nil
        switch (answer, told) {
        case (.done, let told?): learn(&row, told, own: Set(sent.keys))
        case (.done, nil):
            row.base.merge(sent) { $1 }
            row.unmarked = [:]
            row.settle()
        case (_, _):
            row.waiting.merge(sent) { waiting, _ in waiting }
            row.mark = nil
            row.settle()
            guard row.mark != nil else { return }
            let isRefused = answer == .rejected && !wasMarked && row.isShown
            row.mark = isRefused ? .rejected : .queued
            row.refused = isRefused ? sent : nil
        }
    }

    private mutating func hearOfDelete(_ answer: Operation.Answer, _ id: Int64) throws {
        switch answer {
        case .done: rows[id] = nil
        case .lost: change(id) { $0.delete = .inDoubt }
        case .notApplied: change(id) { $0.delete = .queued }
        case .rejected:
            change(id) { $0.delete = .rejected }
            if setting.opensQueue { try showAgain(id) }
        }
    }

    private mutating func adopt(_ id: Int64, _ serverID: String, _ fields: Fields) {
        change(id) { row in
            row.serverID = serverID
            row.base = fields
            row.create = nil
            row.created = [:]
            row.settle()
        }
    }

    // MARK: A pull

    /// The server shows the row so. `own`: the fields of the very request that this answers.
    private mutating func learn(_ row: inout ModelRow, _ new: Fields, own: Set<Field> = []) {
        guard row.delete != .inDoubt else { return }
        var isChanged = false
        for field in Field.allCases where row.sent[field] == nil {
            row.unmarked[field] = nil
            let (old, value) = (row.base.value(field), new.value(field))
            row.base[field] = value
            guard value != old, !own.contains(field) else { continue }
            if Field.written.contains(field) { isChanged = true }
            guard let waiting = row.waiting[field], waiting != value else {
                row.waiting[field] = nil
                continue
            }
            conflicts += 1
            if !setting.editsWin { row.waiting[field] = nil }
        }
        row.settle()
        if isChanged, row.delete?.isUnsent ?? false, !setting.editsWin {
            row.delete = nil
            conflicts += 1
        }
    }

    /// A settled list shows whether an update in doubt arrived.
    private mutating func decide(_ row: inout ModelRow, _ new: Fields) {
        var isWanted = false
        for (field, sent) in row.sent {
            let (old, value) = (row.base.value(field), new.value(field))
            row.base[field] = value
            if value == sent { continue }
            guard value != old else {
                if row.waiting[field] == nil { row.waiting[field] = sent }
                continue
            }
            if let delete = row.delete, delete != .sending, !setting.editsWin, !isWanted {
                isWanted = true
                conflicts += 1
            }
            if row.waiting[field] != value { conflicts += 1 }
            if !setting.editsWin { row.waiting[field] = nil }
        }
        row.sent = [:]
        row.update = nil
        row.settle()
        if isWanted { row.delete = nil }
    }

    /// The server's list. `isSettled`: nothing that was sent can still arrive after it.
    mutating func pull(_ list: ServerRows, isSettled: Bool) {
        for id in ids {
            guard var row = rows[id], let serverID = row.serverID else { continue }
            guard let fields = list[serverID] else {
                if row.isShown { conflicts += row.sent.count + row.waiting.count }
                rows[id] = nil
                continue
            }
            if isSettled, row.update == .inDoubt { decide(&row, fields) }
            if isSettled, row.delete == .inDoubt { row.delete = .queued }
            learn(&row, fields)
            rows[id] = row
        }
        for id in ids where rows[id]?.create == .inDoubt { findCreated(id, list, isSettled) }
        let own = ownIDs
        for (serverID, fields) in list.rows where !own.contains(serverID) {
            largestID += 1
            var row = ModelRow()
            row.serverID = serverID
            row.base = fields
            rows[largestID] = row
        }
    }

    private var ownIDs: Set<String> { Set(rows.values.compactMap(\.serverID)) }

    /// A row that says what a create in doubt said is taken for it.
    private mutating func findCreated(_ id: Int64, _ list: ServerRows, _ isSettled: Bool) {
        let (own, creation) = (ownIDs, rows[id]?.creation ?? [:])
        let found = list.rows.first { serverID, fields in
            !own.contains(serverID) && creation.allSatisfy { fields.value($0.key) == $0.value }
        }
        if let found {
            adopt(id, found.id, found.fields)
        } else if isSettled, rows[id]?.delete != nil {
            rows[id] = nil
        } else if isSettled {
            change(id) { row in
                row.create = .queued
                row.takeEditsIntoCreate()
            }
        }
    }
}
