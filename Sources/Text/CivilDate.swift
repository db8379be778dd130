/// A day of the Gregorian calendar, which is taken to hold for all years.
///
/// Days are counted in eras of 400 years (146 097 days) whose years begin in March, so that the leap day
/// is the last one of its year.
public struct CivilDate: Sendable, Hashable {
    /// Year 0 is the one before year 1.
    public let year: Int64
    /// 1 to 12.
    public let month: Int64
    /// From 1.
    public let day: Int64

    /// The day of this name; nil where its month does not have it.
    public init?(year: Int64, month: Int64, day: Int64) {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard 1...12 ~= month, 1...lengths[Int(month) - 1] ~= day else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day so many days after 1970-01-01.
    public init(daysSince1970 days: Int64) {
        let (era, day) = (days + 719_468).quotientAndRemainderRoundingDown(by: 146_097)
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }

    /// How many days after 1970-01-01 it is; negative before.
    public var daysSince1970: Int64 {
        let (era, yearOfEra) = (year - (month <= 2 ? 1 : 0))
            .quotientAndRemainderRoundingDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int64 {
    /// Rounded towards minus infinity, so that the remainder is never negative.
    func quotientAndRemainderRoundingDown(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
