import APIClient
import Declarations
import FoundationEssentials
import Host
import SQLite
import SyncEngine
import Tables
import TestSupport
import Text

/// The declaration, and how scripts reach its table.
extension DrawnList {
    static let name = ListName(kept: "notes")

    /// The declaration as a person would write it.
    func declaration() throws -> Declaration {
        let columns =
            extras.filter { $0 != Self.mark }.map { extra in
                """
                "\(extra.name)": {"\(extra.type)": "\(Self.path(extra.path))", "write": "create", \
                "required": \(extra.isRequired)}
                """
            } + (once.isColumn ? [#""mark": "text $.mark""#] : []) + [
                """
                "text": {"text": "\(Self.path(textPath))", "write": "create", "required": true, \
                "empty": false}
                """
            ] + (isFollowed ? [#""place": "@rank", "whole": "@document""#] : [])
        let row = rowPath.isEmpty ? "" : #", "row": "\#(Self.path(rowPath))""#
        let body = rowPath.first.map { #""body": {"\#($0)": "@row"}"# } ?? #""body": "@row""#
        let delete =
            deletesByPost
            ? #"{"method": "POST", "path": "/notes/{id}/remove", "body": {"which": "@id"}}"#
            : #"{"method": "DELETE", "path": "/notes/{id}"}"#
        let identity = hasLastingIDs ? ["id"] : ["id"] + self.columns
        return try Declaration.stored(
            """
            {"list": \(list), "rows": "\(Self.path(listPath))", "id": "$.\(idName)",
             "interval": "1m", "pages": \(pages), "columns": {\(columns.joined(separator: ", "))},
             \(isFollowed ? #""search": ["text"], "history": "text", "# : "")\
            "create": {"path": "/notes", \(body)\(row)}, "delete": \(delete), "once": \(onceText),
             "identity": [\(identity.map { "\"\($0)\"" }.joined(separator: ", "))]}
            """, name: Self.name.text)
    }

    private var pages: String {
        let place = isPosted ? "body $.page.after" : "after"
        return pageSize == nil ? #""none""# : #"{"cursor": "$.after", "as": "\#(place)"}"#
    }

    private var list: String {
        isPosted ? #"{"path": "/notes/search", "body": {"find": "all"}}"# : #""/notes""#
    }

    private var onceText: String {
        switch once {
        case .look: return #""look""#
        case .header(let name): return #"{"header": "\#(name)"}"#
        case .column(let name, let mark):
            let form =
                switch mark {
                case .uuid: "uuid"
                case .hex: "hex"
                case .base36(let length): "base36:\(length)"
                }
            return #"{"column": "\#(name)", "form": "\#(form)"}"#
        }
    }

    private static func path(_ members: [String]) -> String {
        (["$"] + members).joined(separator: ".")
    }

    /// Every row of the table, shown or hidden, as ``EveryTodo/rows``.
    var rows: String {
        func title(_ prefix: String) -> String {
            columns.map { "coalesce(\(prefix)\($0), '')" }.joined(separator: " || '|' || ")
        }
        return """
            (SELECT row.id, row.title, known.server_id
             FROM (SELECT _id AS id, \(title("")) AS title FROM notes
                 UNION ALL SELECT id, \(title("c_")) FROM d_notes) AS row
                 LEFT JOIN s_notes AS known ON known.id = row.id) AS todo
            """
    }

    /// What a script sees, with the names of the todos' columns.
    var shown: String {
        let title = columns.map { "coalesce(\($0), '')" }.joined(separator: " || '|' || ")
        return
            "(SELECT _id AS id, \(title) AS title, _state AS state, _server_id AS server_id FROM notes)"
    }

    /// Adds the row of `title`; its mark is made by the table.
    func insert(_ title: String, into connection: Connection) throws(SQLiteError) {
        let given = zip(columns, values(title)).filter { !$0.1.isEmpty && $0.0 != Self.mark.name }
        let marks = given.map { _ in "?" }.joined(separator: ", ")
        try connection.run(
            "INSERT INTO notes (\(given.map(\.0).joined(separator: ", "))) VALUES (\(marks))",
            given.map { .text($0.1) })
    }
}
