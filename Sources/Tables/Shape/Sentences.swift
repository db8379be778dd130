internal import Declarations

/// What a program reads that does to a table what cannot be done.
///
/// Those of the todos are older than the rule, and scripts may know them.
struct Sentences {
    private let declaration: Declaration
    private let once: [String]

    init(_ table: WritableTable) {
        declaration = table.list.declaration
        once = table.givenOnce.map(\.name)
    }

    private var name: ListName { declaration.name }
    private var isTodos: Bool { name == .todos }

    private static let unchangeableTodo =
        "a todo cannot be changed, because the server has no call for it: delete it and insert a new one"

    private func listed(_ names: [String]) -> String { names.joined(separator: ", ") }

    /// A value was given for a column that is syncd's or the server's.
    func fixed(_ column: String) -> String {
        isTodos
            ? "only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)"
            : "\(column) of \(name) is written by syncd alone: leave it out"
    }

    /// A column was changed that only a new row can be given.
    var givenOnce: String {
        isTodos
            ? Self.unchangeableTodo
            : "\(listed(once)) of \(name) cannot be changed, because the server has no call for it"
    }

    /// A new row has NULL where its mark belongs.
    func unmarked(_ column: Column) -> String {
        "\(column.name) of \(name) must be given, or left out: then syncd makes it"
    }

    /// The server has no call that adds rows.
    var noInsert: String {
        "no row can be added to \(name), because the server has no call for it"
    }

    /// The server has no call that changes rows.
    var noUpdate: String {
        isTodos
            ? Self.unchangeableTodo
            : "a row of \(name) cannot be changed, because the server has no call for it"
    }

    /// The server has no call that deletes rows.
    var noDelete: String {
        "a row of \(name) cannot be deleted, because the server has no call for it"
    }

    /// A row is too large to be read again.
    var size: String {
        "a \(isTodos ? "todo" : "row of \(name)") must not be larger than 1 MiB as JSON, however its texts are spelt"
    }

    /// A new row has an id that may stand for another one.
    var used: String {
        "this id of \(name) was used before, or is too large: leave it out, and the row gets the next one"
    }

    /// The row with this id is on its way out.
    var leaving: String {
        "the row of \(name) with this id is being deleted at the server: insert it without its id"
    }

    /// The row's edits were taken back, and syncd has not looked yet.
    var dropping: String {
        "the edits of this row of \(name) were dropped a moment ago: try again when syncd has taken them back"
    }

    /// The id was changed.
    var id: String { "the id of a row of \(name) cannot be changed" }

    /// A column, as the subject of a sentence.
    func subject(_ column: Column) -> String {
        isTodos ? "the \(column.name) of a todo" : "\(column.name) of \(name)"
    }

    /// What follows ``subject(_:)`` where there is no value.
    var isMissing: String { isTodos ? "must be text" : "must be given" }
}
