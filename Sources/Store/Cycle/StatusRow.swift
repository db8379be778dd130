package import Declarations
public import Host
public import Rules

/// A row of the view `sync_status`.
public struct StatusRow: Sendable, Hashable {
    /// The name of the list.
    public let list: String
    /// How the last cycle's reading ended; the raw value of a ``SyncState``.
    public let state: String
    /// When the last cycle began, as the view shows it.
    public let lastAttemptAt: String?
    /// When the last cycle began whose pull was taken, as the view shows it.
    public let lastSuccessAt: String?
    /// For ages: the same moment as ``lastSuccessAt``.
    public let lastSuccess: WallTime?
    /// Of a list in parts: when the part was read that was read longest ago.
    public let oldestPart: WallTime?
    /// Whether the list is read in parts, and any was asked for.
    public let isInParts: Bool
    /// When the next cycle is due, as the view shows it.
    public let nextDueAt: String?
    /// Cycles in a row that failed.
    public let failures: Int64
    /// What went wrong in the last cycle; after a success what is wrong with the list, nil where
    /// nothing is.
    public let lastError: String?
    /// How many rows the view of the list shows now.
    public let rows: Int64?
    /// How long the last cycle took.
    public let durationMilliseconds: Int64?
    /// Whether the last pull held every row of the server; nil before the first.
    public let complete: Bool?
    /// What its cycles have replayed since the cache was made.
    public let replayed: ReplayCounts
    /// How many rows of the last list that was read could not be taken.
    public let skipped: Int64
    /// The columns about whose type the declaration is wrong.
    public let mistakes: [ColumnMistake]
    /// The columns that no list shows, though a read or an answer did: the list is an excerpt.
    public let excerpt: [String]
    /// What the server makes of the marks that creates carry; nil where no row of ours has shown it.
    public let marks: MarkKeeping?
    /// What waits to be sent or decided.
    public let changes: WaitingChanges
    /// Why changes are not sent; nil where nothing is in the way.
    public let halt: ReplayHalt?
    /// How far the pull is that is under way; nil where none is, or where it has not taken a minute.
    public let progress: PullProgress?
    /// From where the next increment asks; nil where the next pull asks for the whole list.
    public let mark: String?
    /// When the last cycle began whose whole list was taken, as the view shows it.
    public let wholeAt: String?
    /// How many changes whole lists have found that increments should have shown.
    public let missed: Int64
    /// What the last of them were; nil where there were none.
    public let whyMissed: String?
}

extension StatusRow {
    /// A row with what a line of text shows, for tests of that line.
    package init(
        list: ListName, state: SyncState, rows: Int64?, nextDueAt: String?,
        lastError: String?, skipped: Int64 = 0, mistakes: [ColumnMistake] = [],
        changes: WaitingChanges = WaitingChanges()
    ) {
        self.init(
            list: list.text, state: state.rawValue, lastAttemptAt: nil,
            lastSuccessAt: nil, lastSuccess: nil, oldestPart: nil,
            isInParts: false, nextDueAt: nextDueAt,
            failures: 0,
            lastError: lastError, rows: rows, durationMilliseconds: nil, complete: nil,
            replayed: ReplayCounts(), skipped: skipped, mistakes: mistakes, excerpt: [], marks: nil,
            changes: changes, halt: nil, progress: nil, mark: nil, wholeAt: nil, missed: 0,
            whyMissed: nil)
    }
}
