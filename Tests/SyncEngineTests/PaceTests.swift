import APIClient
import Host
import SyncEngine
import TestSupport
import Testing

/// A server with a limit, in virtual time.
private struct LimitedServer {
    enum Kind: Sendable, CaseIterable {
        /// So many in each second.
        case window
        /// A bucket of one, and of ten, that gets ten a second.
        case bucketOfOne, bucketOfTen
    }

    enum Telling: Sendable, CaseIterable {
        case nothing, retryAfter
        /// In seconds, and parts of them; in whole seconds; as moments in whole seconds.
        case rateLimit, wholeSeconds, moments
    }

    let kind: Kind
    let telling: Telling
    private var windowBegan = Int64.min
    private var taken = 0
    private var tokens: Double
    private var filledAt: Int64 = 0
    private(set) var refused = 0

    init(_ kind: Kind, _ telling: Telling) {
        (self.kind, self.telling) = (kind, telling)
        tokens = kind == .bucketOfTen ? 10 : 1
    }

    /// Milliseconds until there is more, and how many are left; nil, where it is refused.
    mutating func ask(at now: Int64) -> (isTaken: Bool, left: Int, reset: Int64) {
        switch kind {
        case .window:
            if windowBegan == .min || now - windowBegan >= 1000 { (windowBegan, taken) = (now, 0) }
            taken += 1
            if taken > 10 { refused += 1 }
            return (taken <= 10, max(10 - taken, 0), windowBegan + 1000 - now)
        case .bucketOfOne, .bucketOfTen:
            let most: Double = kind == .bucketOfTen ? 10 : 1
            tokens = min(tokens + Double(now - filledAt) / 100, most)
            filledAt = now
            let isTaken = tokens >= 1
            if isTaken { tokens -= 1 } else { refused += 1 }
            return (
                isTaken, Int(tokens),
                Int64(((1 - tokens.truncatingRemainder(dividingBy: 1)) * 100).rounded(.up))
            )
        }
    }
}

/// D13: how fast a server is asked.
@Suite struct PaceTests {
    /// Reads a list of `pages`, one after another, and returns how long that took in milliseconds and how often the
    /// server refused.
    private func read(
        _ pages: Int, of kind: LimitedServer.Kind, _ telling: LimitedServer.Telling
    ) -> (milliseconds: Int64, refused: Int) {
        var server = LimitedServer(kind, telling)
        var pace = Pace()
        let time = VirtualTime()
        let began = time.bootTime()
        var page = 0
        while page < pages {
            time.advance(by: pace.wait(at: time.bootTime()))
            let start = pace.begin(at: time.bootTime())
            let answer = server.ask(at: time.bootTime().milliseconds)
            time.advance(by: .milliseconds(2))
            let now = time.bootTime()
            let wait = Duration.milliseconds(answer.reset)
            let whole = Duration.seconds((answer.reset + 999) / 1000)
            if answer.isTaken {
                page += 1
                switch telling {
                case .nothing, .retryAfter: break
                case .rateLimit:
                    pace.learn(
                        RequestQuota(remaining: Int64(answer.left), reset: wait, slack: .zero),
                        at: now)
                case .wholeSeconds:
                    pace.learn(
                        RequestQuota(
                            remaining: Int64(answer.left), reset: whole, slack: .seconds(1)),
                        at: now)
                case .moments:
                    pace.learn(
                        RequestQuota(
                            remaining: Int64(answer.left), reset: whole, slack: .seconds(2)),
                        at: now)
                }
                pace.take(start, at: now)
            } else {
                pace.refuse(start, asked: telling == .nothing ? nil : whole, at: now)
            }
        }
        return (time.bootTime().milliseconds - began.milliseconds, server.refused)
    }

    /// A hundred seconds is the least.
    @Test(arguments: LimitedServer.Kind.allCases, LimitedServer.Telling.allCases)
    fileprivate func `L8: a thousand pages at ten a second`(
        kind: LimitedServer.Kind, telling: LimitedServer.Telling
    ) {
        let (milliseconds, refused) = read(1000, of: kind, telling)
        // Where nothing is ever left, whole seconds do not tell that there is more after a tenth.
        let isTold =
            telling == .rateLimit
            || [.wholeSeconds, .moments].contains(telling) && kind != .bucketOfOne
        #expect(milliseconds <= (isTold ? 105_000 : 115_000), "\(milliseconds) ms")
        #expect(refused <= (isTold ? 1 : 20), "\(refused)")
    }

