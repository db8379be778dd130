extension HTTPDate {
    /// A date of the Gregorian calendar and a time of day, checked.
    struct Parts {
        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        private static let weekdays = [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ]

        let year: Int
        let month: Int
        let day: Int
        let secondOfDay: Int

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

        private init?(year: Int, month: String, day: String, time: String) {
            guard let index = Self.months.firstIndex(of: month),
                let day = Self.number(day, digits: 2), let time = Self.secondOfDay(time)
            else { return nil }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            guard (1...lengths[index]).contains(day) else { return nil }
            self.year = year
            self.month = index + 1
            self.day = day
            secondOfDay = time
        }

        /// Seconds since 1970, by counting days in a calendar that begins in March of year 0.
        var seconds: Int64 {
            let shifted = month <= 2 ? year - 1 : year
            let monthFromMarch = (month + 9) % 12
            let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
            let leapDays =
                Self.floor(shifted, 4) - Self.floor(shifted, 100) + Self.floor(shifted, 400)
            let days = 365 * shifted + leapDays + dayOfYear - 719_468
            return Int64(days) * 86_400 + Int64(secondOfDay)
        }

        /// A leap second (`23:59:60`) is the first second of the next day.
        private static func secondOfDay(_ text: String) -> Int? {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count == 3, let hour = number(parts[0], digits: 2),
                let minute = number(parts[1], digits: 2), let second = number(parts[2], digits: 2),
                hour < 24, minute < 60, second <= 60
            else { return nil }
            return hour * 3600 + minute * 60 + second
        }

        private static func number(_ text: String, digits: Int) -> Int? {
            guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return Int(text)
        }

        private static func floor(_ value: Int, _ divisor: Int) -> Int {
            value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
        }
    }

    /// The year this moment lies in, exact to a day at its ends; it only chooses a century.
    fileprivate var year: Int {
        let days = Double(seconds) / 86_400
        return Int(max(-9999, min(9999, (days / 365.2425).rounded(.down)))) + 1970
    }
}
