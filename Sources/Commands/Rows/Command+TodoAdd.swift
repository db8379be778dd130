internal import CommandLine
internal import Declarations
internal import Store

extension Command {
    static let todoAdd = Command(
        "todo add", "Adds todos, one for each TITLE, and prints their ids.",
        operands: OperandRule(
            name: "at least one TITLE, or - for one a line from standard input",
            usage: "TITLE… | -", count: 1...Int.max),
        options: [.json],
        notes: [
            "Either all todos are added, or none. When the command ends, they are on the disk. The",
            "next sync sends them. A TITLE that begins with a dash follows after --.",
        ], statuses: [.data, .tryLater, .configuration],
        examples: ["syncd todo add 'buy milk' 'call Ada'", "syncd todo add - < titles.txt"]
    ) { arguments, composition async throws(CommandError) in
        let titles = try InputLines.orWords(arguments)
        try TitleRule.check(titles)
        let place = try composition.place(for: arguments)
        let store = try await composition.openForWriting(place)
        let ids = try await CommandError.awaiting(
            CommandError.store, try await store.addTodos(titles))
        try composition.console.write(ids: ids.map(\.rawValue), asJSON: arguments.wantsJSON)
        if let remark = place.remark(onSendingTo: .todos) { composition.console.note(remark) }
        return .ok
    }
}
