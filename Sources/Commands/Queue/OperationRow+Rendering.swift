internal import Declarations
internal import Rendering
internal import Rules
internal import Store

extension OperationRow {
    var json: JSONValue {
        [
            "seq": .integer(sequence.rawValue), "op": .string(kind),
            "todo_id": .optional(isOfTodos ? row : nil), "title": .string(title),
            "state": .string(state),
            "attempts": .integer(attempts), "not_before": .optional(notBefore),
            "last_status": .optional(lastStatus), "last_error": .optional(lastError),
            "idempotency_key": .string(idempotencyKey), "queued_at": .string(queuedAt),
            "list": .string(list), "row_id": .integer(row),
        ]
    }

    var isOfTodos: Bool { list == ListName.todos.text }

    static func table(of rows: [OperationRow], _ moments: MomentText) -> Table {
        Table(
            columns: [
                .init("seq", alignment: .trailing), .init("op"),
                .init(rows.allSatisfy(\.isOfTodos) ? "todo" : "row", alignment: .trailing),
                .init("title", isFlexible: true),
                .init("state"), .init("attempts", alignment: .trailing), .init("not before"),
                .init("error", isFlexible: true),
            ],
            rows: rows.map { row in
                [
                    .init("\(row.sequence)"), .init(row.kind),
                    .init(row.isOfTodos ? "\(row.row)" : "\(row.list) \(row.row)"),
                    .init(row.title), .init(row.state, TodoRow.emphasis(of: row.state)),
                    .init("\(row.attempts)"), .init(moments.of(row.notBefore)),
                    .init(row.lastError ?? ""),
                ]
            })
    }
}
