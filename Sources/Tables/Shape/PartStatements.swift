/// The statements of a list in parts.
///
/// A pull reads some parts, and its absences are those of these parts alone. Conditions and numbers are those of the
/// rows of the server, as far as they are known.
public struct PartStatements: Sendable, Hashable {
    /// What is staged from now on is of the part `?1`.
    public let place: [String]
    /// Every part, the oldest first: what it is called, the values that its address names and those whose change asks
    /// for it, each as a JSON list, then what is remembered of it. `?1` is the boot.
    public let parts: String
    /// Whether a part is new, or the row above it has changed since it was read.
    public let isDue: String
    /// The parts with something that only a list decides.
    public let doubtful: String
    /// Forgets which parts the pull has read.
    public let beginNoting: String
    /// Notes that the pull has read the part `?1` to its end: `?2` from which count a row of it starts that is missed.
    public let noteRead: String
    /// Notes, as read, the parts that are no more: `?1` as for ``noteRead``.
    public let noteLost: String
    /// Notes in which rows list and table differ, and which rows of the parts that were read the pull does not show.
    public let compare: [String]
    /// The rows of the parts that were read which the pull does not show, and that no change waits for; at most `?1`.
    public let absent: String?
    /// How many rows of the parts that were read the pull does not show, as far as it is staged.
    public let countLacking: String
    /// The rows with changes of which the pull says nothing. Nil where programs only read.
    public let unknown: String?
    /// Note the rows that leave: `?1` the round, `?2` whether it ends with this pull, `?3` in how many rounds a row has to
    /// be missed.
    public let noteLeaving: [String]
    /// Notes that the row `?1` leaves.
    public let addLeaving: String
    /// Whether the row `?1` leaves.
    public let isLeaving: String
    /// Whether the row leaves, as a condition on the table of the rows.
    public let leaves: String
    /// Forgets the misses of rows that the pull shows.
    public let forgetMisses: String
    /// Counts the misses of the pull: `?1` the round.
    public let countMisses: String
    /// The parts that the next pull is to read, because a row seems to have moved.
    public let wanted: String
    /// How many parts have rows, and how many would have none.
    public let countEmptied: String
    /// The part of the operation `?1`. Nil where programs only read.
    public let partOfOperation: String?
    /// The part of the row `?1`.
    public let partOfRow: String
    /// The rows of parts whose row above has just left, or is another one now. Nil where words have parts.
    public let lostRows: String?
    /// The creates in doubt of such parts, each with its row.
    public let lostCreates: String?
    /// Forgets those of these parts that are no more. Nil as for ``lostRows``.
    public let forgetLeft: String?
    /// Forgets the parts that are no more.
    public let forgetLost: String
    /// Brings a table that programs only read to the differing rows: `?1` the moment. Nil for any other.
    public let upsert: String?
    /// How many parts there are.
    public let count: String
}
