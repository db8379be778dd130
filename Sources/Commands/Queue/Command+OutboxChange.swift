internal import CommandLine
internal import Rules
internal import Store

extension Command {
    static let outboxRetry = change(
        .retry, "Queues rejected changes again.",
        all: "all that is rejected; with --force in doubt, too",
        notes: [
            "All are queued or none. One that is queued already stays as it is. One in doubt may have",
            "taken effect: --force ends the doubt, and the row may be made twice.",
        ])

    static let outboxDrop = change(
        .drop, "Drops changes that were not sent.",
        all: "all that is queued or rejected; with --force in doubt, too",
        notes: [
            "All are dropped or none. A dropped create takes its row along, a dropped delete brings",
            "its row back. One that is being sent is refused. One in doubt may have taken effect:",
            "--force ends the doubt, and the server may have made or deleted the row all the same.",
        ])

    private static func change(
        _ change: OutboxChange, _ summary: String, all: String, notes: [String]
    ) -> Command {
        let name = "outbox \(change.rawValue)"
        return Command(
            name, summary,
            operands: OperandRule(
                name: "at least one SEQ, or --all", usage: "SEQ… | --all", count: 0...Int.max),
            options: [
                OptionSpec("all", all),
                OptionSpec("force", "also what is in doubt: it ends the doubt first"),
            ] + (change == .drop ? [OptionSpec("held", "the deletes that are held")] : []),
            notes: notes + ["`syncd outbox list` shows the numbers, and what --all would change."],
            statuses: [.data, .tryLater, .configuration],
            examples: ["syncd \(name) 12", "syncd \(name) --force 12", "syncd \(name) --all"]
        ) { arguments, composition async throws(CommandError) in
            let operations = try arguments.identifiers(arguments.operands)
                .map { OperationSequence(rawValue: $0) }
            let isForced = arguments.flags.contains("force")
            let takesAll = arguments.flags.contains("all")
            let takesHeld = arguments.flags.contains("held")
            guard takesAll || takesHeld || !operations.isEmpty else {
                throw arguments.usage("`\(name)` needs at least one SEQ, or --all")
            }
            guard [takesAll, takesHeld, !operations.isEmpty].count(where: { $0 }) == 1 else {
                throw arguments.usage(
                    takesHeld ? "--held stands alone" : "--all and SEQ exclude each other")
            }
            let store = try await composition.openForWriting(try composition.place(for: arguments))
            let outcome = try await CommandError.from(wrapped) { () async throws(StoreError) in
                switch change {
                case .retry where takesAll: try await store.retryAll(endingDoubt: isForced)
                case .drop where takesHeld: try await store.dropHeldDeletes()
                case .drop where takesAll: try await store.dropAll(endingDoubt: isForced)
                case .retry: try await store.retry(operations, endingDoubt: isForced)
                case .drop: try await store.drop(operations, endingDoubt: isForced)
                }
            }
            if takesAll || takesHeld { composition.console.note(change.told(outcome)) }
            for warning in change.warnings(outcome) { composition.console.warn(warning) }
            return .ok
        }
    }

    /// What the cache refuses is being sent, or in doubt.
    private static func wrapped(_ error: StoreError) -> CommandError {
        guard case .refused(let text) = error else { return .store(error) }
        return .data(text, hint: "Look at `syncd outbox list`; --force ends a doubt, at a risk.")
    }
}
