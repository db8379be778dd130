internal import CommandLine
internal import Store

extension Command {
    static let todoRemove = Command(
        "todo rm", "Deletes todos by their local ids.",
        operands: OperandRule(
            name: "at least one ID, or - for one a line from standard input", usage: "ID… | -",
            count: 1...Int.max),
        notes: [
            "Either all are deleted, or none. `syncd todo list` shows the ids. If a delete is not",
            "sent yet, `syncd outbox drop` brings the todo back.",
        ],
        statuses: [.data, .tryLater, .configuration], examples: ["syncd todo rm 3 7"]
    ) { arguments, composition async throws(CommandError) in
        let words = try InputLines.orWords(arguments)
        let ids = try arguments.identifiers(words).map { TodoID(rawValue: $0) }
        let store = try await composition.openForWriting(try composition.place(for: arguments))
        let deletes = try await CommandError.awaiting(
            CommandError.store, try await store.removeTodos(ids))
        composition.console.tellUndo(of: deletes)
        return .ok
    }
}
