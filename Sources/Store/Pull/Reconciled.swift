public import Rules

/// How a pull was reconciled.
public struct Reconciled: Sendable, Hashable {
    /// Rows that were taken.
    public var rows: Int64
    /// Rows that were not taken.
    public var skipped: SkippedRows
    /// Whether the list counts as the whole one.
    public var isComplete: Bool
    /// The pull would remove too much, and changed nothing.
    public var isHeld = false
    /// Operations that the pull decided.
    public var decided = 0
    /// What the person should know of a list that was taken, in one sentence, and what to do about it.
    public var notice: String?
    /// See ``notice``.
    public var hint: String?

    /// A pull that did nothing yet.
    public init(rows: Int64, skipped: SkippedRows, isComplete: Bool) {
        self.rows = rows
        self.skipped = skipped
        self.isComplete = isComplete
    }
}
