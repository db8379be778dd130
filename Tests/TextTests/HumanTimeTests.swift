import Foundation
import Testing
import Text

@Suite struct HumanTimeTests {
    @Test func `a local moment has its day in a word where it is near`() throws {
        let now = try #require(HumanTime.milliseconds(iso: "2026-03-29T00:30:00Z"))
        // Clocks go from one hour ahead to two at 01:00 UTC of that day.
        func shown(_ iso: String) throws -> String {
            HumanTime.local(try #require(HumanTime.milliseconds(iso: iso)), now: now) { moment in
                moment < now + 1_800_000 ? 3_600_000 : 7_200_000
            }
        }
        #expect(try shown("2026-03-29T00:59:59Z") == "today 01:59")
        #expect(try shown("2026-03-29T01:00:00Z") == "today 03:00")
        #expect(try shown("2026-03-28T22:59:59.999Z") == "yesterday 23:59")
        #expect(try shown("2026-03-28T23:00:00Z") == "today 00:00")
        #expect(try shown("2026-03-29T22:00:00Z") == "tomorrow 00:00")
        #expect(try shown("2026-03-30T22:00:00Z") == "2026-03-31 00:00")
        #expect(try shown("2026-03-01T08:05:00Z") == "2026-03-01 09:05")
        for moment in [Int64.min, .max] {
            let shown = HumanTime.local(moment, now: now, offset: { _ in 0 })
            #expect(["0000-01-01 00:00", "9999-12-31 23:59"].contains(shown))
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_799_999, "2000-02-29T23:59:59.999Z"),
        (-2_203_891_200_001, "1900-02-28T23:59:59.999Z"),
        (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
        (1_763_715_360_123, "2025-11-21T08:56:00.123Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"),
        (Int64.min, "0000-01-01T00:00:00.000Z"),
    ])
    func `a moment is shown in UTC, held between the years 0 and 9999`(moment: Int64, text: String)
    {
        #expect(HumanTime.iso(moment) == text)
    }

    @Test func `every day of the calendar is named as Foundation names it`() {
        // The days that Foundation's Gregorian calendar counts as the proleptic one does.
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: Int64(-135_000), through: 2_932_896, by: 1) {
            guard day % 61 == 0 || (-30_000...60_000).contains(day) else { continue }
            let moment = day * 86_400_000 + (day & 0x3FFFFF) * 17
            let date = Date(timeIntervalSince1970: Double(moment) / 1000)
            #expect(HumanTime.iso(moment).prefix(19) == date.formatted(style).prefix(19))
        }
    }

    @Test func `what is written reads back as the same moment`() {
        // A prime, so that each part of a moment takes many values.
        for moment in stride(
            from: Int64(-62_167_219_200_000), through: 253_402_300_799_999, by: 15_485_863_777)
        {
            #expect(HumanTime.milliseconds(iso: HumanTime.iso(moment)) == moment)
        }
    }

    @Test(arguments: [
        ("1970-01-02", 86_400_000), ("1970-01-01T00:00:01Z", 1000),
        ("2024-02-29", 1_709_164_800_000),
        ("1970-01-01T23:59:59.999Z", 86_399_999),
    ])
    func `a day and a time without a fraction are read`(text: String, moment: Int64) {
        #expect(HumanTime.milliseconds(iso: text) == moment)
    }

    @Test(arguments: [
        "", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "2024-04-31",
        "2024-1-1", "24-01-01", "2024/01/01", "2024-01-01 ", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00",
        "2024-01-01T00:00:00.0Z",
        "2024-01-01T00:00:00.000+", "2024-01-01t00:00:00Z", "２０２４-01-01", "-024-01-01",
    ])
    func `what is no moment is not read`(text: String) {
        #expect(HumanTime.milliseconds(iso: text) == nil)
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.milliseconds(250), "250ms"), (.milliseconds(999), "999ms"),
        (.microseconds(5), "0s"), (.seconds(1), "1s"), (.seconds(59.9), "59s"),
        (.seconds(60), "1m"),
        (.seconds(3599), "59m"), (.seconds(3600), "1h"), (.seconds(86_399), "23h"),
        (.seconds(86_400), "1d"), (.seconds(Int64.max), "106751991167300d"), (.seconds(-5), "0s"),
        (.milliseconds(-5), "0s"),
    ])
    func `a duration is shown in its largest whole unit`(duration: Duration, text: String) {
        #expect(HumanTime.brief(duration) == text)
    }

    @Test(arguments: [
        (Int64(0), Int64(0), "now"), (0, 999, "now"), (0, 1_000, "1s ago"),
        (0, 10_800_000, "3h ago"),
        (120_000, 0, "in 2m"), (.min, .max, "106751991167d ago"), (.max, .min, "in 106751991167d"),
    ])
    func `a moment is shown by its distance from now`(moment: Int64, now: Int64, text: String) {
        #expect(HumanTime.relative(moment, now: now) == text)
    }
}
