import SQLite

/// What the tables must show, and the queue hold, kept in plain values.
struct Model {
    let setting: Setting
    var rows: [Int64: ModelRow] = [:]
    /// Rows whose unsent create a program took back. Their ids can be used until syncd looks.
    var withdrawn: [Int64: ModelRow] = [:]
    /// The rows that notes refer to.
    var books = ModelBooks()
    /// The largest id that was ever used.
    var largestID: Int64 = 0
    /// How many conflicts were told.
    var conflicts = 0

    init(setting: Setting) { self.setting = setting }

    var ids: [Int64] { rows.keys.sorted() }
    var shownIDs: [Int64] { ids.filter { rows[$0]?.isShown ?? false } }

    /// The queue, in order.
    var operations: [Operation] {
        ids.flatMap { id in
            let row = rows[id] ?? ModelRow()
            let all: [(Operation.Kind, Int64, Operation.State?)] = [
                (.create, 1, row.create), (.update, 0, row.update), (.update, 1, row.mark),
                (.delete, 1, row.delete),
            ]
            return all.compactMap { kind, stage, state in
                state.map { Operation(row: id, kind: kind, stage: stage, state: $0) }
            }
        }.sorted()
    }

    /// What a request of the operation says.
    func payload(of operation: Operation) -> Fields {
        guard let row = rows[operation.row] else { return [:] }
        return switch (operation.kind, operation.stage) {
        case (.create, _): row.creation
        case (.delete, _): [:]
        case (.update, 0): row.sent
        case (.update, _): row.waiting
        }
    }

    /// Changes a row that is there.
    mutating func change(_ id: Int64, _ body: (inout ModelRow) throws -> Void) rethrows {
        guard var row = rows[id] else { return }
        defer { rows[id] = row }
        try body(&row)
    }
}
