import APIClient
import Foundation
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `all three formats of the RFC name the same moment`(text: String) {
        #expect(HTTPDate(text)?.seconds == 784_111_777)
    }

    @Test func `every day of 500 years agrees with the calendar of Foundation`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let first = Int64(-11_676_096_000)  // 1600-01-01
        for day in Int64(0)..<182_621 {
            let seconds = first + day * 86_400 + day % 86_400
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second],
                from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            let (year, month, date) = try (
                #require(parts.year), #require(parts.month), #require(parts.day)
            )
            let (hour, minute, second) = try (
                #require(parts.hour), #require(parts.minute), #require(parts.second)
            )
            let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
            let text =
                "Mon, \(two(date)) \(months[month - 1]) \(year) \(two(hour)):\(two(minute)):\(two(second)) GMT"
            if HTTPDate(text)?.seconds != seconds { Issue.record("\(text)") }
        }
    }

    @Test func `a leap second is the next second`() {
        #expect(
            HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate("Sun, 01 Jan 2017 00:00:00 GMT"))
    }

    @Test(arguments: [
        ("Tue, 29 Feb 2000 00:00:00 GMT", true), ("Tue, 29 Feb 2024 00:00:00 GMT", true),
        ("Tue, 29 Feb 1900 00:00:00 GMT", false), ("Tue, 29 Feb 2023 00:00:00 GMT", false),
        ("Tue, 31 Apr 2023 00:00:00 GMT", false), ("Tue, 00 Apr 2023 00:00:00 GMT", false),
        ("Tue, 30 Apr 2023 24:00:00 GMT", false), ("Tue, 30 Apr 2023 23:60:00 GMT", false),
        ("Tue, 30 Apr 2023 23:59:61 GMT", false), ("Xxx, 30 Apr 2023 23:59:59 GMT", false),
        ("Tue, 30 apr 2023 23:59:59 GMT", false), ("Tue, 30 Apr 2023 23:59:59 UTC", false),
        ("Tue, 30 Apr 2023 23:59:59", false), ("Tue, 30 Apr 23 23:59:59 GMT", false),
        ("Tue,  30 Apr 2023 23:59:59 GMT", false), (" Tue, 30 Apr 2023 23:59:59 GMT", false),
        ("Tue, 3 Apr 2023 23:59:59 GMT", false), ("Tue, 30 Apr 2023 3:59:59 GMT", false),
        ("Tue, 30 Apr 2023 23:59 GMT", false), ("Tue, 30 Apr +023 23:59:59 GMT", false),
        ("Tue, -1 Apr 2023 23:59:59 GMT", false), ("Tuesday, 30-Apr-2023 23:59:59 GMT", false),
        ("Tue, 30-Apr-23 23:59:59 GMT", false), ("Tuesday, 30-Apr 23:59:59 GMT", false),
        ("Tue Apr 30 23:59:59 2023", true), ("Tue Apr  0 23:59:59 2023", false),
        ("Tue Apr  31 23:59:59 2023", false), ("Tue Apr 30 23:59:59 2023 GMT", false),
        ("Tuesday, 30-Apr-23 23:59:59 GMT", true), ("", false), ("GMT", false), ("     ", false),
        ("0", false), ("Tue, ٣٠ Apr 2023 23:59:59 GMT", false),
        ("Tue, 30 Apr 2023 23:59:59 GMT\u{0}", false),
    ])
    func `only real dates in these formats are read`(text: String, isDate: Bool) {
        #expect((HTTPDate(text) != nil) == isDate)
    }

    @Test(
        arguments: [
            ("94", nil, 1994), ("70", nil, 1970), ("69", nil, 2069), ("00", nil, 2000),
            ("94", 2026, 1994), ("26", 2026, 2026), ("76", 2026, 2076), ("77", 2026, 1977),
            ("01", 1999, 2001), ("99", 2001, 1999), ("49", 1999, 2049), ("50", 1999, 1950),
        ] as [(String, Int?, Int)])
    func `a year of two digits is the one nearest to the reference`(
        short: String, reference: Int?, year: Int
    ) {
        let near = reference.flatMap { HTTPDate("Fri, 15 Jun \($0) 12:00:00 GMT") }
        let date = HTTPDate("Friday, 15-Jun-\(short) 12:00:00 GMT", near: near)
        #expect(date == HTTPDate("Fri, 15 Jun \(year) 12:00:00 GMT"))
        #expect(date != nil)
    }

    @Test
    func `every date that is cut short or has a byte changed is read or refused, never a trap`() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            let bytes = Array(text.utf8)
            for length in 0..<bytes.count {
                #expect(HTTPDate(String(decoding: bytes[..<length], as: UTF8.self)) == nil)
                for byte in UInt8(0x20)...0x7E {
                    var changed = bytes
                    changed[length] = byte
                    _ = HTTPDate(String(decoding: changed, as: UTF8.self))
                }
            }
        }
    }
}
