internal import CommandLine
internal import Declarations
internal import Rendering
internal import Store

extension Command {
    static let todoList = Command(
        "todo list", "Lists the todos, also those that wait to be sent.",
        options: [.json, OptionSpec("search", "TEXT", "only titles that hold TEXT")],
        notes: [
            "The column state says how far a todo is: synced, queued, sending, in doubt, rejected,",
            "or not queued (error says what to do).",
        ], statuses: [.configuration], examples: ["syncd todo list --search milk"]
    ) { arguments, composition async throws(CommandError) in
        let store = try composition.openForReading(try composition.place(for: arguments))
        let todos = try await CommandError.awaiting(
            CommandError.store, try await store.todos(search: arguments.values["search"]))
        if arguments.wantsJSON {
            try composition.console.write(.array(todos.map(\.json)))
        } else {
            try composition.console.write(TodoRow.table(of: todos))
        }
        return .ok
    }
}
