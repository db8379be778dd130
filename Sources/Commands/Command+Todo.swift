internal import Rendering
internal import Store

extension Command {
    static let todoList = Command(
        "todo list", "Lists the todos, those that wait to be sent included.",
        options: [.json, OptionSpec("search", "TEXT", "only titles that hold TEXT")],
        notes: [
            "The column state tells how far a todo is: synced, queued, sending, in doubt, rejected."
        ], statuses: [.configuration], examples: ["syncd todo list --search milk"]
    ) { arguments, composition async throws(CommandError) in
        let store = try composition.openForReading(try composition.place(for: arguments))
        let todos = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            try await store.todos(search: arguments.values["search"])
        }
        if arguments.wantsJSON {
            try composition.console.write(.array(todos.map(\.json)))
        } else {
            try composition.console.write(TodoRow.table(of: todos))
        }
        return .ok
    }

    static let todoAdd = Command(
        "todo add", "Adds todos, one for each TITLE, and prints their ids.",
        operands: OperandRule(
            name: "at least one TITLE, or - for one a line from standard input",
            usage: "TITLE… | -", count: 1...Int.max),
        options: [.json],
        notes: [
            "All are added or none. They are safe on the disk when the command ends, and are sent",
            "with the next sync. A TITLE that begins with a dash follows after --.",
        ], statuses: [.data, .tryLater, .configuration],
        examples: ["syncd todo add 'buy milk' 'call Ada'", "syncd todo add - < titles.txt"]
    ) { arguments, composition async throws(CommandError) in
        let titles = try Self.wordsOrLines(arguments.operands)
        try TitleRule.check(titles)
        let store = try await composition.openForWriting(try composition.place(for: arguments))
        let ids = try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.addTodos(titles)
        }
        if arguments.wantsJSON {
            try composition.console.write(.array(ids.map { .integer($0.rawValue) }))
        } else {
            for id in ids { try composition.console.write(line: "\(id)") }
        }
        return .ok
    }

    static let todoRemove = Command(
        "todo rm", "Deletes todos by their local ids.",
        operands: OperandRule(
            name: "at least one ID, or - for one a line from standard input", usage: "ID… | -",
            count: 1...Int.max),
        notes: ["All are deleted or none. `syncd todo list` shows the ids."],
        statuses: [.data, .tryLater, .configuration], examples: ["syncd todo rm 3 7"]
    ) { arguments, composition async throws(CommandError) in
        let words = try Self.wordsOrLines(arguments.operands)
        let ids = try arguments.identifiers(words).map { TodoID(rawValue: $0) }
        let store = try await composition.openForWriting(try composition.place(for: arguments))
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.removeTodos(ids)
        }
        return .ok
    }

    /// The operands, or the lines of standard input where the only one is `-`.
    private static func wordsOrLines(_ operands: [String]) throws(CommandError) -> [String] {
        guard operands == ["-"] else { return operands }
        let lines = try InputLines.read()
        guard !lines.isEmpty else {
            throw .data("standard input is empty", hint: "Give one operand a line.")
        }
        return lines
    }
}

extension TodoRow {
    var json: JSONValue {
        [
            "id": .integer(id.rawValue), "title": .string(title), "state": .string(state),
            "server_id": .optional(serverID), "created_at": .string(createdAt),
            "error": .optional(error),
        ]
    }

    static func table(of todos: [TodoRow]) -> Table {
        Table(
            columns: [
                .init("id", alignment: .trailing), .init("state"), .init("title", isFlexible: true),
                .init("error", isFlexible: true),
            ],
            rows: todos.map { todo in
                [
                    .init("\(todo.id)"), .init(todo.state, emphasis(of: todo.state)),
                    .init(todo.title), .init(todo.error ?? ""),
                ]
            })
    }

    /// How the state of a todo or of an operation looks.
    static func emphasis(of state: String) -> Style.Emphasis {
        switch state {
        case "synced": .good
        case "rejected": .bad
        case "in doubt": .warning
        default: .plain
        }
    }
}
