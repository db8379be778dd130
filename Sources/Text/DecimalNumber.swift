/// A number of JSON by its value, with all its digits: `1`, `1.0` and `10e-1` are one.
///
/// Source: RFC 8259 §6.
package struct DecimalNumber: Sendable, Hashable {
    private let isNegative: Bool
    /// Without zeros at either end; none of zero.
    private let digits: [UInt8]
    /// How many digits stand before the point.
    private let point: Int

    private static let largestExponent = 999_999_999
    /// So many digits stand before a point, or zeros behind it, before an exponent is shorter.
    private static let (mostDigits, mostZeros) = (21, 6)

    /// Nil where `text` is no number, or has an exponent of more than nine digits.
    package init?(_ text: UnsafeBufferPointer<UInt8>) {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let whole = Self.takeDigits(of: &rest)
        guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else {
            return nil
        }
        var digits = Array(whole)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let fraction = Self.takeDigits(of: &rest)
            guard !fraction.isEmpty else { return nil }
            digits += fraction
        }
        var exponent = 0
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            guard let value = Self.takeExponent(of: &rest) else { return nil }
            exponent = value
        }
        guard rest.isEmpty else { return nil }
        let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(zeros)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
        point = digits.isEmpty ? 0 : whole.count - zeros + exponent
        guard abs(point - 1) <= Self.largestExponent else { return nil }
    }

    /// Adds the number, written in the one way that its value has.
    package func append(to bytes: inout [UInt8]) {
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        func zeros(_ count: Int) { bytes += repeatElement(UInt8(ascii: "0"), count: count) }
        switch point {
        case _ where digits.isEmpty: zeros(1)
        case digits.count...max(digits.count, Self.mostDigits):
            bytes += digits
            zeros(point - digits.count)
        case 1...Self.mostDigits:
            bytes += digits[..<point]
            bytes.append(UInt8(ascii: "."))
            bytes += digits[point...]
        case -Self.mostZeros...0:
            bytes += "0.".utf8
            zeros(-point)
            bytes += digits
        default:
            bytes += digits[..<1]
            if digits.count > 1 { bytes.append(UInt8(ascii: ".")) }
            bytes += digits[1...]
            bytes += "e\(point - 1)".utf8
        }
    }

    private static func takeDigits(
        of rest: inout Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }

    private static func takeExponent(
        of rest: inout Slice<UnsafeBufferPointer<UInt8>>
    ) -> Int? {
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let digits = takeDigits(of: &rest)
        let value = digits.drop { $0 == UInt8(ascii: "0") }
        guard !digits.isEmpty, value.count <= 9 else { return nil }
        let number = value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return isNegative ? -number : number
    }
}