    /// So many requests that a shorter gap counts as taken, and then the server refuses it all the same.
    @Test func `L8: what was taken before a try is taken again`() {
        var pace = Pace()
        let time = VirtualTime()
        func take(_ count: Int) {
            for _ in 1...count {
                time.advance(by: pace.wait(at: time.bootTime()))
                pace.take(pace.begin(at: time.bootTime()), at: time.bootTime())
            }
        }
        take(10)
        pace.refuse(pace.begin(at: time.bootTime()), asked: .seconds(1), at: time.bootTime())
        take(1)
        #expect(pace.gap == .milliseconds(100))
        // A minute without a refusal.
        take(650)
        #expect(pace.gap < .milliseconds(100))
        pace.refuse(pace.begin(at: time.bootTime()), asked: .seconds(1), at: time.bootTime())
        take(1)
        #expect(pace.gap == .milliseconds(100))
    }

    /// Ten come through in a second, and the header says that it is up to two.
    @Test(arguments: [1000, 1600, 2000])
    func `L8: a wait in whole seconds ends a time of whole seconds`(told: Int64) {
        var pace = Pace()
        let time = VirtualTime()
        for left in (0...9).reversed() {
            let start = pace.begin(at: time.bootTime())
            time.advance(by: .milliseconds(3))
            pace.learn(
                RequestQuota(
                    remaining: Int64(left), reset: .milliseconds(told), slack: .seconds(2)),
                at: time.bootTime())
            pace.take(start, at: time.bootTime())
        }
        time.advance(by: pace.wait(at: time.bootTime()))
        pace.take(pace.begin(at: time.bootTime()), at: time.bootTime())
        #expect(pace.gap == .milliseconds(100))
    }

    /// Requests at one moment tell no gap, however small.
    @Test func `L8: a burst that is refused ends`() {
        var pace = Pace()
        let time = VirtualTime()
        for _ in 1...4 {
            for _ in 1...10 { pace.take(pace.begin(at: time.bootTime()), at: time.bootTime()) }
            pace.refuse(pace.begin(at: time.bootTime()), asked: nil, at: time.bootTime())
            time.advance(by: pace.wait(at: time.bootTime()))
        }
        #expect(pace.gap > .zero)
    }

    /// The time of answers is none between requests that were too close.
    @Test func `L8: one refusal of a slow server slows nothing down`() {
        var pace = Pace()
        let time = VirtualTime()
        for _ in 1...2 {
            let start = pace.begin(at: time.bootTime())
            time.advance(by: .seconds(8))
            pace.take(start, at: time.bootTime())
        }
        pace.refuse(pace.begin(at: time.bootTime()), asked: nil, at: time.bootTime())
        time.advance(by: pace.wait(at: time.bootTime()))
        pace.take(pace.begin(at: time.bootTime()), at: time.bootTime())
        #expect(pace.gap <= .milliseconds(200), "\(pace.gap)")
    }

    @Test func `L8: nothing is held back before a first refusal`() {
        var pace = Pace()
        let time = VirtualTime()
        for _ in 1...100 {
            let start = pace.begin(at: time.bootTime())
            pace.take(start, at: time.bootTime())
        }
        #expect(pace.wait(at: time.bootTime()) == .zero)
        #expect(pace.gap == .zero)
    }

    @Test func `L8: the wait that is asked for is paid once, and is not the gap`() {
        var pace = Pace()
        let time = VirtualTime()
        for _ in 1...20 { pace.take(pace.begin(at: time.bootTime()), at: time.bootTime()) }
        pace.refuse(pace.begin(at: time.bootTime()), asked: .seconds(2), at: time.bootTime())
        #expect(pace.wait(at: time.bootTime()) == .seconds(2))
        time.advance(by: .seconds(2))
        #expect(pace.wait(at: time.bootTime()) == .zero)
        pace.take(pace.begin(at: time.bootTime()), at: time.bootTime())
        #expect(pace.gap == .milliseconds(100), "twenty came through in two seconds")
    }

    @Test func `L8: of many that are refused together, one counts`() {
        var pace = Pace()
        let now = VirtualTime().bootTime()
        let starts = (1...4).map { _ in pace.begin(at: now) }
        #expect(starts.map { pace.refuse($0, asked: nil, at: now) } == [true, false, false, false])
        #expect(pace.refusals == 1)
        #expect(pace.wait(at: now) == .milliseconds(100))
    }

    @Test func `L8: time in which nobody asked tells nothing of the rate`() {
        var pace = Pace()
        let time = VirtualTime()
        pace.take(pace.begin(at: time.bootTime()), at: time.bootTime())
        time.advance(by: .seconds(50))
        pace.refuse(pace.begin(at: time.bootTime()), asked: .seconds(1), at: time.bootTime())
        time.advance(by: .seconds(1))
        pace.take(pace.begin(at: time.bootTime()), at: time.bootTime())
        #expect(pace.gap <= .seconds(1), "\(pace.gap)")
    }
}
