package import APIClient
package import Host

/// How fast a server may be asked, as it says by refusing and in its header.
///
/// Nothing is held back before a first refusal. From then on the pace is the gap between the beginnings of two requests.
/// It stays between the longest that was refused and the shortest that was taken. The wait that a refusal asks for is
/// paid once, and is not the gap: what came through in all, that wait included, is.
package struct Pace: Sendable, Hashable {
    /// Which refusal was the last one when a request began. Of many that were under way together, one counts.
    package struct Start: Sendable, Hashable {
        fileprivate let episode: Int
        package let moment: BootTime
    }

    /// How long after one request the next one begins; zero where nothing is known to be too fast.
    package private(set) var gap = Duration.zero
    /// So many refusals have followed each other.
    package private(set) var refusals = 0
    /// No request begins before.
    private var opens: BootTime?
    /// The gaps between which the right one lies.
    private var bracket = Bracket()
    private var episode = 0
    /// Since the last wait: its end, what was taken since, and what of that at this gap.
    private var run = Run()
    private var lastStart: BootTime?
    /// When a request began or ended last.
    private var lastSign: BootTime?
    /// The last wait that a refusal has cost, and whether the server chose it.
    private var lastWait = Duration.zero
    private var wasAsked = false
    private var headerTimes = HeaderTimes()
    private var headerWait = HeaderWait.none
    /// When a shorter gap is tried again, and how long after that the next time.
    private var tries: BootTime?
    private var peace = Self.firstPeace

    /// The first wait where a server does not say how long, and the longest.
    package static let waits: ClosedRange<Duration> = .milliseconds(100) ... .seconds(30)
    /// So long may anything but the middle of a list wait for the server; for longer, it comes again later.
    package static let patience = Duration.seconds(5)
    /// So many refusals in a row end the replay.
    package static let refusalsAtMost = 7
    /// So many of a read end its cycle: that comes again by itself.
    package static let readRefusalsAtMost = 5
    /// After so long without a request, what a server keeps for its clients is full again.
    private static let idle = Duration.seconds(60)
    private static let firstPeace = Duration.seconds(30)
    /// What a server lets clients have in a longer time, they may use as fast as they like. A longer wait is that of the
    /// list, or of the replay, that is asked for it: it may be about them alone.
    package static let longestWait = Duration.seconds(60)
    /// So many requests in a wait's time tell the rate themselves.
    private static let telling = 3

    /// What a timer or a connection brings one request closer to the one before.
    private static let jitter = Duration.milliseconds(3)

    /// The wait that a header asks for, and whether it was enough.
    private enum HeaderWait: Hashable { case none, pending, over }

    private struct Run: Hashable {
        var began: BootTime?
        var taken = 0
        var takenAtGap = 0
        /// How many have to be taken at a gap before it counts as taken.
        var enough = 2
    }

    /// Full speed.
    package init() {}

    /// How long the next request has to wait.
    package func wait(at now: BootTime) -> Duration {
        guard let opens, opens.isAhead(of: now) else { return .zero }
        return opens.elapsed(since: now)
    }

    /// Only one request may be under way: it finds out whether the server takes some again.
    package var isTrying: Bool { refusals > 0 }

    /// How long a request that is refused once has to wait, as far as anybody waits for it.
    package var wait: Duration { min(max(gap, lastWait), Self.patience) }

    /// A request begins.
    package mutating func begin(at now: BootTime) -> Start {
        if let lastStart, refusals == 0, now.elapsed(since: lastStart) > Self.idle { rest() }
        if headerWait == .pending {
            headerWait = .over
            run = Run()
        }
        if let began = run.began {
            // Time in which nobody asked tells nothing.
            run.began = began.advanced(by: idleTime(before: now))
        } else {
            run.began = now
        }
        (lastStart, lastSign) = (now, now)
        if gap > .zero { open(notBefore: now.advanced(by: gap + min(gap * 0.03, Self.jitter))) }
        return Start(episode: episode, moment: now)
    }

    private func idleTime(before now: BootTime) -> Duration {
        guard let lastSign else { return .zero }
        let free = opens.map { $0.isAhead(of: lastSign) ? $0 : lastSign } ?? lastSign
        return max(now.elapsed(since: free), .zero)
    }

    private mutating func rest() {
        (gap, lastWait) = (.zero, .zero)
        run = Run()
    }

    private mutating func open(notBefore moment: BootTime) {
        guard let opens, opens.isAhead(of: moment) else { return opens = moment }
    }

    /// The server took the request.
    package mutating func take(_ start: Start, at now: BootTime) {
        lastSign = now
        guard start.episode == episode else { return }
        if headerWait == .over {
            headerWait = .none
            headerTimes.wasEnough()
        }
        guard refusals == 0 else { return resume(start) }
        run.taken += 1
        run.takenAtGap += 1
        guard gap > .zero else { return }
        if run.takenAtGap >= run.enough, bracket.taken.map({ gap < $0 }) ?? true {
            bracket.taken = gap
            bracket.isProven = true
            choose()
        } else if let tries, tries.hasCome(by: now) {
            // Not much at once: a refusal may cost a wait that the server chooses.
            bracket.refused = max(bracket.refused * 0.8, (bracket.taken ?? .zero) * 0.36)
            self.tries = now.advanced(by: peace)
            peace = min(peace * 2, .seconds(3600))
            choose()
        }
    }

    /// The first one that is taken after a refusal: over the whole run, its wait included, so much came through.
    private mutating func resume(_ start: Start) {
        defer { refusals = 0 }
        // Without a request before it, or after so long, a wait tells of no rate.
        guard run.taken > 0, lastWait <= Self.longestWait else {
            return run = Run(began: start.moment, taken: 1)
        }
        let length = run.began.map { start.moment.elapsed(since: $0) } ?? lastWait
        let each = max(length / max(run.taken, 1), .milliseconds(1))
        let isKnown = bracket.isProven && bracket.taken.map { $0 > bracket.refused } ?? false
        if !isKnown {
            // What was taken again and again was refused for a moment that it came too early.
            let most = run.takenAtGap >= run.enough && gap > .zero ? gap * 1.05 : each
            bracket.taken = max(min(each, most), bracket.refused * 1.05)
            bracket.isProven = false
        }
        // Where a refusal costs a wait that the server chooses, it is not provoked for a small gain.
        let isTold = wasAsked && run.taken >= Self.telling
        run = Run(
            began: start.moment, taken: 1, takenAtGap: 1,
            enough: max(2, min(run.taken * 2, 50)))
        if isTold, !isKnown, let taken = bracket.taken {
            gap = min(taken, mostGap)
            tries = start.moment.advanced(by: max(peace, length * 10))
        } else {
            choose()
        }
        if tries == nil { tries = start.moment.advanced(by: peace) }
        open(notBefore: start.moment.advanced(by: gap))
    }

    /// The server refused the request because there were too many; it asked for a wait of `asked`.
    ///
    /// Returns whether it is the first of those that were under way together.
    @discardableResult
    package mutating func refuse(_ start: Start, asked: Duration?, at now: BootTime) -> Bool {
        guard start.episode == episode else {
            if let asked { open(notBefore: now.advanced(by: min(asked, Self.longestWait))) }
            return false
        }
        episode += 1
        refusals += 1
        lastSign = now
        if headerWait == .over, run.taken == 0 { headerTimes.wasTooShort() }
        headerWait = .none
        wasAsked = asked != nil
        let each = run.began.map { now.elapsed(since: $0) / (run.taken + 1) } ?? .zero
        bracket.refuse(max(gap, run.taken > 0 ? each : .zero))
        let own = min(
            max(gap, Self.waits.lowerBound) * (1 << min(refusals - 1, 16)), Self.waits.upperBound)
        lastWait = asked ?? own
        open(notBefore: now.advanced(by: min(lastWait, Self.longestWait)))
        return true
    }

    /// What the header of an answer says of the limit.
    package mutating func learn(_ limit: RequestQuota, at now: BootTime) {
        guard limit.remaining == 0, refusals == 0 else { return }
        guard limit.isWhole, run.taken + 1 < 2 || gap > .zero else {
            let wait = limit.isWhole ? headerTimes.wait(for: limit.reset) : limit.reset
            open(notBefore: now.advanced(by: min(wait, Self.longestWait)))
            headerWait = .pending
            return
        }
        // Nothing is ever left: the gap is what matters, and whole seconds are too coarse for it.
        guard bracket.taken == nil, gap == .zero else { return }
        bracket.taken = limit.reset
        choose()
        if let lastStart { open(notBefore: lastStart.advanced(by: gap)) }
    }

    /// After the last wait the server took a request: no gap has to be longer.
    private var mostGap: Duration {
        // Of our own waits, each is made longer.
        lastWait > .zero ? min(wasAsked ? lastWait : lastWait * 2, Self.patience) : Self.patience
    }

    private mutating func choose() {
        gap = min(bracket.next, mostGap)
        run.takenAtGap = 0
    }
}

