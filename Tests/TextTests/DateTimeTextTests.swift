import Testing
import Text

@Suite struct DateTimeTextTests {
    @Test(arguments: [
        "2027-01-01T00:00:00Z", "2027-01-01T00:00:00.000Z", "2026-12-31T18:00:00-06:00",
        "2027-01-01 00:00:00", "2027-01-01T05:30:00.0+0530", "2027-01-01t00:00z",
        "2027-01-01T01:00+01",
    ])
    func `a moment is the same in each form`(text: String) throws {
        #expect(try #require(DateTimeText(text)).seconds == 1_798_761_600)
        #expect(try #require(DateTimeText(text)).canonical == "1798761600.")
    }

    @Test(arguments: [
        "", "2027-01-01", "2027-01-01T", "2027-13-01T00:00:00Z", "2027-02-29T00:00:00Z",
        "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z", "2027-01-01T00:00:61Z",
        "2027-01-01T00:00:00.Z",
        "2027-01-01T00:00:00Zx", "2027-01-01T00:00:00+25:00", "20270101T000000Z+0000",
        "a text of some length", "2027-01-01T00:00:00+", "١٢٣٤-01-01T00:00:00Z",
    ])
    func `what is no moment is none`(text: String) {
        #expect(DateTimeText(text) == nil)
    }

    @Test func `parts of a second count, and zeros behind them do not`() {
        #expect(DateTimeText("1969-12-31T23:59:59.50Z")?.canonical == "-1.5")
        #expect(DateTimeText("1969-12-31T23:59:59.05Z")?.canonical == "-1.05")
    }
}
