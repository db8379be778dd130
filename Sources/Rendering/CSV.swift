import Text

/// Comma-separated values, a header first, for spreadsheets and scripts.
///
/// A stream gets every text as it is. On a terminal each text is escaped (``ForeignText``) first.
///
/// Source: RFC 4180 §2; beyond it, an absent value is an empty field and an empty text is `""`.
public struct CSV: Sendable, Hashable {
    private let destination: Destination

    /// Records for `destination`; its style and width are not used.
    public init(for destination: Destination) {
        self.destination = destination
    }

    /// One record, ended by CR LF. The header is the first record.
    ///
    /// A record of one absent value is written as `""`, because readers skip an empty line.
    public func record(_ fields: [String?]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let text = field ?? (fields.count == 1 ? "" : nil) {
                write(text, to: &bytes)
            }
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
        return bytes
    }

    /// `text` with an apostrophe before it, if a spreadsheet could take it for a formula.
    ///
    /// A spreadsheet evaluates a field that begins with `=`, `+`, `-` or `@`, or with the full-width form of
    /// one, and may skip a tab or a line end before it. It shows what follows an apostrophe as text. For texts
    /// alone: a number that begins with `-` is no formula.
    public static func inert(_ text: String) -> String {
        switch text.unicodeScalars.first {
        case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}":
            "'" + text
        default: text
        }
    }

    private func write(_ text: String, to bytes: inout [UInt8]) {
        let shown =
            switch destination {
            case .terminal: ForeignText(text).escaped
            case .stream: text
            }
        guard shown.isEmpty || shown.utf8.contains(where: Self.wantsQuotes) else {
            bytes.append(contentsOf: shown.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in shown.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func wantsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0D, 0x0A: true
        // Some readers trim a field that is not quoted.
        case UInt8(ascii: " "), UInt8(ascii: "\t"): true
        default: false
        }
    }
}
