import SQLite

/// A column of the table that shows a field of the documents, in the order of the declaration.
enum Field: String, CaseIterable, Sendable {
    case title, body, done, changed
    /// A row of another list: the table has its local number, and a document what the server calls it.
    case book

    /// Those that programs write.
    static let written: [Field] = [.title, .body, .done, .book]
    static let allCases: [Field] = [.title, .body, .done, .changed, .book]

    /// The bit of the field in a mark; 0 for one that no program writes.
    var bit: Int64 { Self.written.firstIndex(of: self).map { 1 << Int64($0) } ?? 0 }

    /// What programs write into it. Few values, so that many writes meet the same one.
    var usual: [Value] {
        switch self {
        case .title: [.text("a"), .text("b"), .text("c")]
        case .body: [.null, .text("x"), .text("y")]
        case .done: [.integer(0), .integer(1), .null]
        case .changed: []
        case .book: [.null, .integer(1), .integer(2), .integer(3)]
        }
    }

    /// What the table refuses; for a field that takes every text, one more.
    var wrong: Value {
        switch self {
        case .title: .null
        case .body, .changed: .text("x")
        case .done: .integer(2)
        case .book: .integer(99)
        }
    }

    /// JSON of other types, which shows as NULL.
    var odd: [String] {
        switch self {
        case .done: ["\"yes\"", "7", "1.5", "[0]", "{}"]
        // The server may refer to a row that is not here.
        case .book: ["\"599\"", "599", "1.5", "true", "[1]", "\"\""]
        case .title, .body, .changed: ["5", "1.5", "true", "[1]", "{\"a\":null}"]
        }
    }

    /// How a document becomes the value of the column, as `Projection` has it. `document` is SQL.
    func value(in document: String) -> String {
        let type = "json_type(\(document), '$.\(rawValue)')"
        let value = "\(document) ->> '$.\(rawValue)'"
        if self == .book {
            return """
                (SELECT number FROM (SELECT id AS number, server_id AS called FROM s_books) WHERE called = CASE \(type)
                    WHEN 'text' THEN \(value) WHEN 'integer' THEN CAST(\(value) AS TEXT) END)
                """
        }
        guard self == .done else { return "CASE \(type) WHEN 'text' THEN \(value) END" }
        return """
            CASE \(type) WHEN 'true' THEN 1 WHEN 'false' THEN 0
                WHEN 'integer' THEN iif(\(value) IN (0, 1), \(value), NULL) END
            """
    }

    /// A value of the column as JSON.
    func json(_ value: Value) -> String {
        switch value {
        case .text(let text): "\"\(text)\""
        case .integer(let number):
            switch self {
            case .done: number == 0 ? "false" : "true"
            case .book: "\(ModelBooks.serverID(of: number))"
            case .title, .body, .changed: "\(number)"
            }
        case .null, .real, .blob: "null"
        }
    }

    /// The values of all columns in a document, as a list of SQL.
    static func values(in document: String) -> String {
        allCases.map { $0.value(in: document) }.joined(separator: ", ")
    }

    /// The names of all columns, as a list of SQL.
    static func names(prefix: String = "") -> String {
        allCases.map { prefix + $0.rawValue }.joined(separator: ", ")
    }
}
