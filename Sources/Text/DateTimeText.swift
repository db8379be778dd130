/// A date with a time of day as servers write it, in one form: the same moment in another zone, or with more or fewer
/// parts of a second, is the same text.
///
/// Source: RFC 3339 §5.6. Without a zone, UTC is meant.
public struct DateTimeText: Sendable, Hashable {
    /// In seconds since 1970-01-01T00:00:00Z, rounded down.
    public let seconds: Int64
    /// The digits behind the point, without zeros at the end.
    public let fraction: String

    /// The moment that `text` names; nil for anything else.
    public init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        // The length first: most texts are none.
        guard (16...40).contains(rest.count), rest[4] == UInt8(ascii: "-"),
            let year = Self.number(&rest, 4), Self.take(&rest, "-"),
            let month = Self.number(&rest, 2), Self.take(&rest, "-"),
            let day = Self.number(&rest, 2), Self.take(&rest, "Tt "),
            let date = CivilDate(year: year, month: month, day: day),
            let hour = Self.number(&rest, 2), hour < 24, Self.take(&rest, ":"),
            let minute = Self.number(&rest, 2), minute < 60
        else { return nil }
        var second: Int64 = 0
        var digits: [UInt8] = []
        if Self.take(&rest, ":") {
            guard let number = Self.number(&rest, 2), number <= 60 else { return nil }
            second = number
            if Self.take(&rest, ".,") {
                digits = Array(rest.prefix { (0x30...0x39).contains($0) })
                guard !digits.isEmpty else { return nil }
                rest = rest.dropFirst(digits.count)
                while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            }
        }
        guard let offset = Self.offset(&rest), rest.isEmpty else { return nil }
        seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        fraction = String(decoding: digits, as: UTF8.self)
    }

    /// One text for all that name the moment.
    public var canonical: String { "\(seconds).\(fraction)" }

    private static func number(_ bytes: inout ArraySlice<UInt8>, _ digits: Int) -> Int64? {
        let text = bytes.prefix(digits)
        guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        bytes = bytes.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func take(_ bytes: inout ArraySlice<UInt8>, _ one: String) -> Bool {
        guard let first = bytes.first, one.utf8.contains(first) else { return false }
        bytes = bytes.dropFirst()
        return true
    }

    /// Seconds before UTC.
    private static func offset(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        if bytes.isEmpty || take(&bytes, "Zz") { return 0 }
        let isNegative = bytes.first == UInt8(ascii: "-")
        guard take(&bytes, "+-"), let hours = number(&bytes, 2) else { return nil }
        _ = take(&bytes, ":")
        let minutes = bytes.isEmpty ? 0 : number(&bytes, 2)
        guard let minutes, hours < 24, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }
}
