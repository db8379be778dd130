package import Host
package import Store

/// When to look for the commits of other processes: touches of the cache's files in, looks out.
///
/// A touch says that a commit may be under way, not that it can be seen: its bytes come to the WAL
/// before its writer has synced them, and a writer that keeps its connection open touches nothing
/// afterwards. Laws:
/// - a look follows each touch at once, or the end of the look that is under way;
/// - after the last touch of a burst, looks follow at 1, 2, 4 … 1024 ms, until one finds that
///   nobody is writing: everything that was touched can be seen then;
/// - the last of them asks for the writer; while one is at work, a look follows each second;
/// - a touch that may be of our own commit is followed by one look and no ladder;
/// - without a touch there is no look but the one that was asked for, and nothing is armed.
package struct WriteWatch: Sendable {
    /// The last rung of the ladder.
    static let lastRung = Duration.milliseconds(1024)
    /// How often a writer that takes longer is looked at.
    static let writerEvery = Duration.seconds(1)

    private(set) var errand = Errand()
    /// A look is due at once.
    private(set) var isWanted = false
    /// The next look says what waits even if nobody has committed.
    private var wantsWork = false
    /// The question under way.
    private var question: WriteQuestion?
    /// The last touch of which it is not known that nobody is writing since.
    private var touchedAt: BootTime?
    private var next: BootTime?
    private var mark: WriteMark?
    /// The last look saw commits of ours. The kernel may tell of them only now.
    private var sawOwnCommits = false

    /// A watch that has seen nothing.
    package init() {}

    /// The cache's files were touched.
    package mutating func noteTouch(at now: BootTime) {
        isWanted = true
        touchedAt = now
        next = nil
    }

    /// Somebody needs to know what waits.
    package mutating func askForWork() {
        isWanted = true
        wantsWork = true
    }

    /// Whether a look begins now.
    package func mayBegin(at now: BootTime) -> Bool {
        errand.mayBegin(at: now) && (isWanted || next.map { $0.hasCome(by: now) } ?? false)
    }

    /// Begins a look.
    package mutating func begin(at now: BootTime) -> WriteQuestion {
        errand.begin(at: now)
        let isLadderOver = touchedAt.map { now.elapsed(since: $0) >= Self.lastRung } ?? false
        let asked = WriteQuestion(
            since: mark, asksForWriter: isLadderOver || sawOwnCommits, asksForWork: wantsWork)
        isWanted = false
        wantsWork = false
        next = nil
        question = asked
        return asked
    }

    /// Takes what the look saw, and returns what waits, if that is news.
    package mutating func take(_ sign: WriteSign, at now: BootTime) -> WaitingWork? {
        errand.succeed()
        sawOwnCommits = mark.map { $0.ownCommits != sign.mark.ownCommits } ?? true
        mark = sign.mark
        // A touch during the look is looked at again anyway.
        guard !isWanted || touchedAt == nil else { return sign.work }
        switch sign.isWriterActive {
        case false: touchedAt = nil
        case true: climb(from: now, askingAgain: now.advanced(by: Self.writerEvery))
        case nil: climb(from: now, askingAgain: nil)
        }
        return sign.work
    }

    /// The look failed for now: it is repeated, after a wait.
    package mutating func fail(at now: BootTime) {
        errand.fail(at: now)
        isWanted = true
        wantsWork = wantsWork || question?.asksForWork ?? false
    }

    /// The moments at which a look is to begin.
    package var moments: [BootTime] {
        if errand.isUnderWay { return [] }
        return [isWanted ? errand.waitsUntil : nil, next].compactMap { $0 }
    }

    /// Sets the next rung; above the last one, `later` or, without one, at once.
    private mutating func climb(from now: BootTime, askingAgain later: BootTime?) {
        guard let touchedAt else { return }
        var rung = Duration.milliseconds(1)
        while rung <= Self.lastRung {
            let moment = touchedAt.advanced(by: rung)
            if !moment.hasCome(by: now) {
                next = moment
                return
            }
            rung *= 2
        }
        next = later
        isWanted = isWanted || later == nil
    }
}
