/// A statement that the table refuses.
struct Refusal: Error {
    let reason: Reason
    /// The rows that the statement wrote before stay (`OR FAIL`).
    var keepsRows = false
    /// The whole transaction is undone (`OR ROLLBACK`).
    var endsTransaction = false

    enum Reason: String {
        /// A field has a value that the server would not take.
        case wrongValue
        /// It refers to a row that is not here.
        case unknownRow
        /// A row with the id is there.
        case unique
        /// The id stood for another row, or is none.
        case usedID
        /// What syncd alone writes.
        case bookkeeping
        /// The id of a row.
        case id
        /// The row's delete was sent.
        case leaving
        /// The operation is being sent, or in doubt.
        case undecided
        /// The operation is not in doubt.
        case decided
        /// The row's edits were dropped, and syncd has not taken them back yet.
        case dropping
    }

    init(_ reason: Reason) { self.reason = reason }
}
