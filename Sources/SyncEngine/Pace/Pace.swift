package import APIClient
package import Host

/// How fast a server may be asked, as it says by refusing and in its header.
///
/// Nothing is held back before a first refusal, or before a header says that nothing is left. From then on the pace is the
/// gap between the beginnings of two requests, and ``GapSearch`` looks for the right one. A wait that a refusal or a header
/// asks for is paid once, and is not the gap: what came through in all, that wait included, is.
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
    private var search = GapSearch()
    private var episode = 0
    /// What was taken since the last wait, or since the gap changed.
    private var run = Run()
    /// The run that a header has ended: no request has been taken since.
    private var told: Run?
    private var lastStart: BootTime?
    /// When a request began or ended last.
    private var lastSign: BootTime?
    /// The last wait that a refusal or a header has cost, and those of one run together.
    private var lastWait = Duration.zero
    private var cost = Duration.zero
    private var wasAsked = false
    /// So much less the server may have meant.
    private var slack = Duration.zero

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
    /// What a server lets clients have in a longer time, they may use as fast as they like. A longer wait is that of the
    /// list, or of the replay, that is asked for it: it may be about them alone.
    package static let longestWait = Duration.seconds(60)

    private struct Run: Hashable {
        var began: BootTime?
        var taken = 0

        /// Time in which nobody asked tells nothing.
        mutating func leaveOut(_ time: Duration) { began = began?.advanced(by: time) }
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
        let idle = idleTime(before: now)
        run.leaveOut(idle)
        told?.leaveOut(idle)
        if run.began == nil { run.began = now }
        (lastStart, lastSign) = (now, now)
        if gap > .zero { open(notBefore: now.advanced(by: gap)) }
        return Start(episode: episode, moment: now)
    }

    private func idleTime(before now: BootTime) -> Duration {
        guard let lastSign else { return .zero }
        let free = opens.map { $0.isAhead(of: lastSign) ? $0 : lastSign } ?? lastSign
        return max(now.elapsed(since: free), .zero)
    }

    private mutating func rest() {
        (gap, lastWait) = (.zero, .zero)
        (run, told) = (Run(), nil)
    }

    private mutating func open(notBefore moment: BootTime) {
        guard let opens, opens.isAhead(of: moment) else { return opens = moment }
    }

    /// The server took the request.
    package mutating func take(_ start: Start, at now: BootTime) {
        lastSign = now
        guard start.episode == episode else { return }
        if refusals > 0 || told != nil { return resume(start) }
        run.taken += 1
        guard gap > .zero, let other = search.take(run.taken, at: gap, now: now) else { return }
        gap = min(other, Self.patience)
        run = Run(began: lastStart, taken: 1)
    }

    /// The first one that is taken after a wait: over the whole run, its wait included, so much came through.
    private mutating func resume(_ start: Start) {
        let ended = told ?? run
        run = Run(began: start.moment, taken: 1)
        defer { (refusals, told) = (0, nil) }
        // Without a request before it, or after so long, a wait tells of no rate.
        guard ended.taken > 0, lastWait <= Self.longestWait, let began = ended.began else { return }
        var length = start.moment.elapsed(since: began)
        if slack > .zero, ended.taken > 1, length >= .seconds(1) {
            // Servers count in whole seconds, and may have meant one less.
            length = .seconds(length.components.seconds)
            if slack > .seconds(1), length > .seconds(1) { length -= .seconds(1) }
        }
        let ending = GapSearch.Ending(
            taken: ended.taken, each: min(max(length / ended.taken, .milliseconds(1)), mostGap),
            isAsked: wasAsked, isHeader: told != nil, isExact: slack == .zero)
        gap = min(search.resume(after: ending, cost: cost, at: start.moment), mostGap)
        open(notBefore: start.moment.advanced(by: gap))
    }

    /// After the last wait the server took a request: no gap has to be longer than that, but for what a timer or a
    /// connection brings two requests closer. Of our own waits, each is made longer.
    private var mostGap: Duration { min(wasAsked ? lastWait * 1.2 : lastWait * 2, Self.patience) }

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
        wasAsked = asked != nil
        slack = asked.map { $0.isWholeSeconds ? .seconds(1) : .zero } ?? .zero
        let own = min(
            max(gap, Self.waits.lowerBound) * (1 << min(refusals - 1, 16)), Self.waits.upperBound)
        lastWait = asked ?? own
        cost = refusals == 1 ? lastWait : cost + lastWait
        if refusals == 1, told == nil, run.taken > 0, let began = run.began {
            let each = start.moment.elapsed(since: began) / run.taken
            // What was further apart than the wait was not refused for being too close.
            search.refuse(gap > .zero ? gap : min(each, lastWait))
        }
        open(notBefore: now.advanced(by: min(lastWait, Self.longestWait)))
        return true
    }

    /// What the header of an answer says of the limit. Parts of a second are waited for, and nothing else is needed. Whole
    /// ones tell a gap; once there is one, they say nothing new: at the right gap, there is often nothing left.
    package mutating func learn(_ limit: RequestQuota, at now: BootTime) {
        guard limit.remaining == 0, refusals == 0 else { return }
        guard limit.slack > .zero else {
            return open(notBefore: now.advanced(by: min(limit.reset, Self.longestWait)))
        }
        guard told == nil, gap == .zero else { return }
        (lastWait, cost, slack, wasAsked) = (limit.reset, limit.reset, limit.slack, true)
        // The answer is that of a request which was taken; those under way may be refused for it.
        run.taken += 1
        told = run
        episode += 1
        open(notBefore: now.advanced(by: min(limit.reset, Self.longestWait)))
    }
}

extension Duration {
    fileprivate var isWholeSeconds: Bool { components.attoseconds == 0 }
}
