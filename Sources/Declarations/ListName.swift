internal import Text

/// The name of a declared list: of its file, its table and everything that is told about it.
public struct ListName: Sendable, Hashable, CustomStringConvertible {
    /// 1 to 41 of `a`–`z`, `0`–`9` and `_`, a letter first.
    public let text: String

    /// The same as ``text``.
    public var description: String { text }

    /// Takes a name that can be a table of its own.
    ///
    /// - Throws: ``ListNameError`` for another form, and for a name that the cache uses itself.
    public init(_ text: String) throws(ListNameError) {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first), text.utf8.count <= 41,
            text.utf8.allSatisfy(Self.isAllowed)
        else { throw .badForm(text) }
        guard !Self.reserved.contains(text),
            !Self.reservedStarts.contains(where: { text.hasPrefix($0) }),
            !text.contains("_search"), !text.hasSuffix("_changes")
        else { throw .reserved(text) }
        self.text = text
    }

    /// A name that a cache has kept, or that is the program's own.
    package init(kept text: String) { self.text = text }

    /// The upcoming movies.
    public static let movies = ListName(kept: "movies")
    /// The todos.
    public static let todos = ListName(kept: "todos")

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x5F: true
        default: false
        }
    }

    /// What the cache, SQLite or a command has under this name.
    private static let reserved: Set = [
        "account", "all", "blocked_operation", "change", "changes",
        "checked_json", "checked_text", "conflict", "conflicts", "control", "declared_list",
        "departed", "held_delete", "held_deletes", "held_row", "highest_id", "hold", "last_id",
        "list_parts",
        "migration", "missed_row", "movie", "movie_changes",
        "movies", "operation", "outbox", "part", "row_change", "sent_delete", "spelled_text",
        "todo", "todos", "trail", "unconfirmed", "unread_row",
        "validator", "withdrawn",
    ]

    /// Of tables that the cache makes for lists, and of its other objects.
    private static let reservedStarts = [
        "absent_", "arriving_", "buried_", "d_", "differing_", "e_", "invariant_", "operation_",
        "pulled_",
        "r_", "read_",
        "row_change_", "s_", "skipped_",
        "sqlite", "sync_", "touched_", "withdrawn_",
    ]
}

/// Why a text is no name of a list.
public enum ListNameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another form than names have.
    case badForm(String)
    /// The cache has something else under this name.
    case reserved(String)

    /// The name, and what is wrong with it, on one line.
    public var description: String {
        switch self {
        case .badForm(let text):
            "a list cannot be called \"\(ForeignText(text.start(60)))\""
        case .reserved(let text): "\(text) is a name of the cache's own"
        }
    }

    /// What to do next.
    public var hint: String {
        switch self {
        case .badForm:
            "Use 1 to 41 of a to z, 0 to 9 and _, and begin with a letter."
        case .reserved: "Choose another name."
        }
    }
}
