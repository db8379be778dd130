internal import Rendering
internal import Store

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
            of: todos
        ) { todo in
            [
                .init("\(todo.id)"), .init(todo.state, emphasis(of: todo.state)),
                .init(todo.title), .init(todo.error ?? ""),
            ]
        }
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
