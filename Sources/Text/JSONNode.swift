/// A piece of a JSON document together with where it stands.
package struct JSONNode: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        /// As it is written, checked in nothing but that it begins like a number.
        case number(String)
        case text(String)
        case list([JSONNode])
        case object([Member])
    }

    package struct Member: Sendable, Hashable {
        package let key: String
        package let offset: Int
        package let node: JSONNode

        package init(key: String, offset: Int, node: JSONNode) {
            self.key = key
            self.offset = offset
            self.node = node
        }
    }

    package let value: Value
    /// Of the first byte. A ``TextPosition`` is worked out only for the places that are told.
    package let offset: Int

    package init(value: Value, offset: Int) {
        self.value = value
        self.offset = offset
    }

    /// The value as a person would recognise it, on one line and cut.
    package var excerpt: String {
        switch value {
        case .null: "null"
        case .bool(let value): String(value)
        case .number(let text): text.start(40)
        case .text(let text): "\"" + text.start(60) + "\""
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// A place in a text, both numbers from 1; columns count characters of Unicode, not bytes.
public struct TextPosition: Sendable, Hashable {
    /// The line.
    public let line: Int
    /// The column.
    public let column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place of the byte at `offset` of `bytes`.
    package init(offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(offset, bytes.count)]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        // Bytes that continue a character (10xxxxxx) are no columns of their own.
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }
}

/// What is wrong with a JSON document, and where.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    package let reason: String
    package let position: TextPosition
}

extension String {
    /// At most the first `count` scalars, then `…`: a character can have any number of bytes.
    package func start(_ count: Int) -> String {
        let kept = unicodeScalars.prefix(count)
        return kept.endIndex == unicodeScalars.endIndex ? self : String(kept) + "…"
    }
}
