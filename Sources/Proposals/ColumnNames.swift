/// The names of columns, made of what a server calls its fields.
struct ColumnNames: Sendable {
    /// Those that SQLite has already.
    private var taken: Set<String> = ["rowid", "oid"]
    private static let longest = 60

    /// A name that no other column has: of `a` to `z`, `0` to `9` and `_`, a letter first.
    mutating func name(for keys: [String]) -> String {
        let plain = Self.plain(keys.joined(separator: "_"))
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
