package import Host
package import Store

/// When the daemon looks for the commits of other processes, and for what waits: a ladder of looks, one
/// of them under way at a time.
package struct WriteWatch: Sendable {
    private(set) var errand = Errand()
    private var ladder = WriteLadder()
    /// The next look says what waits even if nobody has committed.
    private var wantsWork = false
    /// The question under way.
    private var question: WriteQuestion?

    /// A watch that has seen nothing.
    package init() {}

    /// The cache's files were touched.
    package mutating func noteTouch(at now: BootTime) { ladder.noteTouch(at: now) }

    /// Somebody needs to know what waits.
    package mutating func askForWork() {
        ladder.want()
        wantsWork = true
    }

    /// Whether a look begins now.
    package func mayBegin(at now: BootTime) -> Bool {
        errand.mayBegin(at: now) && ladder.isDue(at: now)
    }

    /// Begins a look.
    package mutating func begin(at now: BootTime) -> WriteQuestion {
        errand.begin(at: now)
        let asked = ladder.begin(at: now, asksForWork: wantsWork)
        wantsWork = false
        question = asked
        return asked
    }

    /// Takes what the look saw, and returns what waits, if that is news.
    package mutating func take(_ sign: WriteSign, at now: BootTime) -> WaitingWork? {
        errand.succeed()
        ladder.take(sign, at: now)
        return sign.work
    }

    /// The look failed for now: it is repeated, after a wait.
    package mutating func fail(at now: BootTime) {
        errand.fail(at: now)
        ladder.want()
        wantsWork = wantsWork || question?.asksForWork ?? false
    }

    /// The moments at which a look is to begin.
    package var moments: [BootTime] {
        if errand.isUnderWay { return [] }
        return [ladder.isWanted ? errand.waitsUntil : nil, ladder.next].compactMap { $0 }
    }
}
