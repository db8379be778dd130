import APIClient
import APIClientTesting
import Testing

/// What an answer offers for the next question whether it has changed.
@Suite struct ValidatorsTests {
    private static func offered(_ fields: [HTTPField]) -> Validators {
        Validators(of: HTTPResponse(status: 200, fields: fields))
    }

    private static let modified = HTTPField("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
        ("Sun, 06 Nov 1994 08:49:39 GMT", true), ("Sun, 06 Nov 1994 08:49:36 GMT", false),
        ("yesterday", false),
    ])
    func `a date of change alone has to be two seconds older than the answer`(
        date: String, isTaken: Bool
    ) {
        let validators = Self.offered([Self.modified, HTTPField("Date", date)])
        #expect(validators.lastModified == (isTaken ? Self.modified.value : nil))
    }

    @Test func `without a date of the answer there is none, and beside an entity tag there is`() {
        #expect(Self.offered([Self.modified]).lastModified == nil)
        let both = Self.offered([Self.modified, HTTPField("ETag", "\"a\"")])
        #expect(both.entityTag == "\"a\"")
        #expect(both.lastModified == Self.modified.value)
    }
}
