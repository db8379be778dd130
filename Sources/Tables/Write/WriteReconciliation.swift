internal import Declarations

/// The statements that bring a list that programs write to in line with a pull, inside its transaction. Conditions
/// are on ``known``.
public struct WriteReconciliation: Sendable, Hashable {
    /// The table of the rows that the server has, and that of the staged ones.
    public let known, pulled: String
    /// Rows that could be missed: those that are not about to be deleted anyway.
    public let counted: String
    /// The pull does not show the row as the one that it is.
    public let notShown: String
    /// The pull shows the row's id as that of another row: with other values in the columns of `identity`.
    public let shownOtherwise: String
    /// An operation waits for the row.
    public let hasOperation: String
    /// How many pulls in a row, before this one, did not show the row, as a value.
    public let missedPulls: String
    /// Remembers rows that leave, by the condition in its end: `?1` and `?2` when the pull began.
    public let rememberDeparted: String
    /// Forgets remembered rows: those that are there again, and if `?1` those that were missed `?3` milliseconds
    /// before `?4` of the boot `?2`.
    public let forgetDeparted: String
    /// Counts the pull for the rows that it does not show, and forgets the counts of the others.
    public let countMisses: [String]
    /// How many rows of the pull no row of the table is.
    public let countArriving: String
    /// Notes the rows whose columns change; nil where no column of a row can.
    public let noteChanging: String?
    /// Bring the noted rows to the pull, and tell of it.
    public let change: [String]
    /// The rows of the pull that no row of the table is, in the order of the list. Of each: the id, the number of its
    /// page, and the columns that a new row can have, as texts.
    public let unowned: String
    /// The rows with an update whose answer was lost and that the pull does not show.
    public let lostUpdates: String
    /// The id and the document of each row of the pull that no row of the table is.
    public let unownedDocuments: String
    /// The largest local id that a row has had.
    public let lastID: String
    /// Gives a local id to each pulled row that is new. A row that was here before gets its old id back.
    public let nameArriving: String
    /// Adds the noted rows to what the server has.
    public let addKnown: String
    /// Adds the noted rows from the local id `?1` to `?2`: `?3` is the moment.
    public let addShown: String
    /// Tells of the rows that were added.
    public let tellAdded: String
    /// Brings the documents of rows that stay up to date.
    public let updateDocuments: String
    /// Remembered rows that the pull does not show, and whose answer is too young for it to say so: `?1` and `?2` are
    /// the boot and the moment before which an answer is old enough, here and below.
    public let echoes: String
    /// The marks of the new rows that the pull is the first list to show: as they were sent, and as the pull shows
    /// them; nil where creates carry none.
    public let newMarks: String?
    /// Forget what is remembered of rows that the pull shows as they are known, where the answer is old enough.
    public let endWitnessed: String
    /// Note that the pull shows new rows.
    public let noteShown: String
    /// New rows whose id the pull shows as that of another row: the row, and the document in the pull. Then the values
    /// of the columns that a new row can have, as they are known. Then the same as the pull has them.
    public let newOtherwise: String
    /// Let the row `?1` be the one of the document `?2` by what makes it that row.
    public let identify: [String]
    /// New rows that the pull does not show though the answer is old enough: the row, whether it was only claimed, since
    /// when it is missed, and its id at the server.
    public let newRows: String
    /// Remove the lines that say that the server did not take what it shows by now.
    public let withdraw: [String]
    /// How many rows have another place in the pull than the table has, and what gives them theirs; nil where the table
    /// has none.
    public let placing: Placing?
    /// Where the rows of the server are noted that the pull does not have so.
    public let absent: String
    /// The local ids of the rows whose id at the server the pull does not show.
    public let unconfirmed: String
    /// The local ids of the rows that the pull shows.
    public let shownRows: String
    /// The operations that a pull decides, with the values of their rows as in ``unowned``.
    public let openOperations: String
    /// Where the rows get their ids.
    public let arriving: String
    /// Where the differing rows are noted.
    public let differing: String
}

/// How rows get their places in the list.
public struct Placing: Sendable, Hashable {
    /// How many have another one.
    public let count: String
    /// Gives those theirs.
    public let place: String
}

extension ListTable {
    /// Nil for a list that programs only read.
    public var writeReconciliation: WriteReconciliation? {
        isWritable ? madeReconciliation { WritableTable(list: self).reconciliation } : nil
    }
}
