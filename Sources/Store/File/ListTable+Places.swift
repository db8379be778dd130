internal import Declarations
internal import Rules
internal import Tables

/// Rows in an answer, for messages.
extension ListTable {
    /// Where the row at `index` of an answer stands.
    func place(ofRow index: Int64) -> String {
        let rows = declaration.rows.description.dropFirst()
        return "\(rows.hasPrefix(".") ? rows.dropFirst() : rows)[\(index)]"
    }

    /// A row under whose id another one stands. Nobody knows which of them is the row.
    func rowWithSharedID(at index: Int64) -> SkippedRow {
        SkippedRow(
            place: place(ofRow: index) + declaration.id.description.dropFirst(),
            problem: "another row has the same id and differs")
    }
}
