internal import Declarations
internal import Text

/// A name in SQL, quoted: whatever a declaration calls a column, it is a name there and nothing else.
///
/// Source: https://www.sqlite.org/lang_keywords.html
package struct SQLName: Sendable, Hashable, CustomStringConvertible {
    let name: String

    init(_ name: String) { self.name = name }

    package var description: String { name.quoted(by: "\"", escaping: "\"\"") }
}

/// A text in SQL, quoted.
package struct SQLText: Sendable, Hashable, CustomStringConvertible {
    private let text: String

    init(_ text: String) { self.text = text }

    package var description: String { text.quoted(by: "'", escaping: "''") }
}

extension PlainValue {
    /// As a column has it.
    var sql: String {
        switch self {
        case .text(let text): "\(SQLText(text))"
        case .number(let number): "\(number)"
        case .bool(let value): value ? "1" : "0"
        case .null: "NULL"
        }
    }
}

extension String {
    /// Its lines, each further to the right, without empty ones.
    var indented: String {
        // A walk over characters would take most of the time in which a schema is made.
        utf8.split(separator: UInt8(ascii: "\n")).map { "    \(Substring($0))" }
            .joined(separator: "\n")
    }
}

extension [String] {
    /// The condition that at least one of these holds: never true if there are none.
    var anyHolds: String { isEmpty ? "false" : joined(separator: "\n    OR ") }
}
