internal import Host

/// Looks for the shortest gap between two requests that a server takes: it lies between one that was refused and one that
/// was taken.
///
/// A refusal costs a wait. So a shorter gap is tried only when the current one has lasted long: the try could have been
/// worth that wait. Each try in vain doubles the time to the next.
struct GapSearch: Sendable, Hashable {
    /// How a run of requests ended, the wait after it included.
    struct Ending {
        /// What came through.
        let taken: Int
        /// The average gap, that wait included.
        let each: Duration
        /// The server said how long the wait is, and this by the header of an answer that took the last of them.
        let isAsked, isHeader: Bool
        /// It said so in parts of a second.
        let isExact: Bool

        /// What came through is what the server lets through. Of a few, a wait in whole seconds tells only the most that
        /// they may need.
        var tells: Bool { isAsked && (isExact || isBurst) }
        /// So many are no chance.
        var isBurst: Bool { taken >= 3 }
    }

    /// The longest that was refused.
    private var refused = Duration.zero
    /// The shortest that was taken; nil where none is known.
    private var taken: Duration?
    /// ``taken`` lasted for ``enough`` requests, or the server has told it.
    private var isProven = false
    /// A gap shorter than ``taken`` is on trial.
    private var isTrial = false
    /// What was taken before the last trial succeeded: it may turn out later that it had not.
    private var before: Duration?
    /// So many requests have to be taken at a gap before it counts as taken.
    private var enough = 3
    private var triesInVain = 0
    private var nextTry: BootTime?
    /// What a refusal costs.
    private var cost = Duration.zero
    private var isTold = false

    /// Closer than this, the two are one.
    private static let close = 1.03

    private var isClose: Bool { taken.map { refused * Self.close >= $0 } ?? false }

    /// The server refused a request at `gap`.
    mutating func refuse(_ gap: Duration) {
        refused = max(refused, gap)
        if isTrial { triesInVain += 1 }
    }

    /// The first request was taken after a run that ended, and a wait that cost `cost` in all. Returns the gap to go on with.
    mutating func resume(after run: Ending, cost: Duration, at now: BootTime) -> Duration {
        self.cost = cost
        (isTrial, isTold) = (false, false)
        // It has to do better than what was refused.
        enough = min(max(3, run.taken + 2), 30)
        if let taken, isProven, taken > refused * 1.005 {
            if run.tells, run.each < taken { self.taken = run.each }
        } else if let before, before > refused * 1.005 {
            (taken, self.before) = (before, nil)
            triesInVain += 1
        } else if taken == nil {
            taken = max(run.each, refused * Self.close)
            isProven = run.tells
            if run.tells { trust(run) }
        } else {
            taken = max(min(run.each, longer(after: run)), refused * Self.close)
            isProven = false
        }
        plan(at: now)
        return isProven || isClose ? taken ?? run.each : run.isBurst ? near(run) : middle
    }

    /// A little longer than what was refused. The fewer were taken there, the more.
    private func longer(after run: Ending) -> Duration {
        if run.isExact { return run.each }
        return run.isBurst ? near(run) : low(run.each) * 2
    }

    /// Closer to what came through than to what was refused: a wait is mostly longer than it had to be.
    private func near(_ run: Ending) -> Duration {
        run.each * (low(run.each) / run.each).squareRoot().squareRoot()
    }

    /// Where to begin below `gap`.
    private func low(_ gap: Duration) -> Duration { max(refused, gap / 64) }

    /// `count` requests were taken at `gap`, one after another. Returns another gap to go on with, if there is one.
    mutating func take(_ count: Int, at gap: Duration, now: BootTime) -> Duration? {
        if !isProven || isTrial {
            guard count > (refused == .zero ? 2 : enough) else { return nil }
            if isTrial { before = taken }
            (taken, isProven, isTrial, triesInVain) = (gap, true, false, 0)
            refused = min(refused, gap / Self.close)
            plan(at: now)
        }
        guard let taken, let nextTry, nextTry.hasCome(by: now) else { return nil }
        if isClose { refused = taken * 0.8 }
        isTrial = true
        return max(middle, taken * (refused == .zero ? 0.5 : 0.75))
    }

    /// What a server tells is tried no shorter before long.
    private mutating func trust(_ run: Ending) {
        refused = max(refused, run.each * 0.98)
        isTold = run.isHeader
    }

    private mutating func plan(at now: BootTime) {
        guard let taken else { return }
        let gain = 1 - low(taken) / taken
        var wait = max(cost, .milliseconds(400)) / max(gain, 0.03)
        if gain < 0.15 { wait *= 1 << min(triesInVain, 8) }
        if isClose { wait = max(wait, isTold ? .seconds(300) : .seconds(60)) }
        nextTry = now.advanced(by: min(wait, .seconds(3600)))
    }

    private var middle: Duration {
        guard let taken else { return refused * 2 }
        return taken * (low(taken) / taken).squareRoot()
    }
}
