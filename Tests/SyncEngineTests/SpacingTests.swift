import SyncEngine
import TestSupport
import Testing

@Suite struct SpacingTests {
    /// Always the largest number, or always the smallest.
    private struct ExtremeRandom: RandomSource {
        let isHigh: Bool
        func number(upTo bound: Int64) -> Int64 { isHigh ? max(bound, 0) : 0 }
    }

    @Test(arguments: [Duration.seconds(1), .seconds(60), .seconds(7 * 86_400)])
    func `a wait lies between nine tenths of the interval and all of it`(interval: Duration) {
        let spacing = Spacing(of: interval)
        #expect(spacing.wait(random: ExtremeRandom(isHigh: false)) == interval)
        #expect(spacing.wait(random: ExtremeRandom(isHigh: true)) == interval * 9 / 10)
        let random = SeededRandom(seed: 1)
        for _ in 0..<100 {
            #expect((interval * 9 / 10...interval).contains(spacing.wait(random: random)))
        }
    }

    @Test func `waits differ from cycle to cycle`() {
        let random = SeededRandom(seed: 1)
        let waits = Set((0..<100).map { _ in Spacing(of: .seconds(60)).wait(random: random) })
        #expect(waits.count > 90)
    }
}
