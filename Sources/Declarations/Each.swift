/// A list below rows or words: it is read in parts, each at an address of its own.
///
/// What an answer shows belongs to its part, though its rows do not say so: the staging writes the part into the
/// document, under ``member``. So it is a field like any other from there on.
public struct Each: Sendable, Hashable {
    /// The name of a part, between braces in the list's path and behind `@` in a column.
    public let name: String
    /// What has a part.
    public let parts: Parts
    /// The columns of the parent whose change asks for its part; empty: each cycle reads the oldest parts.
    public let changed: [String]
    /// The longest time from one read of a part to the next.
    public let whole: Duration
    /// How many parts a cycle reads, besides new ones.
    public let most: Int

    /// What has a part.
    public enum Parts: Sendable, Hashable {
        /// Each of these words, in the path as it is.
        case words([String])
        /// Each row of this list that the server has; the part is called as the server calls the row.
        case rows(ListName)
    }

    /// The list whose rows have parts; nil where words have.
    public var list: ListName? { if case .rows(let list) = parts { list } else { nil } }
    /// The words; empty where rows have parts.
    public var words: [String] { if case .words(let words) = parts { words } else { [] } }
    /// The name under which a document has its part.
    public var member: String { "@" + name }
    /// Where a document has its part.
    public var path: JSONPath { JSONPath(steps: [.member(member)]) }

    /// The most words.
    static let wordLimit = 100
    static let standardMost = 100
    static let usualWhole = Duration.seconds(86_400)

    /// Whether the path of a call names the part, or the row above.
    package func isNamed(in path: TextTemplate) -> Bool {
        path.columns.contains { $0 == name || $0.hasPrefix(name + ".") }
    }

    /// The path of the list with what stands for one part; `value` gives the value of a name between braces, and nil
    /// where the part has none. Returns nil then.
    package func address(
        of list: String, encoded: (String) -> String, value: (String) -> String?
    ) -> String? {
        guard let template = TextTemplate(list) else { return list }
        var address = ""
        for part in template.parts {
            switch part {
            case .text(let text): address += text
            case .id: address += "{id}"
            case .version: address += "{version}"
            case .column(let name):
                guard let value = value(name) else { return nil }
                // A word is a part of the path, as the declaration has it.
                address += self.list == nil ? value : encoded(value)
            }
        }
        return address
    }
}

extension Declaration {
    /// Whether one answer has every row.
    public var isOneAnswer: Bool { each == nil && paging.isOneAnswer }

    /// The column that shows in which part a row is; nil where the list has no parts.
    public var partColumn: Column? { columns.first(where: \.isPart) }

    /// What the list's path names of the rows that have parts.
    public var partNames: [ReferredColumn] {
        guard each != nil, let template = TextTemplate(list) else { return [] }
        return template.columns.compactMap(referredColumn)
    }
}
