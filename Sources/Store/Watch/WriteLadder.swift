package import Host

/// When to look for the commits of other processes: touches of the cache's files in, looks out. Of the
/// daemon and of the commands that follow a cache.
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
package struct WriteLadder: Sendable {
    /// The last rung.
    package static let lastRung = Duration.milliseconds(1024)
    /// How often a writer that takes longer is looked at.
    package static let writerEvery = Duration.seconds(1)

    /// A look is due at once.
    package private(set) var isWanted = false
    /// The moment of the next look; nil where none is to follow by itself.
    package private(set) var next: BootTime?
    /// The last touch of which it is not known that nobody is writing since.
    private var touchedAt: BootTime?
    private var mark: WriteMark?
    /// The last look saw commits of ours. The kernel may tell of them only now.
    private var sawOwnCommits = false

    /// A ladder that nobody is on.
    package init() {}

    /// The cache's files were touched.
    package mutating func noteTouch(at now: BootTime) {
        isWanted = true
        touchedAt = now
        next = nil
    }

    /// Has a look follow at once.
    package mutating func want() { isWanted = true }

    /// Whether a look is due.
    package func isDue(at now: BootTime) -> Bool {
        isWanted || next.map { $0.hasCome(by: now) } ?? false
    }

    /// Begins a look.
    package mutating func begin(at now: BootTime, asksForWork: Bool) -> WriteQuestion {
        let isLadderOver = touchedAt.map { now.elapsed(since: $0) >= Self.lastRung } ?? false
        isWanted = false
        next = nil
        return WriteQuestion(
            since: mark, asksForWriter: isLadderOver || sawOwnCommits, asksForWork: asksForWork)
    }

    /// Takes what the look saw.
    package mutating func take(_ sign: WriteSign, at now: BootTime) {
        sawOwnCommits = mark.map { $0.ownCommits != sign.mark.ownCommits } ?? true
        mark = sign.mark
        // A touch during the look is looked at again anyway.
        guard !isWanted || touchedAt == nil else { return }
        switch sign.isWriterActive {
        case false: touchedAt = nil
        case true: climb(from: now, askingAgain: now.advanced(by: Self.writerEvery))
        case nil: climb(from: now, askingAgain: nil)
        }
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
