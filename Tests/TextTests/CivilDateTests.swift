import Testing
import Text

@Suite struct CivilDateTests {
    @Test func `each day of four centuries is the one after the day before`() {
        var (year, month, day) = (Int64(1800), Int64(1), Int64(1))
        for number in Int64(-62_091)..<(146_097 - 62_091) {
            let date = CivilDate(daysSince1970: number)
            #expect((date.year, date.month, date.day) == (year, month, day))
            #expect(date.daysSince1970 == number)
            if CivilDate(year: year, month: month, day: day + 1) != nil {
                day += 1
            } else {
                (year, month, day) = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
            }
        }
        #expect((year, month, day) == (2200, 1, 1))
    }

    @Test(
        arguments: [
            (1900, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1),
            (2024, 1, 0), (2024, 1, 32), (2024, Int64.min, 1), (2024, 1, Int64.max),
        ] as [(Int64, Int64, Int64)])
    func `a day that its month does not have is none`(year: Int64, month: Int64, day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }
}
