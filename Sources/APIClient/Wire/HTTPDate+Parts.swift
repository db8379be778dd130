internal import Text

extension HTTPDate {
    /// A date of the Gregorian calendar and a time of day, checked.
    struct Parts {
        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        private static let weekdays = [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ]

        private let date: CivilDate
        private let secondOfDay: Int64

        /// `Sun, 06 Nov 1994 08:49:37`.
        init?(weekday: String, day: String, month: String, year: String, time: String) {
            guard Self.weekdays.contains(where: { $0.prefix(3) + "," == weekday }),
                let year = Self.number(year, digits: 4)
            else { return nil }
            self.init(year: year, month: month, day: day, time: time)
        }

        /// `Sunday, 06-Nov-94 08:49:37`.
        init?(
            longWeekday: String, day: String, month: String, shortYear: String, time: String,
            near reference: HTTPDate?
        ) {
            guard Self.weekdays.contains(where: { $0 + "," == longWeekday }),
                let short = Self.number(shortYear, digits: 2)
            else { return nil }
            var year = short + (short >= 70 ? 1900 : 2000)
            if let reference {
                let near = reference.year
                year = near - near % 100 + short
                if year - near > 50 { year -= 100 }
                if near - year >= 50 { year += 100 }
            }
            self.init(year: year, month: month, day: day, time: time)
        }

        /// `Sun Nov  6 08:49:37 1994`.
        init?(asctime weekday: String, month: String, day: String, time: String, year: String) {
            guard Self.weekdays.contains(where: { $0.prefix(3) == weekday }),
                let year = Self.number(year, digits: 4)
            else { return nil }
            self.init(year: year, month: month, day: day, time: time)
        }

        private init?(year: Int64, month: String, day: String, time: String) {
            guard let index = Self.months.firstIndex(of: month),
                let day = Self.number(day, digits: 2), let time = Self.secondOfDay(time),
                let date = CivilDate(year: year, month: Int64(index) + 1, day: day)
            else { return nil }
            self.date = date
            secondOfDay = time
        }

        /// Seconds since 1970.
        var seconds: Int64 { date.daysSince1970 * 86_400 + secondOfDay }

        /// A leap second (`23:59:60`) is the first second of the next day.
        private static func secondOfDay(_ text: String) -> Int64? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count == 3, let hour = number(parts[0], digits: 2),
                let minute = number(parts[1], digits: 2), let second = number(parts[2], digits: 2),
                hour < 24, minute < 60, second <= 60
            else { return nil }
            return hour * 3600 + minute * 60 + second
        }

        private static func number(_ text: String, digits: Int) -> Int64? {
            guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return Int64(text)
        }
    }

    /// The year this moment lies in, within some thousand years of ours; it only chooses a century.
    fileprivate var year: Int64 {
        CivilDate(daysSince1970: max(-3_000_000, min(3_000_000, seconds / 86_400))).year
    }
}
