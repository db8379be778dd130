internal import CommandLine
internal import Declarations
internal import Store
internal import Tables

extension Command {
    static let set = Command(
        "set", "Changes a row of a list by its local id.",
        operands: OperandRule(
            name: "the name of a list, an ID, and values as COLUMN=VALUE, or - for standard input",
            usage: "NAME ID COLUMN=VALUE… | NAME -", count: 2...Int.max),
        notes: [
            "Columns that are left out stay as they are; null takes a value away. A text has no null",
            "here: after -, standard input has one change a line, as a JSON object of the id, columns",
            "and values. Either all are made, or none. When the command ends, they are on the disk,",
            "and every program sees them. The next sync sends them. `syncd list NAME` shows the ids,",
            "`syncd lists show NAME` the columns, and `syncd explain NAME ID` what became of it.",
        ], statuses: [.data, .tryLater, .configuration],
        examples: [
            "syncd set notes 7 title='buy oat milk' done=true", "syncd set notes - < changes.jsonl",
        ]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let store = try await composition.openForWriting(place)
        let table = try await composition.tableToWrite(arguments, at: place, in: store)
        if let refusal = table.noUpdate { throw table.refused(refusal, at: place) }
        let changes = try Self.changes(arguments, of: table)
        let updates = try await CommandError.awaiting(
            CommandError.store, try await store.changeRows(changes, of: table))
        composition.console.tellUndo(of: updates)
        if let remark = place.remark(onSendingTo: table.declaration.name, what: "changes") {
            composition.console.note(remark)
        }
        return .ok
    }

    private static func changes(
        _ arguments: Arguments, of table: ListTable
    ) throws(CommandError) -> [RowToChange] {
        let given = GivenChanges(table)
        let words = try InputLines.orWords(arguments, after: 1, as: "JSON object")
        guard !arguments.readsInput else { return try given.changes(words) }
        guard words.count > 1 else {
            throw arguments.usage("`set` needs at least one value as COLUMN=VALUE")
        }
        let ids = try arguments.identifiers(Array(words.prefix(1)))
        return try ids.map { id throws(CommandError) in
            try given.change(of: id, Array(words.dropFirst()))
        }
    }
}
