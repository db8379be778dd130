/// A call of the server that changes a row.
public struct WriteCall: Sendable, Hashable {
    /// What a call does.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Adds a row.
        case create
        /// Changes fields of a row.
        case update
        /// Removes a row.
        case delete
    }

    /// The methods that a call may have.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// For most creates.
        case post = "POST"
        /// For updates of servers without PATCH.
        case put = "PUT"
        /// For most updates.
        case patch = "PATCH"
        /// For deletes.
        case delete = "DELETE"
    }

    /// The method.
    public let method: Method
    /// The path below the base URL, with a query or not.
    public let path: TextTemplate
    /// What is sent; nil: nothing.
    public let body: BodyTemplate?
    /// The body's `Content-Type`.
    public let contentType: String
    /// Where the row stands in the answer.
    public let row: JSONPath
    /// Where the answer to a create names the id of the new row, if it does not show the row; nil: in `Location`, if
    /// that stands below the call's own path.
    public let answerID: AnswerID?
    /// Header fields of this call.
    public let headers: [Header]
    /// Where a row's document has its version, for `{version}`; nil: nowhere.
    public let version: JSONPath?
    /// The statuses by which the server says that the version is not the newest.
    public let stale: [Int]
    /// Which changes of a row it is for; nil: for all that no other call takes.
    public let action: Action?

    /// The changes of a row that a call of its own makes.
    public struct Action: Sendable, Hashable {
        /// The columns that it changes; never empty.
        public let columns: [String]
        /// What they become by it: a column is left to other calls where it becomes something else.
        public let values: [Value]
        /// It turns a value into the other one, whichever that is.
        public let isToggle: Bool

        /// A value that the call itself gives.
        public struct Value: Sendable, Hashable {
            /// The column.
            public let column: String
            /// What it becomes.
            public let value: PlainValue
        }

        /// Whether it needs no value of the row.
        var givesValues: Bool { isToggle || !values.isEmpty }

        /// Whether it is the call for a change of columns to these values, each as JSON text.
        func takes(_ changed: [String: String]) -> Bool {
            columns.contains { changed[$0] != nil }
                && values.allSatisfy { changed[$0.column] == $0.value.text }
        }
    }

    /// Where an answer names the id of a new row.
    public enum AnswerID: Sendable, Hashable, CustomStringConvertible {
        /// In this member of its body.
        case member(JSONPath)
        /// In this header field: the last segment of an address.
        case header(String)

        /// As a declaration says it.
        public var description: String {
            switch self {
            case .member(let path): path.description
            case .header(let name): "header \(name)"
            }
        }
    }

    /// A header field whose value may name the version.
    public struct Header: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: TextTemplate
    }
}

/// A text with places for values of a row: `/notes/{id}`.
public struct TextTemplate: Sendable, Hashable, CustomStringConvertible {
    /// A piece of it.
    public enum Part: Sendable, Hashable {
        /// As it is.
        case text(String)
        /// The id at the server.
        case id
        /// The row's version.
        case version
        /// The value of a column.
        case column(String)
    }

    /// In their order.
    public let parts: [Part]

    /// A text without places for values.
    init(plain text: String) { parts = text.isEmpty ? [] : [.text(text)] }

    /// The path of a list, or of a row below it. A list in parts has places for them.
    init(list text: String, isOfRow: Bool) {
        let path = isOfRow && !text.hasSuffix("/") ? text + "/" : text
        parts = (TextTemplate(path)?.parts ?? [.text(path)]) + (isOfRow ? [.id] : [])
    }

    /// Reads `text`; nil where a brace is open at the end, or stands alone.
    init?(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                return nil
            }
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            switch String(rest[rest.index(after: open)..<close]) {
            case "id": parts.append(.id)
            case "version": parts.append(.version)
            case "": return nil
            case let name: parts.append(.column(name))
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// As a declaration has it.
    public var description: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .id: "{id}"
            case .version: "{version}"
            case .column(let name): "{\(name)}"
            }
        }.joined()
    }

    /// The columns that it names.
    public var columns: [String] {
        parts.compactMap { part in
            if case .column(let name) = part { name } else { nil }
        }
    }
}

/// JSON with places for a row's values.
public indirect enum BodyTemplate: Sendable, Hashable {
    /// What a text that begins with `@` stands for.
    public enum Placeholder: String, Sendable, Hashable, CaseIterable {
        /// An object of the columns that were given.
        case row = "@row"
        /// An object of the columns that were changed.
        case changed = "@changed"
        /// The row's document with the changes laid over it.
        case document = "@document"
        /// The id at the server.
        case id = "@id"
    }

    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    /// A text.
    case text(String)
    /// A list.
    case list([BodyTemplate])
    /// An object, in its order.
    case object([Member])
    /// Values of the row.
    case placeholder(Placeholder)
    /// The value of one column, which a declaration writes as `{title}`.
    case column(String)

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: BodyTemplate
    }

    /// Every place of it for a value of the row.
    var placeholders: [Placeholder] {
        switch self {
        case .null, .bool, .number, .text, .column: []
        case .list(let items): items.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        case .placeholder(let placeholder): [placeholder]
        }
    }

    /// The columns that it names.
    var columns: [String] {
        switch self {
        case .null, .bool, .number, .text, .placeholder: []
        case .list(let items): items.flatMap(\.columns)
        case .object(let members): members.flatMap(\.value.columns)
        case .column(let name): [name]
        }
    }
}

/// How a create whose answer was lost is told from one that did not arrive.
public enum Once: Sendable, Hashable {
    /// It is looked for in the following pulls.
    case look
    /// It is sent again with the same key in this header field.
    case header(String)
    /// A column carries a mark of ours, by which alone it is looked for.
    case column(String, Mark)

    /// A mark that no other client makes.
    public enum Mark: Sendable, Hashable {
        /// RFC 9562, version 4.
        case uuid
        /// 32 hexadecimal digits.
        case hex
        /// So many digits and small letters.
        case base36(Int)

        /// As a declaration has it.
        public var description: String {
            switch self {
            case .uuid: "uuid"
            case .hex: "hex"
            case .base36(let length): "base36:\(length)"
            }
        }
    }
}

/// Who wins if another client changed the field that a program changed.
public enum ConflictRule: String, Sendable, Hashable, CaseIterable {
    /// The other client; the program's value stands in `conflicts`.
    case theirs
    /// The program; the other value stands in `conflicts`.
    case mine
}