/// What the whole seconds of a header say: the reset and the answer's date are both rounded, so that it is over up to two
/// seconds before, or one after.
private struct HeaderTimes: Sendable, Hashable {
    /// So much sooner, or later, than the header says.
    private var sooner = Duration.zero
    private var later = Duration.zero
    private var step = Self.firstStep
    private static let firstStep = Duration.milliseconds(250)

    func wait(for reset: Duration) -> Duration { max(reset - sooner, .zero) + later }

    /// A request was taken at once after the wait: the next one may be shorter.
    mutating func wasEnough() {
        guard later == .zero else { return }
        sooner = min(sooner + step, .seconds(2))
    }

    /// A request was refused after the wait: the one before was right.
    mutating func wasTooShort() {
        guard sooner > .zero else { return later = .seconds(1) }
        sooner = max(sooner - Self.firstStep, .zero)
        step = .zero
    }
}

/// The gaps between which the right one lies.
private struct Bracket: Sendable, Hashable {
    /// The longest that was refused.
    var refused = Duration.zero
    /// The shortest that was taken; nil where none is known.
    var taken: Duration?
    /// Enough requests were taken at ``taken``: it is more than what came through on average.
    var isProven = false

    /// Closer than this, they are one.
    private static let close = 1.03

    mutating func refuse(_ gap: Duration) {
        refused = max(refused, gap)
        if let taken, taken <= refused * 1.005 { (self.taken, isProven) = (nil, false) }
    }

    /// The gap to go on with: in the middle, or what was taken where the two are close.
    var next: Duration {
        guard let taken else { return refused * 2 }
        let low = max(refused, taken / 64)
        guard low * Self.close < taken else { return taken }
        return .seconds(((low / .seconds(1)) * (taken / .seconds(1))).squareRoot())
    }
}
