import SyncEngine
import Testing

/// D13: how fast a server is asked.
@Suite struct PaceTests {
    @Test func `D13: a refusal leaves one lane and a gap that doubles, up to five seconds`() {
        var pace = Pace(lanes: 4)
        #expect(pace.lanes == 4)
        #expect(pace.gap == .zero)
        for gap in [100, 200, 400, 800, 1600, 3200] as [Int64] {
            pace.slowDown(asked: nil)
            #expect(pace.lanes == 1)
            #expect(pace.gap == .milliseconds(gap))
            #expect(!pace.isExhausted)
        }
        pace.slowDown(asked: nil)
        #expect(pace.gap == .seconds(5))
        #expect(pace.isExhausted, "seven in a row")
        pace.speedUp()
        #expect(!pace.isExhausted)
    }

    @Test func `D13: what the server asks for is the gap`() {
        var pace = Pace(lanes: 2)
        pace.slowDown(asked: .seconds(3))
        #expect(pace.gap == .seconds(3))
        pace.slowDown(asked: .seconds(40))
        #expect(pace.gap == .seconds(5))
        pace.slowDown(asked: .seconds(1))
        #expect(pace.gap == .seconds(1))
    }

    @Test func `D13: successes shrink the gap by a quarter, and then add lanes`() {
        var pace = Pace(lanes: 3)
        pace.slowDown(asked: nil)
        for gap in [75_000, 56_250, 42_187, 31_640] as [Int64] {
            pace.speedUp()
            #expect(pace.gap >= .microseconds(gap) && pace.gap < .microseconds(gap + 1))
            #expect(pace.lanes == 1)
        }
        for lanes in [1, 2, 3, 3] {
            pace.speedUp()
            #expect(pace.gap == .zero)
            #expect(pace.lanes == lanes)
        }
    }
}
