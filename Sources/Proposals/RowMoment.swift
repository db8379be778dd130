internal import Text

/// When a row has last changed: a date, or a number that grows.
struct RowMoment: Sendable, Hashable, Comparable {
    /// In the server's own letters.
    let text: String
    let isDate: Bool
    /// Seconds since 1970, or the number.
    private let whole: Int64
    /// The digits behind the point.
    private let fraction: String

    /// The moment in a field; nil where SQLite would read none there.
    init?(_ node: JSONNode) {
        switch node.value {
        case .number(let text):
            guard let number = node.wholeNumber, number >= 0,
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            self.init(text: text, isDate: false, whole: number, fraction: "")
        case .text(let text):
            guard let date = DateTimeText(text), Self.isReadBySQLite(text) else { return nil }
            self.init(text: text, isDate: true, whole: date.seconds, fraction: date.fraction)
        case .null, .bool, .list, .object: return nil
        }
    }

    private init(text: String, isDate: Bool, whole: Int64, fraction: String) {
        (self.text, self.isDate, self.whole, self.fraction) = (text, isDate, whole, fraction)
    }

    static func < (one: RowMoment, other: RowMoment) -> Bool {
        one.whole == other.whole ? one.fraction < other.fraction : one.whole < other.whole
    }

    /// Whether both are one moment, in the same letters or in others.
    func isSame(as other: RowMoment) -> Bool {
        whole == other.whole && fraction == other.fraction
    }

    /// As it is sent where the server wants another spelling of dates.
    func sent(inSeconds: Bool) -> String { inSeconds ? "\(whole)" : text }

    /// The same, rounded down as it is sent.
    func rounded(inSeconds: Bool) -> RowMoment {
        inSeconds ? RowMoment(text: text, isDate: isDate, whole: whole, fraction: "") : self
    }

    /// A moment behind all that any row can have, in the letters of this one.
    var farAhead: RowMoment {
        guard isDate else {
            let far = whole < Int64.max / 4 ? whole * 2 + 1_000_000 : Int64.max
            return RowMoment(text: "\(far)", isDate: false, whole: far, fraction: "")
        }
        let day = text.dropFirst(4).hasPrefix("-02-29") ? "-02-28" : text.dropFirst(4).prefix(6)
        let far = "2199" + day + text.dropFirst(10)
        return RowMoment(
            text: far, isDate: true, whole: DateTimeText(far)?.seconds ?? Int64.max, fraction: "")
    }

    /// SQLite reads `T` or a space between date and time, a point before parts of a second, and zones as `Z` or
    /// `+01:00`.
    private static func isReadBySQLite(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let zone = bytes.dropFirst(16).drop { !"zZ+-".utf8.contains($0) }
        let isZone =
            zone.isEmpty || zone.count == 1
            || zone.count == 6 && zone.dropFirst(3).first == UInt8(ascii: ":")
        return isZone && !bytes.contains(UInt8(ascii: ","))
            && bytes.dropFirst(10).first.map { "T ".utf8.contains($0) } == true
    }
}
