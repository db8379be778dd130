internal import CommandLine
internal import Declarations
internal import Store
internal import Tables

extension Command {
    static let add = Command(
        "add", "Adds a row to a list, and prints its id.",
        operands: OperandRule(
            name: "the name of a list, and values as COLUMN=VALUE, or - for standard input",
            usage: "NAME COLUMN=VALUE… | NAME -", count: 2...Int.max),
        options: [.json],
        notes: [
            "A column that is left out has no value. After -, standard input has one row a line, as a",
            "JSON object of columns and values: either all rows are added, or none. When the command",
            "ends, they are on the disk. The next sync sends them. `syncd lists show NAME` names",
            "the columns. A column that begins with a dash follows after --.",
        ], statuses: [.data, .tryLater, .configuration],
        examples: [
            "syncd add notes title='buy milk' done=false", "syncd add notes - < notes.jsonl",
        ]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let store = try await composition.openForWriting(place)
        let table = try await composition.tableToWrite(arguments, at: place, in: store)
        if let refusal = table.noInsert { throw table.refused(refusal, at: place) }
        let given = GivenRows(table)
        let words = try InputLines.orWords(arguments, after: 1, as: "JSON object")
        let rows = arguments.readsInput ? try given.rows(words) : [try given.row(words)]
        let ids = try await CommandError.awaiting(
            CommandError.store, try await store.addRows(rows, to: table))
        try composition.console.write(ids: ids, asJSON: arguments.wantsJSON)
        if let remark = place.remark(onSendingTo: table.declaration.name) {
            composition.console.note(remark)
        }
        return .ok
    }
}
