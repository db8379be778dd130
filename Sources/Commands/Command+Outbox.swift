internal import Rendering
internal import Store

extension Command {
    static let outboxList = Command(
        "outbox list", "Lists the changes that the server has not acknowledged yet.",
        options: [.json],
        notes: [
            "A rejected change waits for you: `outbox retry` or `outbox drop`. One in doubt was sent",
            "and its answer lost; the next pulls decide it.",
        ], statuses: [.configuration], examples: ["syncd outbox list"]
    ) { arguments, composition async throws(CommandError) in
        let store = try composition.openForReading(try composition.place(for: arguments))
        let rows = try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.outbox()
        }
        if arguments.wantsJSON {
            try composition.console.write(.array(rows.map(\.json)))
        } else {
            try composition.console.write(OperationRow.table(of: rows))
        }
        return .ok
    }

    static let outboxRetry = change(
        "outbox retry", "Queues rejected changes again.",
        notes: ["All are queued or none. One that is queued already stays as it is."]
    ) { store, operations async throws(StoreError) in try await store.retry(operations) }

    static let outboxDrop = change(
        "outbox drop", "Drops changes that were not sent.",
        notes: [
            "All are dropped or none. A dropped create takes its todo along, a dropped delete brings",
            "its todo back. One that is being sent or in doubt is refused.",
        ]
    ) { store, operations async throws(StoreError) in try await store.drop(operations) }

    private static func change(
        _ name: String, _ summary: String, notes: [String],
        by change:
            @escaping @Sendable (CacheStore, [OperationSequence]) async throws(StoreError) -> Void
    ) -> Command {
        Command(
            name, summary,
            operands: OperandRule(name: "at least one SEQ", usage: "SEQ…", count: 1...Int.max),
            notes: notes + ["`syncd outbox list` shows the numbers."],
            statuses: [.data, .tryLater, .configuration], examples: ["syncd \(name) 12"]
        ) { arguments, composition async throws(CommandError) in
            let operations = try arguments.identifiers(arguments.operands)
                .map { OperationSequence(rawValue: $0) }
            let store = try await composition.openForWriting(try composition.place(for: arguments))
            try await CommandError.from(CommandError.store) { () async throws(StoreError) in
                try await change(store, operations)
            }
            return .ok
        }
    }
}

extension OperationRow {
    var json: JSONValue {
        [
            "seq": .integer(sequence.rawValue), "op": .string(kind),
            "todo_id": .integer(todo.rawValue), "title": .string(title), "state": .string(state),
            "attempts": .integer(attempts), "not_before": .optional(notBefore),
            "last_status": .optional(lastStatus), "last_error": .optional(lastError),
            "idempotency_key": .string(idempotencyKey), "queued_at": .string(queuedAt),
        ]
    }

    static func table(of rows: [OperationRow]) -> Table {
        Table(
            columns: [
                .init("seq", alignment: .trailing), .init("op"),
                .init("todo", alignment: .trailing), .init("title", isFlexible: true),
                .init("state"), .init("attempts", alignment: .trailing), .init("not before"),
                .init("error", isFlexible: true),
            ],
            rows: rows.map { row in
                [
                    .init("\(row.sequence)"), .init(row.kind), .init("\(row.todo)"),
                    .init(row.title), .init(row.state, TodoRow.emphasis(of: row.state)),
                    .init("\(row.attempts)"), .init(row.notBefore ?? ""),
                    .init(row.lastError ?? ""),
                ]
            })
    }
}
