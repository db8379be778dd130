/// Strings of JSON that are safe to show on a terminal.
///
/// What ``EscapeTable`` names is written as `\u001b`, or as two such escapes (a surrogate pair). JSON
/// allows both, so a parser reads the very text that it was, in a pipe, a file and on a terminal.
///
/// Source: RFC 8259 §7.
public enum JSONText: Sendable {
    /// Adds `text` as a JSON string, with its quotes.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var table = EscapeTable()
        for scalar in text.unicodeScalars {
            let isEscaped = table.escapes(scalar)
            switch scalar {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
            case "\n": bytes += #"\n"#.utf8
            case "\r": bytes += #"\r"#.utf8
            case "\t": bytes += #"\t"#.utf8
            default: append(scalar, isEscaped: isEscaped, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds valid JSON text without the white space outside its strings; inside, what has to be is
    /// escaped, which changes the form and not the meaning.
    public static func append(raw text: [UInt8], to bytes: inout [UInt8]) {
        var isInString = false
        var isBehindBackslash = false
        var table = EscapeTable()
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if isInString {
                append(scalar, isEscaped: table.escapes(scalar), to: &bytes)
                isInString = isBehindBackslash || scalar != "\""
                isBehindBackslash = !isBehindBackslash && scalar == "\\"
            } else if scalar != " " && scalar != "\n" && scalar != "\r" && scalar != "\t" {
                table = EscapeTable()
                isInString = scalar == "\""
                append(scalar, isEscaped: table.escapes(scalar), to: &bytes)
                if isInString { table = EscapeTable() }
            }
        }
    }

    private static func append(
        _ scalar: Unicode.Scalar, isEscaped: Bool, to bytes: inout [UInt8]
    ) {
        guard isEscaped else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            return
        }
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            bytes += #"\u"#.utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
            bytes += digits.utf8
        }
    }
}
