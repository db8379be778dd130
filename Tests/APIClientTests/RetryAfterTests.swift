import APIClient
import Testing

@Suite struct RetryAfterTests {
    private static let date = HTTPField("Date", "Sun, 06 Nov 1994 08:49:37 GMT")

    private func wait(_ value: String, _ others: HTTPField...) -> Duration? {
        RetryAfter.wait(
            in: HTTPResponse(status: 429, fields: others + [HTTPField("retry-after", value)]))
    }

    @Test(arguments: [
        ("5", 5), ("1", 1), ("0", 1), ("-1", 1), ("-99999999999999999999", 1), ("3600", 3600),
        ("3601", 3600), ("1e9", 3600), ("1000000000", 3600), ("99999999999999999999999", 3600),
        ("1e999", 3600), (" 5 ", 5), ("\t7", 7), ("2.0", 2), ("007", 7),
    ])
    func `seconds are moved into one second to one hour`(value: String, seconds: Int64) {
        #expect(wait(value) == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "soon", "5s", "5,6", "5 6", "nan", "inf", "0x10", "1-2", "-", "e", "1e", "٥",
        "5\u{0}",
        "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:38 UTC", "--5",
    ])
    func `what is neither number nor date says nothing`(value: String) {
        #expect(wait(value, Self.date) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:49:38 GMT", 1),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 1), ("Sun, 06 Nov 1994 07:49:37 GMT", 1),
        ("Sun, 06 Nov 1994 09:49:37 GMT", 3600), ("Sun, 06 Nov 2094 08:49:37 GMT", 3600),
        ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
    ])
    func `a date is judged against the answer's own Date`(value: String, seconds: Int64) {
        #expect(wait(value, Self.date) == .seconds(seconds))
    }

    @Test func `a date of two digits is of the century of the answer's Date`() {
        let date = HTTPField("Date", "Fri, 06 Nov 2099 08:49:37 GMT")
        #expect(wait("Friday, 06-Nov-99 08:49:47 GMT", date) == .seconds(10))
    }

    @Test func `a date means nothing without a Date to judge it against`() {
        let value = "Sun, 06 Nov 1994 08:50:37 GMT"
        #expect(wait(value) == nil)
        #expect(wait(value, HTTPField("Date", "today")) == nil)
    }

    @Test func `an answer without the header says nothing`() {
        #expect(RetryAfter.wait(in: HTTPResponse(status: 503, fields: [Self.date])) == nil)
    }
}
