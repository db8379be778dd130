extension WallTime: CustomStringConvertible {
    /// `YYYY-MM-DDTHH:MM:SS.sssZ`, as in the cache's views; at the ends of the years 0 to 9999 for
    /// moments outside them, so that the text always sorts like the time.
    public var description: String {
        let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (days, rest) = bounded.quotientAndRemainder(dividingByFloor: 86_400_000)
        let (year, month, day) = Self.civil(daysSince1970: days)
        let time = [
            Self.padded(rest / 3_600_000, 2), Self.padded(rest / 60_000 % 60, 2),
            Self.padded(rest / 1000 % 60, 2),
        ].joined(separator: ":")
        return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
            + "T" + time + "." + Self.padded(rest % 1000, 3) + "Z"
    }

    /// The date in the proleptic Gregorian calendar. Years are counted from March within 400-year
    /// eras of 146 097 days, so that the leap day comes last and needs no case of its own.
    private static func civil(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
        let (era, day) = (days + 719_468).quotientAndRemainder(dividingByFloor: 146_097)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (
            era * 400 + year + (month <= 2 ? 1 : 0), month, ofYear - (153 * fromMarch + 2) / 5 + 1
        )
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func quotientAndRemainder(dividingByFloor divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
