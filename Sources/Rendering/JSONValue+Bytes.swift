extension JSONValue {
    /// The value as JSON text on one line, without a newline at its end.
    ///
    /// Hazardous scalars (``ForeignText/isHazardous(_:)``) are written as `\u001b`, which JSON
    /// allows: a parser reads the same text, and a terminal obeys none of it.
    ///
    /// Source: RFC 8259 §7 (strings), §6 (numbers).
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null:
            bytes.append(contentsOf: "null".utf8)
        case .bool(let bool):
            bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer(let integer):
            bytes.append(contentsOf: String(integer).utf8)
        case .double(let double):
            bytes.append(contentsOf: (double.isFinite ? String(double) : "null").utf8)
        case .string(let text):
            Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .raw(let text):
            Self.write(raw: text, to: &bytes)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes.append(contentsOf: #"\""#.utf8)
            case "\\": bytes.append(contentsOf: #"\\"#.utf8)
            case "\n": bytes.append(contentsOf: #"\n"#.utf8)
            case "\r": bytes.append(contentsOf: #"\r"#.utf8)
            case "\t": bytes.append(contentsOf: #"\t"#.utf8)
            default: write(scalar, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Copies valid JSON text: what is white space outside strings, or hazardous inside, changes
    /// its form and not its meaning.
    private static func write(raw text: [UInt8], to bytes: inout [UInt8]) {
        var isInString = false
        var isEscaped = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if isInString {
                write(scalar, to: &bytes)
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else if scalar == "\"" {
                    isInString = false
                }
            } else if scalar != " " && scalar != "\n" && scalar != "\r" && scalar != "\t" {
                isInString = scalar == "\""
                write(scalar, to: &bytes)
            }
        }
    }

    /// Every hazardous scalar lies below U+10000, so that four digits always do.
    private static func write(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if ForeignText.isHazardous(scalar) {
            let digits = String(scalar.value, radix: 16)
            bytes.append(contentsOf: #"\u"#.utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
            bytes.append(contentsOf: digits.utf8)
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
