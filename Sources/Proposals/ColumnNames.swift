/// The names of columns, made of what a server calls its fields.
struct ColumnNames: Sendable {
    private var taken: Set<String> = []
    private static let longest = 60
    /// Words that SQL takes for its own where a name has no quotes, and names that each table has already.
    ///
    /// Source: https://www.sqlite.org/lang_keywords.html, without those that can be a name all the same.
    private static let reserved: Set = [
        "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "cast", "check",
        "collate",
        "commit", "constraint", "create", "current_date", "current_time", "current_timestamp",
        "default", "deferrable", "delete", "distinct", "drop",
        "else", "escape", "except", "exists", "foreign", "from", "group", "having", "in", "index",
        "insert", "intersect", "into", "is", "isnull", "join", "limit", "not", "nothing", "notnull",
        "null", "oid", "on", "or", "order", "primary", "raise", "references", "returning", "rowid",
        "select",
        "set", "table", "then", "to", "transaction", "union", "unique", "update", "using", "values",
        "when", "where",
    ]

    /// A name that no other column has: of `a` to `z`, `0` to `9` and `_`, a letter first.
    mutating func name(for keys: [String]) -> String {
        let word = Self.plain(keys.joined(separator: "_"))
        let plain = Self.reserved.contains(word) ? word + "_" : word
        var name = plain
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(plain)_\(number)"
            number += 1
        }
        return name
    }

    /// `createdAt` and `Created at` are `created_at`; what is no letter and no digit of ASCII is dropped.
    static func plain(_ text: String) -> String {
        var name: [UInt8] = []
        var isBehindSmall = false
        for byte in text.utf8 {
            switch byte {
            case 0x41...0x5A:
                if isBehindSmall { name.append(0x5F) }
                name.append(byte | 0x20)
                isBehindSmall = false
            case 0x61...0x7A, 0x30...0x39:
                name.append(byte)
                isBehindSmall = true
            case 0x20...0x7F:
                if let last = name.last, last != 0x5F { name.append(0x5F) }
                isBehindSmall = false
            default: isBehindSmall = false
            }
        }
        while name.last == 0x5F { name.removeLast() }
        name = Array(name.prefix(longest))
        guard let first = name.first else { return "field" }
        let isLetter = (0x61...0x7A).contains(first)
        return (isLetter ? "" : "f_") + String(decoding: name, as: UTF8.self)
    }
}
