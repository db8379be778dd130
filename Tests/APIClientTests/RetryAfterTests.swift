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

    private static let today = HTTPField("Date", "Sat, 28 Nov 2026 10:00:00 GMT")

    @Test(arguments: [
        ("RateLimit-", "0", "30", 30), ("X-RateLimit-", "0", "30", 30),
        ("x-ratelimit-", "0", "1795860020", 20), ("X-Rate-Limit-", "0", "1795860020", 20),
        ("X-RateLimit-", "0", "1795859990", 5), ("RateLimit-", "1", "30", nil),
        ("RateLimit-", "0", "soon", nil), ("RateLimit-", "", "30", nil),
    ])
    func `a limit that is used up says when it begins anew`(
        prefix: String, remaining: String, reset: String, seconds: Int64?
    ) {
        let fields = [
            Self.today, HTTPField(prefix + "Remaining", remaining),
            HTTPField(prefix + "Reset", reset),
        ]
        let found = RetryAfter.wait(in: HTTPResponse(status: 403, fields: fields))
        #expect(found == seconds.map { .seconds($0) })
        // The server's own word for it goes first.
        let both = fields + [HTTPField("Retry-After", "7")]
        #expect(RetryAfter.wait(in: HTTPResponse(status: 403, fields: both)) == .seconds(7))
    }

    @Test func `a moment without a date of the answer asks for a short wait`() {
        let fields = [
            HTTPField("X-RateLimit-Remaining", "0"), HTTPField("X-RateLimit-Reset", "1795860020"),
        ]
        #expect(RetryAfter.wait(in: HTTPResponse(status: 403, fields: fields)) == .seconds(5))
    }

    @Test(arguments: [
        (429, nil, true), (403, nil, false), (403, 5, true), (400, 5, true), (401, 5, false),
        (404, 5, true), (503, 5, false), (200, 5, false),
    ])
    func `a refusal that says when to come back is none`(code: Int, wait: Int?, isNotNow: Bool) {
        let failure = StatusFailure(
            code: code, reason: nil, retryAfter: wait.map { .seconds($0) })
        #expect(failure.isNotNow == isNotNow)
        #expect(failure.refusesCredentials == ([401, 403].contains(code) && !isNotNow))
    }

    @Test(
        arguments: [
            (["RateLimit-Remaining": "3", "RateLimit-Reset": "0.25"], 3, 250, 0),
            (["RateLimit-Remaining": "0", "RateLimit-Reset": "0"], 0, 1000, 1),
            (
                [
                    "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.5",
                    "X-RateLimit-Reset": "1795860020",
                ], 0, 1500, 0
            ),
            (["RateLimit": #""default";r=0;t=7"#], 0, 7000, 1),
            (["RateLimit": "limit=10, remaining=2, reset=30"], 2, 30_000, 1),
            (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795860000"], 0, 1000, 2),
        ] as [([String: String], Int64, Int64, Int64)])
    func `what is left of a limit, and until when`(
        fields: [String: String], remaining: Int64, milliseconds: Int64, slack: Int64
    ) {
        let response = HTTPResponse(
            status: 200, fields: [Self.today] + fields.map { HTTPField($0.key, $0.value) })
        #expect(
            RequestQuota(of: response)
                == RequestQuota(
                    remaining: remaining, reset: .milliseconds(milliseconds),
                    slack: .seconds(slack)))
    }

    @Test(
        arguments: [
            [:], ["RateLimit-Remaining": "3"],
            ["RateLimit-Remaining": "x", "RateLimit-Reset": "1"],
            ["RateLimit": "r=1"], ["RateLimit-Remaining": "-1", "RateLimit-Reset": "1"],
            ["RateLimit-Remaining": "1", "RateLimit-Reset": "nan"],
        ] as [[String: String]])
    func `a header that does not tell of a limit says nothing`(fields: [String: String]) {
        #expect(
            RequestQuota(
                of: HTTPResponse(
                    status: 200, fields: fields.map { HTTPField($0.key, $0.value) })) == nil)
    }
}
