public import Rules
package import SQLite

/// A row of the view `conflicts`: what a program wrote, and what the server has instead.
public struct Conflict: Sendable, Hashable {
    /// Its number.
    public let sequence: Int64
    /// When it was found, as the view shows it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let at: String
    /// The list.
    public let list: String
    /// The local id of the row.
    public let row: Int64
    /// The column; empty where it is about the row as a whole.
    public let field: String
    /// What happened.
    public let reason: ConflictReason
    /// The program's value.
    package let mine: Value
    /// The server's value.
    package let theirs: Value

    /// A conflict from its parts, for tests of how it is told.
    package init(
        sequence: Int64, at: String, list: String, row: Int64, field: String,
        reason: ConflictReason, mine: Value, theirs: Value
    ) {
        self.sequence = sequence
        self.at = at
        self.list = list
        self.row = row
        self.field = field
        self.reason = reason
        self.mine = mine
        self.theirs = theirs
    }
}

/// Which of the two values a person wants.
public enum ConflictSide: String, Sendable, Hashable, CaseIterable {
    /// The program's.
    case mine
    /// The server's.
    case theirs
}

extension Conflict {
    /// What it takes to end a conflict.
    package enum Ending: Sendable, Hashable {
        /// The row has the value that is wanted.
        case isSeen
        /// This value is written to the row, as an edit.
        case edit(Value)
        /// The row is not at the server.
        case needsRow
        /// The row was kept, and is to be deleted.
        case needsDelete
    }

    /// What it takes to have the value of `side`.
    package func ending(_ side: ConflictSide) -> Ending {
        switch (reason, side) {
        case (.gone, .mine): .needsRow
        case (.delete, .mine): .needsDelete
        case (.notTaken, .mine) where field.isEmpty: mine == .null ? .needsDelete : .needsRow
        case (.merged, _): .isSeen
        case (.edited, .mine), (.overwritten, .mine), (.doubt, .mine), (.notTaken, .mine):
            .edit(mine)
        // Ours went over it.
        case (.overwritten, .theirs): .edit(theirs)
        case (.edited, .theirs), (.doubt, .theirs), (.notTaken, .theirs), (.gone, .theirs),
            (.delete, .theirs):
            .isSeen
        }
    }
}
