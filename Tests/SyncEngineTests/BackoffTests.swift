import SyncEngine
import TestSupport
import Testing

/// Always the largest number, or always the smallest.
private struct ExtremeRandom: RandomSource {
    let isHigh: Bool
    func number(upTo bound: Int64) -> Int64 { isHigh ? max(bound, 0) : 0 }
}

@Suite struct BackoffTests {
    private let backoff = Backoff(base: .seconds(1), cap: .seconds(900))

    @Test(arguments: 1...200)
    func `a delay lies between zero and the smaller of cap and base doubled`(failures: Int) {
        let random = SeededRandom(seed: UInt64(failures))
        let doubled: Duration = failures > 20 ? .seconds(900) : .seconds(1 << (failures - 1))
        for _ in 0..<50 {
            let delay = backoff.delay(afterFailures: failures, serverAsks: nil, random: random)
            #expect(delay >= .zero)
            #expect(delay <= min(.seconds(900), doubled))
        }
    }

    @Test func `both ends of the range are drawn`() {
        for (failures, ceiling) in [(1, 1), (2, 2), (3, 4), (10, 512), (11, 900), (12, 900)] {
            let high = backoff.delay(
                afterFailures: failures, serverAsks: nil, random: ExtremeRandom(isHigh: true))
            let low = backoff.delay(
                afterFailures: failures, serverAsks: nil, random: ExtremeRandom(isHigh: false))
            #expect(high == .seconds(ceiling))
            #expect(low == .zero)
        }
    }

    @Test(arguments: [0, -1, Int.min])
    func `without a failure there is no wait`(failures: Int) {
        #expect(backoff.ceiling(afterFailures: failures) == .zero)
    }

    @Test(.timeLimit(.minutes(3)), arguments: [64, 1000, Int(Int32.max), .max])
    func `any number of failures ends at the cap at once`(failures: Int) {
        #expect(backoff.ceiling(afterFailures: failures) == .seconds(900))
        let wide = Backoff(base: .nanoseconds(1), cap: .seconds(Int64.max))
        #expect(wide.ceiling(afterFailures: failures) <= .seconds(Int64.max))
    }

    @Test func `what the server asks for is a floor`() {
        let random = SeededRandom(seed: 7)
        for failures in 1...20 {
            let delay = backoff.delay(
                afterFailures: failures, serverAsks: .seconds(30), random: random)
            #expect(delay >= .seconds(30))
        }
        let high = backoff.delay(
            afterFailures: 10, serverAsks: .seconds(30), random: ExtremeRandom(isHigh: true))
        #expect(high == .seconds(512))
    }

    @Test func `a base above the cap is cut to it`() {
        let odd = Backoff(base: .seconds(10), cap: .seconds(3))
        #expect(odd.ceiling(afterFailures: 1) == .seconds(3))
        #expect(odd.ceiling(afterFailures: 5) == .seconds(3))
    }

    @Test func `the system's random numbers stay within their bound`() {
        let random = SystemRandom()
        for _ in 0..<100 { #expect((0...3).contains(random.number(upTo: 3))) }
        #expect(random.number(upTo: 0) == 0)
        #expect(random.number(upTo: -5) == 0)
        #expect(random.number(upTo: .max) >= 0)
    }
}
