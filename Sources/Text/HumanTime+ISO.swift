extension HumanTime {
    /// `YYYY-MM-DDTHH:MM:SS.sssZ`, always 24 characters, the form of the cache's views.
    ///
    /// A moment before the year 0 or after 9999 is shown as the first or last one of these years.
    ///
    /// Source: RFC 3339 §5.6.
    public static func iso(_ milliseconds: Int64) -> String {
        let (day, rest) = held(milliseconds).quotientAndRemainderRoundingDown(
            by: millisecondsPerDay)
        let date = CivilDate(daysSince1970: day)
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
            + "T" + padded(rest / 3_600_000, 2) + ":" + padded(rest / 60_000 % 60, 2)
            + ":" + padded(rest / 1000 % 60, 2) + "." + padded(rest % 1000, 3) + "Z"
    }

    /// A moment as a person at a clock says it: `14:05` with `today`, `tomorrow`, `yesterday` or the date
    /// before it.
    ///
    /// - Parameters:
    ///   - moment: What to show.
    ///   - now: What today is.
    ///   - offset: How many milliseconds the person's clock is ahead of UTC at a moment.
    /// - Returns: `today 14:05`, or `2026-02-28 14:05` for a day that has no word.
    public static func local(
        _ moment: Int64, now: Int64, offset: (Int64) -> Int64
    ) -> String {
        let there = held(moment) + offset(moment)
        let here = held(now) + offset(now)
        let shown = iso(there)
        let time = shown.dropFirst(11).prefix(5)
        switch day(of: there) - day(of: here) {
        case -1: return "yesterday \(time)"
        case 0: return "today \(time)"
        case 1: return "tomorrow \(time)"
        default: return "\(shown.prefix(10)) \(time)"
        }
    }

    /// Counted from 1970-01-01.
    private static func day(of moment: Int64) -> Int64 {
        moment.quotientAndRemainderRoundingDown(by: millisecondsPerDay).0
    }

    /// Within the years that are shown.
    private static func held(_ moment: Int64) -> Int64 { min(max(moment, first), last) }

    /// The moment that `text` names: a day `2026-02-28` (its first millisecond in UTC), or
    /// what ``iso(_:)`` writes, with or without the fraction. Nil for everything else, also for a
    /// day that its month does not have.
    public static func milliseconds(iso text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let shape = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == 10 || bytes.count == 20 || bytes.count == 24 else { return nil }
        for (index, byte) in bytes.enumerated() {
            let wanted = bytes.count == 20 && index == 19 ? UInt8(ascii: "Z") : shape[index]
            let fits = wanted == UInt8(ascii: "0") ? isDigit(byte) : byte == wanted
            guard fits else { return nil }
        }
        let date = CivilDate(
            year: number(bytes[0..<4]), month: number(bytes[5..<7]), day: number(bytes[8..<10]))
        guard let date else { return nil }
        let midnight = date.daysSince1970 * millisecondsPerDay
        guard bytes.count > 10 else { return midnight }
        let hour = number(bytes[11..<13])
        let minute = number(bytes[14..<16])
        let second = number(bytes[17..<19])
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let fraction = bytes.count == 24 ? number(bytes[20..<23]) : 0
        return midnight + hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction
    }

    private static let millisecondsPerDay: Int64 = 86_400_000
    /// 0000-01-01T00:00:00.000Z.
    private static let first: Int64 = -719_528 * millisecondsPerDay
    /// 9999-12-31T23:59:59.999Z.
    private static let last: Int64 = 2_932_897 * millisecondsPerDay - 1

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64 {
        digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
