/// Text that somebody else wrote, made safe to show on a terminal and to write as one line of a log.
///
/// A title, a path or a server's reason can hold characters that a terminal obeys, that end a line
/// and begin a forged one, or that turn or hide the text after them. ``EscapeTable`` names these
/// characters. Each is shown as `\n`, `\t`, `\r` or `\u{1b}`, and all other text stays as it is.
///
/// Law: escaping twice is escaping once. For that reason a backslash is left alone. So the form is
/// for reading, not for parsing.
public struct ForeignText: Sendable, Hashable, CustomStringConvertible {
    /// The safe text.
    public let escaped: String

    /// Takes `text` as it came.
    public init(_ text: some StringProtocol) {
        var table = EscapeTable()
        guard !Self.isPlain(text), text.unicodeScalars.contains(where: { table.escapes($0) }) else {
            escaped = String(text)
            return
        }
        table = EscapeTable()
        // Not a view's `append(contentsOf:)`: it copies all that is there, each time.
        var safe = ""
        for scalar in text.unicodeScalars {
            if table.escapes(scalar) {
                safe += Self.visible(scalar)
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        escaped = safe
    }

    /// Takes bytes that should be UTF-8; each piece that is not becomes U+FFFD, which can be seen.
    public init(bytes: some Collection<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// The same as ``escaped``, so that an interpolation is safe.
    public var description: String { escaped }

    /// `text` escaped and, where it is longer than `maxBytes`, cut between two characters and ended by
    /// `…`, which counts too. `maxBytes` is at least 3.
    public static func escaped(_ text: String, maxBytes: Int) -> String {
        // One scalar is never escaped to fewer bytes than one, so that this much is enough.
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxBytes + 1)))
        let whole = ForeignText(start).escaped
        guard whole.utf8.count > maxBytes else { return whole }
        let room = max(0, maxBytes - 3)
        var kept = cut(whole.map { $0.utf8.count }, room, in: whole.utf8)
        if kept.isEmpty {
            kept = cut(whole.unicodeScalars.map { UTF8.width($0) }, room, in: whole.utf8)
        }
        return kept + "…"
    }

    /// Adds what ``escaped`` would be of `text` to `bytes`; without a text of its own where nothing
    /// is to be escaped.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isPlain(text) ? text : ForeignText(text).escaped).utf8)
    }

    /// `text` as one word of a POSIX shell on one line, for a command in a hint.
    public static func shellWord(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_", "+", ":", "@", ",", "=": true
            default: false
            }
        }
        if plain && !text.isEmpty { return text }
        return ForeignText("'" + text.replacingScalars("'", with: "'\\''") + "'").escaped
    }

    /// Whether a text is printable ASCII alone, which its bytes tell sooner than its scalars.
    private static func isPlain(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { 0x20...0x7E ~= $0 }
        } ?? false
    }

    /// The longest start of `bytes` that is made of whole pieces and fits into `room`.
    private static func cut(_ widths: [Int], _ room: Int, in bytes: String.UTF8View) -> String {
        var used = 0
        for width in widths {
            guard used + width <= room else { break }
            used += width
        }
        return String(decoding: bytes.prefix(used), as: UTF8.self)
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}

extension String {
    /// The text with each `mark` replaced, also one that a combining mark makes a part of a larger
    /// character.
    public func replacingScalars(_ mark: Unicode.Scalar, with replacement: String) -> String {
        unicodeScalars.map { $0 == mark ? replacement : String($0) }.joined()
    }
}
