/// How syncd reads and writes the edits of a list whose rows can be changed, a row at a time: `?1` is its local id
/// with each but the documents' own.
///
/// What an update sent, or a create, stands in `operation.sent`: an object of the columns by their place in the
/// table, `"0"` the first.
public struct EditStatements: Sendable, Hashable {
    /// What syncd does with one column that programs can write.
    public struct Field: Sendable, Hashable {
        /// The column.
        public let name: String
        /// Its bit in `operation.fields`; 0 where no row can be given another value.
        public let bit: Int64
        /// Show the value of the document `?2`.
        public let take: [String]
        /// Show the value that lies beneath an edit.
        public let giveBack: [String]
        /// The document `?1`, with the column as the document `?2` has it.
        public let keep: String
        /// The document `?1`, with the column as `?2`, a text of ``EditStatements/sent``, has it.
        public let patch: String
        /// Records a conflict: `?2` the document of the server or NULL, `?3` why, `?4` 1 if our value is that
        /// which was sent, 0 if it is shown, 2 if it is the text `?5`, NULL if there is none.
        public let record: String
        /// Whether the document `?1` has the column at all, as an expression.
        public let isShown: String
        /// No list shows it.
        public let isFromReads: Bool
        /// What a server has beside null where it did not take the column of a new row, as text.
        public let empty: [String]
    }

    /// The columns that programs can write.
    public let fields: [Field]
    /// The bits of the fields that a create cannot give.
    public let laterFields: Int64
    /// Show the values of the document `?2` in all other columns.
    public let takeOthers: [String]
    /// The layers of each column, with the document `?2` that the server shows: its base, what was sent and
    /// whether it was, what is shown and whether it is an edit, and what the document has.
    public let layers: String
    /// What an update sends: for each column that can be changed NULL, or the value as JSON.
    public let payload: String
    /// What a create sends: for each column that a new row can have NULL, or the value as JSON.
    public let creation: String
    /// Two values for each column that refers to rows: the local number there, and whether the server has that row.
    public let references: String
    /// What the server has in the columns of other rows that a create sends: for each NULL, or the value as JSON.
    public let creationNames: String
    /// The same of an update.
    public let updateNames: String
    /// Freezes what the operation `?1` sends: `?2`, and the bits `?3` of an update.
    public let freeze: String
    /// Queues the fields `?2` of the row of the operation `?1`, which goes without them.
    public let leave: String
    /// The marks of the row none of whose fields is an edit, and their rows; without a row, of every one.
    public let empty: String
    /// The rejected operations with a row's values: their numbers, kinds, rows, and what was refused.
    public let refused: String
    /// Whether a delete hides the row.
    public let isHidden: String
    /// The server's document of the row.
    public let document: String
    /// The server's document of the row, `?2` from now on.
    public let setDocument: String
    /// The rows that have an update or a delete in the queue and that a pull shows: their ids, and the documents.
    public let pulledRows: String
    /// The rows whose edits were dropped, and the bits of these.
    public let dropped: String
}

extension ListTable {
    /// Nil for a list whose rows cannot be changed.
    public var editStatements: EditStatements? {
        isWritable ? madeEditStatements { WritableTable(list: self).editStatements } : nil
    }
}
