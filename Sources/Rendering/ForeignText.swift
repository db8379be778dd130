/// Text that somebody else wrote, made safe to show on a terminal and to write to the journal.
///
/// A title or a server's reason can hold what a terminal obeys (ESC, C1), what ends a log line and
/// begins a forged one (newline, U+2028), and what turns or hides the text after it (bidirectional
/// embeddings, overrides and isolates, invisible marks). Each of these is shown as `\n` or
/// `\u{1b}`; all other text stays as it is, also the joiners inside emoji and what Unicode has not
/// assigned yet.
///
/// Laws: `escaped` holds no scalar for which ``isHazardous(_:)`` is true, and escaping it again
/// changes nothing (a backslash is left alone for that reason, so the form is to be read, not to
/// be parsed).
public struct ForeignText: Sendable, Hashable, CustomStringConvertible {
    /// The text with every hazardous scalar in its visible form.
    public let escaped: String

    /// Takes `text` as it came.
    public init(_ text: some StringProtocol) {
        guard !Self.isPlain(text) else {
            escaped = String(text)
            return
        }
        guard text.unicodeScalars.contains(where: Self.isHazardous) else {
            escaped = String(text)
            return
        }
        // Not a view's `append(contentsOf:)`: it copies all that is there, each time.
        var safe = ""
        for scalar in text.unicodeScalars {
            if Self.isHazardous(scalar) {
                safe += Self.visible(scalar)
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        escaped = safe
    }

    /// Adds what ``escaped`` would be of `text` to `bytes`; without a text of its own where nothing
    /// is to be escaped.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isPlain(text) ? text : ForeignText(text).escaped).utf8)
    }

    /// Whether a text is printable ASCII alone, which its bytes tell sooner than its scalars.
    private static func isPlain(_ text: some StringProtocol) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.allSatisfy { 0x20...0x7E ~= $0 }
        } ?? false
    }

    /// Takes bytes that should be UTF-8; each piece that is not becomes U+FFFD, which can be seen.
    public init(bytes: some Collection<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// The same as ``escaped``, so that an interpolation is safe.
    public var description: String { escaped }

    /// Whether `scalar` can command a terminal, end a line, or turn or hide the text around it.
    ///
    /// Source: ECMA-48 (C0 and C1), UAX #9 §2 (bidirectional embeddings, overrides, isolates),
    /// UAX #14 (U+2028, U+2029), the Unicode Standard §23.2 to §23.8 (invisible and deprecated
    /// format characters).
    public static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x200B, 0x2060...0x2064, 0xFEFF: true
        case 0x2028...0x202E, 0x2066...0x206F: true
        case 0xFFF9...0xFFFB: true
        default: false
        }
    }

    /// `\n`, or `\u{1b}` for ESC: the form of a Swift string literal.
    private static func visible(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": #"\n"#
        case "\r": #"\r"#
        case "\t": #"\t"#
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
