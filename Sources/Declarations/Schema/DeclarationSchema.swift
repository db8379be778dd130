package import Text

/// The JSON Schema of a declaration. It takes everything that the reader takes; what a key means beside others, the
/// reader alone says.
///
/// Source: docs/lists.md
package enum DeclarationSchema {
    /// The schema, as a document of its own.
    package static var document: JSONNode {
        declaration.document(
            titled: "A list that syncd keeps as a table",
            defining: .init(
                ServerSchema.definitions.members + [("place", place), ("call", call)]))
    }

    private static let place = Schema.text(
        "where an answer has it: a path, or a header field such as \"header X-Total-Count\"",
        like: "^(\\$|header )")
    private static let somewhere = Schema.defined("path")
    private static let anywhere = Schema.defined("place")
    private static let columns = Schema.list(of: .text("a column"), 0...Limits.columns)
    private static let plain = Schema.any("a text, a number, true, false or null")

    private static func duration(_ meaning: String) -> Schema {
        .text(meaning + ", such as 90s, 5m, 1h30m or 1d", like: "^([0-9]+[a-z]+)+$")
    }

    private static var declaration: Schema {
        .object(
            [
                "$schema": .text("where an editor finds this schema"),
                "enabled": .flag("false: the table stays as it is, and nothing is pulled"),
                "server": .either(
                    [.text("the name of a server of the configuration"), .defined("server")],
                    "where the list is"),
                "list": .either([.text("the path below the base URL", like: "^/"), posted]),
                "each": each,
                "rows": .text(
                    "where the list stands; with .* at the end, the rows are members of an object",
                    like: "^\\$"),
                "while": .named(
                    plain, most: RowCondition.mostParts,
                    "paths and what stands there, or a list of that, for rows of the table"),
                "id": .text(
                    "where a row has its id; \"integer $.id\": the table has it; \"@key\": the member's name",
                    like: "^((integer )?\\$|@key$)"),
                "pages": pages, "since": since,
                "interval": duration("from one pull to the next"),
                "columns": .named(
                    column, most: Limits.columns, "the columns of the table, in their order"),
                "search": .list(
                    of: .text(), 0...Limits.searchColumns,
                    "columns of a full text, the most important first"),
                "history": .text("a column whose changes the view NAME_changes keeps"),
                "label": .text("the column that names a row in messages"),
                "create": .defined("call", "how a row is added"),
                "update": .either(
                    [
                        .defined("call"),
                        .list(
                            of: .defined("call"), 1...16,
                            "one for each change; the last takes what is left"),
                    ], "how a row is changed"),
                "delete": .defined("call", "how a row is deleted"), "read": read, "once": once,
                "match": columns, "identity": columns,
                "conflict": .word(
                    ["theirs", "mine"], "who wins if an edit meets another client's change"),
            ], needed: ["server", "list", "id", "columns"])
    }

    private static var posted: Schema {
        .object(
            [
                "method": .word(["POST"]), "path": .text("below the base URL", like: "^/"),
                "body": .any("the object that is sent"),
            ], needed: ["path"], "a list that is read by POST")
    }

    private static var each: Schema {
        .named(
            .either([
                .text("the list above"), .list(of: .text(), 1...Each.wordLimit, "fixed words"),
            ]),
            most: 1,
            besides: [
                "changed": .list(
                    of: .text(), 0...Limits.columns,
                    "columns of the list above, a change in which has a part read again"),
                "whole": duration("the longest time until a part is read again"),
                "most": .integer(1...10_000, "how many parts a cycle reads"),
            ], "what the list has a part below, under a name of your own")
    }

    private static var pages: Schema {
        let parameter = Schema.text(
            "a query parameter; \"body $.page\" in a list that is read by POST")
        return .either(
            [
                .word(["none", "link"]),
                .object(
                    [
                        "next": .text(
                            "where the next page's address is: a path, link or a header field",
                            like: "^(\\$|link$|header )"),
                        "rows": anywhere,
                    ], needed: ["next"]),
                .object(
                    ["cursor": somewhere, "as": parameter, "more": somewhere, "rows": anywhere],
                    needed: ["cursor", "as"]),
                .object(
                    [
                        "page": parameter,
                        "from": .integer(0...1_000_000, "the number of the first page"),
                        "pages": anywhere, "rows": anywhere,
                        "most": .integer(1...Limits.pages, "the last page that there can be"),
                    ], needed: ["page"]),
                .object(
                    [
                        "offset": parameter,
                        "limit": .list(
                            of: .any("the parameter, then the rows of a page"), 2...2),
                        "rows": anywhere,
                    ], needed: ["offset"]),
                .object(
                    [
                        "none": .flag("true"),
                        "whole": .flag("true: the answer is whole, whatever it tells of more"),
                    ], needed: ["none"]),
            ], "how a list in several answers is read")
    }

    private static var since: Schema {
        .object(
            [
                "query": .text(
                    "the parameter that takes the mark, such as updated_after={since}",
                    like: "\\{since\\}"),
                "moment": .text(
                    "where a row or an answer has its moment, such as $.updated_at",
                    like: "^(\\$|answer \\$|header )"),
                "whole": duration("the time from one whole list to the next"),
                "deleted": .either(
                    [somewhere, .named(plain, most: 1, "a path, and the value there")],
                    "how a list shows a row that was deleted"),
                "form": .word(
                    Since.Form.allCases.map(\.rawValue), "how the moment is written in the query"),
            ], needed: ["query", "moment"], "how only what has changed is asked for")
    }

    private static var once: Schema {
        .either(
            [
                .word(["look"]),
                .object(["header": .text("the field of a key of our own")], needed: ["header"]),
                .object(
                    [
                        "column": .text("a column that gets a mark of our own"),
                        "form": .text(
                            "of that mark", like: "^(uuid|hex|base36:[0-9]+)$"),
                    ], needed: ["column"]),
            ], "how a create whose answer was lost is found again")
    }

    private static var column: Schema {
        let types = ColumnType.plainWords.map(\.rawValue).joined(separator: "|")
        let books = Bookkeeping.allCases.map { "@\($0.rawValue)" }
        let part = "^@[A-Za-z_][A-Za-z0-9_]*$"
        return .either([
            .text("a type and a path", like: "^(\(types)) \\$"),
            .text("what syncd knows of the row, such as \(books[0])", like: part),
            .object(
                [
                    "text": .either(
                        [somewhere, .flag("true: the server has the number in a text")]),
                    "integer": somewhere, "real": somewhere, "boolean": somewhere,
                    "json": somewhere, "row": somewhere,
                    "of": .either(
                        [.text("the list of a row"), .off("it refers to no row")]),
                    "write": .word(
                        Column.Writing.allCases.map(\.rawValue), "when programs give its value"),
                    "required": .flag("whether each row has a value"),
                    "index": .flag("whether an index helps to search by it"),
                    "bytes": .integer(1...Limits.textBytes, "the longest text"),
                    "empty": .flag("whether a text may be empty"),
                    "as": .text("the field of a request, if it is another one"),
                    "in": .word(["read"], "only reads of single rows show it"),
                ]),
        ])
    }

    private static var call: Schema {
        .either([
            .flag("true: as most servers have it"),
            .object([
                "method": .word(WriteCall.Method.allCases.map(\.rawValue)),
                "path": .text("it can hold {id}, {version} and {COLUMN}", like: "^/"),
                "body": .any(
                    "any JSON; \"@row\", \"@changed\", \"@document\", \"@id\" and \"{COLUMN}\" stand for values"
                ),
                "type": .text("the Content-Type of the body", like: "/"), "row": somewhere,
                "id": .text(
                    "where the answer names the id of a new row", like: "^(\\$|header )"),
                "headers": ServerSchema.headers, "version": somewhere,
                "stale": .list(
                    of: .integer(400...499, ""), 0...8,
                    "statuses which say that the row has another version by now"),
                "for": columns,
                "when": .named(
                    plain, most: Limits.columns, "columns and what they become by this call"),
                "toggle": .flag("true: the call turns the value, and must not go twice"),
            ]),
        ])
    }

    private static var read: Schema {
        .either(
            [
                .flag("true: the list's path with / and the row's id shows the row"),
                .object([
                    "path": .text("it can hold {id}", like: "^/"),
                    "body": .any("what is sent by POST"), "row": somewhere,
                    "columns": .named(
                        somewhere, most: Limits.columns,
                        "where the row has columns, if not as in the list"),
                ]),
            ], "how one row is shown")
    }
}
