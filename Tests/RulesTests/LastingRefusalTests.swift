import Host
import Rules
import Testing

/// S2: a change that will never be accepted as it is.
@Suite struct LastingRefusalTests {
    private func minute(_ minute: Int64, boot: String = "b") -> BootTime {
        BootTime(boot: boot, milliseconds: minute * 60_000)
    }

    /// What stands after refusals in these words, at these minutes.
    private func run(_ refusals: [(words: String, minute: Int64)]) throws -> LastingRefusal {
        let last = refusals.reduce(nil) { earlier, next in
            LastingRefusal(Refusal(words: next.words, at: minute(next.minute)), after: earlier)
        }
        return try #require(last)
    }

    @Test func `S2: ten equal refusals over an hour are for good`() throws {
        let ten = try run((0..<10).map { ("500: no", $0 * 7) })
        #expect(ten == LastingRefusal(words: "500: no", count: 10, since: minute(0)))
        #expect(ten.isForGood(at: minute(63)))
        #expect(ten.isForGood(at: minute(60)))
        #expect(!ten.isForGood(at: minute(59)), "less than an hour")
        #expect(try !run((0..<9).map { ("500: no", $0 * 10) }).isForGood(at: minute(90)))
    }

    @Test func `S2: other words begin anew`() throws {
        let changed = try run((0..<10).map { ($0 == 8 ? "500: other" : "500: no", $0 * 7) })
        #expect(changed == LastingRefusal(words: "500: no", count: 1, since: minute(63)))
    }

    @Test func `S2: of another boot only the time since this one began is known`() {
        let lasting = LastingRefusal(words: "500: no", count: 10, since: minute(600, boot: "a"))
        #expect(!lasting.isForGood(at: minute(59)))
        #expect(lasting.isForGood(at: minute(60)))
    }

    @Test(arguments: [400, 403, 404, 409, 422, 500, 501])
    func `S2: an answer with a reason refuses its operation`(status: Int) {
        #expect(
            Refusal(status: status, reason: "no", at: minute(1))
                == Refusal(words: "\(status): no", at: minute(1)))
        #expect(Refusal(status: status, reason: nil, at: minute(1)) == nil)
    }

    @Test(arguments: [200, 302, 401, 408, 429, 502, 503, 504, 999])
    func `S2: what is about who asks, how often, or whether anybody is there refuses nothing`(
        status: Int
    ) {
        #expect(Refusal(status: status, reason: "no", at: minute(1)) == nil)
    }
}
