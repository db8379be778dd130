internal import Declarations
internal import Rules
internal import SQLite
internal import Tables

/// What is known of how the server of a list keeps the marks that creates carry.
struct ListMarks {
    let connection: Connection
    let table: ListTable

    /// Nil where no row of ours has shown it.
    func known() throws(SQLiteError) -> MarkKeeping? {
        try connection.first(
            "SELECT marks FROM sync_state WHERE list = ?", .text(table.declaration.name.text)
        ) { MarkKeeping(rawValue: $0.text(0)) } ?? nil
    }

    /// Writes down what a row of ours has shown, where that is new.
    func learn(_ seen: MarkKeeping) throws(SQLiteError) {
        let before = try known()
        let now = MarkKeeping.known(before, and: seen)
        guard now != before else { return }
        try connection.run(
            "UPDATE sync_state SET marks = ?2 WHERE list = ?1",
            .text(table.declaration.name.text), .text(now.rawValue))
    }
}

@available(*, unavailable) extension ListMarks: Sendable {}
