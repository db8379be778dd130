internal import CommandLine
internal import Store
internal import Tables

extension Command {
    static let remove = Command(
        "rm", "Deletes rows of a list by their local ids.",
        operands: OperandRule(
            name:
                "the name of a list, and at least one ID, or - for one a line from standard input",
            usage: "NAME ID… | NAME -", count: 2...Int.max),
        notes: [
            "Either all are deleted, or none. `syncd list NAME` shows the ids. If a delete is not sent",
            "yet, `syncd outbox drop` brings the row back.",
        ],
        statuses: [.data, .tryLater, .configuration], examples: ["syncd rm notes 3 7"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let store = try await composition.openForWriting(place)
        let table = try await composition.tableToWrite(arguments, at: place, in: store)
        if let refusal = table.noDelete { throw table.refused(refusal, at: place) }
        let ids = try arguments.identifiers(try InputLines.orWords(arguments, after: 1))
        let deletes = try await CommandError.awaiting(
            CommandError.store, try await store.removeRows(ids, of: table))
        composition.console.tellUndo(of: deletes)
        return .ok
    }
}
