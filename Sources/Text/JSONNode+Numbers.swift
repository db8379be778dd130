extension JSONNode {
    /// The value as a number within 64 bits; one that is written with a fraction of zero is one, too. Nil for any
    /// other value.
    package var wholeNumber: Int64? {
        guard let parts = numberParts, parts.exponent.isEmpty,
            parts.fraction.allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return nil }
        return Int64(String(decoding: parts.whole, as: UTF8.self))
    }

    /// The value as a finite number; nil for any other value.
    package var realNumber: Double? {
        guard case .number(let text) = value, numberParts != nil, let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }

    /// The place of the first number, here or within, that begins like one and is none.
    var offsetOfNoNumber: Int? {
        switch value {
        case .null, .bool, .text: nil
        case .number: numberParts == nil ? offset : nil
        case .list(let items): items.lazy.compactMap(\.offsetOfNoNumber).first
        case .object(let members): members.lazy.compactMap(\.node.offsetOfNoNumber).first
        }
    }

    /// The digits of a number; nil where it is none.
    ///
    /// Source: RFC 8259 §6.
    private var numberParts:
        (whole: ArraySlice<UInt8>, fraction: ArraySlice<UInt8>, exponent: ArraySlice<UInt8>)?
    {
        guard case .number(let text) = value else { return nil }
        var rest = Array(text.utf8)[...]
        func digits() -> ArraySlice<UInt8>? {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest[digits.endIndex...]
            return digits.isEmpty ? nil : digits
        }
        func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        let start = rest
        _ = skip("-")
        guard let whole = digits(), whole.count == 1 || whole.first != UInt8(ascii: "0") else {
            return nil
        }
        let signed = start[..<rest.startIndex]
        var fraction: ArraySlice<UInt8> = []
        if skip(".") {
            guard let found = digits() else { return nil }
            fraction = found
        }
        var exponent: ArraySlice<UInt8> = []
        if skip("eE") {
            _ = skip("+-")
            guard let found = digits() else { return nil }
            exponent = found
        }
        return rest.isEmpty ? (signed, fraction, exponent) : nil
    }
}
