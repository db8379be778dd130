internal import CommandLine
internal import Declarations
internal import SQLite
internal import Store
internal import Tables
internal import Text

/// A table or a column that a statement names and the cache does not have.
struct UnknownName: Sendable, Hashable {
    private enum Kind: Sendable { case table, column }

    private let kind: Kind
    private let name: String
    private let message: String

    /// Nil for an error about something else. SQLite has one code for all of them, and only its words tell which.
    init?(_ error: SQLiteError) {
        let parts = error.message.split(separator: ": ", maxSplits: 1)
        guard error.code.primary == .error, let name = parts.last, parts.count == 2 else {
            return nil
        }
        switch parts[0] {
        case "no such table": kind = .table
        case "no such column": kind = .column
        default: return nil
        }
        // `main.todo`, `t.titel`.
        self.name = name.split(separator: ".").last.map { String($0) } ?? String(name)
        message = error.message
    }

    /// The refusal of `sql`, with the nearest name or those that there are.
    func refusal(of sql: String, in store: CacheStore, at connection: Connection) async
        -> CommandError
    {
        // The error is told in any case, and a look that fails tells less.
        let tables = (try? await store.tables())?.map(\.declaration.name.text) ?? []
        let known = tables + Self.views
        switch kind {
        case .table:
            return refusal(among: known, hint: "Name a table: `syncd lists` has the lists.")
        case .column:
            let words = Set(
                sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
            let columns = known.filter(words.contains).flatMap { table in
                Self.columns(of: table, at: connection)
            }
            return refusal(
                among: columns,
                hint: "Name a column, or put a text between single quotes: 'a text'.")
        }
    }

    private func refusal(among names: [String], hint: String) -> CommandError {
        let remark = names.isEmpty ? "" : Arguments.remark(on: name, among: names)
        return .data(message + remark, hint: hint)
    }

    /// The views of the contract.
    private static let views = [
        "outbox", "sync_status", "sync_requests", "changes", "conflicts", "held_deletes",
        "list_parts",
    ]

    private static func columns(of table: String, at connection: Connection) -> [String] {
        guard let statement = try? connection.prepare("SELECT * FROM \"\(table)\" LIMIT 0")
        else { return [] }
        return (0..<statement.columnCount).map { statement.columnName($0) }
    }
}
