import Declarations
import Foundation
import SQLite
import Tables

/// The schema that the runs write to, made by the generator.
package struct TableSchema: Sendable {
    /// Every statement, in order.
    package let script: String
    /// How many rows the table shows, as the generator reckons it.
    let countRows: String
    /// How the generator finds and mends what no trigger saw.
    let sweep: SweepStatements
    /// How the generator brings a row to what its operations say.
    let follow: [String]
    /// What must find nothing after each look of syncd.
    let lawQuery: String

    /// The SQL of the declaration `notes` and of the queue.
    ///
    /// - Throws: an error if the golden files cannot be read, or the declaration is none.
    package init() throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../TablesTests/Golden").standardized
        let common = try String(
            contentsOf: golden.appending(path: "common.sql"), encoding: .utf8)
        let text = try String(contentsOf: golden.appending(path: "notes.json"), encoding: .utf8)
            .replacing(Self.lastColumn, with: "\(Self.lastColumn), \(Self.bookColumn)")
        let books = try Declaration.stored(Self.books, name: "books")
        let notes = ListTable(try Declaration.stored(text, name: "notes").referring(to: [books]))
        guard let sweep = notes.sweepStatements, let rows = notes.rowStatements else {
            preconditionFailure("the declaration notes has no rows of programs")
        }
        self.sweep = sweep
        follow = rows.followDelete
        let lists = [ListTable(books), notes]
        let objects =
            lists.flatMap(\.schema) + SharedObjects.outbox(of: lists) + SharedObjects.textChecks
        countRows = notes.countRows
        // syncd never looks at the books.
        lawQuery = objects.map(\.name)
            .filter { $0.hasPrefix("invariant_") && !$0.hasPrefix("invariant_books") }
            .map { "SELECT law, offender FROM \($0)" }.joined(separator: " UNION ALL ")
        script = common + objects.map { "\($0.sql);\n" }.joined() + Self.tellOwnWrites
    }

    private static let lastColumn = #""changed": "text $.changed""#
    /// What notes refer to.
    private static let bookColumn = #""book": {"row": "$.book", "of": "books", "write": "both"}"#
    private static let books = """
        {"server": "office", "list": "/books", "id": "$.id", "create": true, "update": true,
         "delete": true, "columns": {
            "id": "@id", "title": {"text": "$.title", "write": "both", "required": true}}}
        """

    /// The store tells of its own writes by statements beside them; here triggers do.
    private static let tellOwnWrites = [
        ("INSERT", "added", "NEW", "NEW._state"), ("UPDATE", "changed", "NEW", "NEW._state"),
        ("DELETE", "removed", "OLD", "NULL"),
    ].map { verb, change, row, state in
        """
        CREATE TRIGGER own_\(change) AFTER \(verb) ON notes
        WHEN (SELECT applying FROM control) = 'notes'
        BEGIN
            INSERT INTO change (list, change, row_id, title, state)
            VALUES ('notes', '\(change)', \(row).id, substr(\(row).title, 1, 500), \(state));
        END;

        """
    }.joined()

    private init(_ other: TableSchema, script: String) {
        self.script = script
        countRows = other.countRows
        follow = other.follow
        sweep = other.sweep
        lawQuery = other.lawQuery
    }

    /// The schema with a piece of its text changed, at each place; nil without the piece.
    ///
    /// - Parameters:
    ///   - piece: the text that goes.
    ///   - other: what stands there instead.
    /// - Returns: the changed schema.
    package func replacing(_ piece: String, by other: String) -> TableSchema? {
        guard script.contains(piece) else { return nil }
        return TableSchema(self, script: script.replacingOccurrences(of: piece, with: other))
    }
}
