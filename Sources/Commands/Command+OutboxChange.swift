internal import Store

extension Command {
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
