import Declarations
import Foundation
import Testing
import Text

private func problems(_ text: String) throws -> [DeclarationProblem] {
    do {
        _ = try read(text)
        return []
    } catch let error as DeclarationError {
        return error.problems
    }
}

@Suite struct `what is wrong with a declaration` {
    /// One that lacks nothing, with some of its lines replaced.
    private func edited(_ changes: (String, String)...) throws -> String {
        var text = """
            {
              "server": "office",
              "list": "/notes",
              "id": "$.id",
              "columns": {"title": "text $.title"}
            }
            """
        for (old, new) in changes {
            try #require(text.contains(old))
            text = text.replacingOccurrences(of: old, with: new)
        }
        return text
    }

    @Test(arguments: [
        ("true", "", "6:11: read is on, and no row can be changed or deleted"),
        ("5", #", "delete": true"#, "6:11: read must be true, false or an object, not 5"),
        (
            #"{"path": "/n/{nr}"}"#, #", "delete": true"#,
            "6:11: read has {nr}, and there is no such column"
        ),
        (
            #"{"path": "/n/{id}?v={version}"}"#, #", "delete": true"#,
            "6:11: read has {version}, and there is no such column"
        ),
    ])
    func `in its call for one row is told`(read: String, more: String, sentence: String) throws {
        let columns = #""columns": {"title": "text $.title"}"#
        let text = try edited((columns, "\(columns),\n  \"read\": \(read)\(more)"))
        #expect(try problems(text).map(\.description) == [sentence])
    }

    @Test(arguments: [
        (
            #", "update": true, "read": {"columns": {"_id": "$.a"}}"#, #""as": "t""#,
            "read.columns has \"_id\", which is no field of the document"
        ),
        (
            #", "update": {"body": "@document"}, "read": {"columns": {"title": "$.a"}}"#,
            #""as": "t""#,
            "update.body has @document, and read.columns says that a read shows another object"
        ),
        (
            #", "update": true"#, #""in": "read""#,
            "columns.title has \"in\": \"read\", and read is off"
        ),
        (
            #", "update": true, "read": true"#, #""required": true, "in": "read""#,
            "columns.title has \"in\": \"read\", and a row needs it, which the list does not show"
        ),
        (
            #", "update": true, "read": true"#, #""in": "list""#,
            "columns.title.in must be \"read\", not \"list\""
        ),
    ])
    func `in a column from reads is told`(calls: String, key: String, sentence: String) throws {
        let columns = #""columns": {"title": "text $.title"}"#
        let column = #"{"text": "$.title", "write": "update", \#(key)}"#
        let text = try edited((columns, #""columns": {"title": \#(column)}\#(calls)"#))
        #expect(try problems(text).map(\.sentence) == [sentence])
    }

    private static let written = #"{"text": "$.title", "write": "both"}, "done": "text $.d""#

    @Test(arguments: [
        (
            #""create": {"body": {"t": "{titel}"}}, "update": true"#,
            [
                "create.body has {titel}, and there is no such column; the nearest one is title",
                "create.body has no place for title, which a program can give",
            ]
        ),
        (
            #""create": {"body": ["{title}", "{done}"]}, "update": true"#,
            ["create.body has {done}, which that call does not send"]
        ),
        (
            #""create": true, "update": {"body": ["@id", "{done}"]}"#,
            ["update.body has no place for title, which a program can give"]
        ),
        (
            #""create": true, "update": {"body": "@id"}"#,
            ["update.body has no place for title, which a program can give"]
        ),
        (
            #""create": true, "update": true, "delete": {"body": "{title}"}"#,
            ["delete.body has {title}, which that call does not send"]
        ),
        (
            #""create": true, "update": {"body": {"a": "{_rank}", "b": "@changed"}}"#,
            ["update.body has {_rank}, and there is no such column"]
        ),
        (
            #""create": true, "update": {"body": {"a": "{_state}", "b": "@changed"}}"#,
            ["update.body has {_state}, which that call does not send"]
        ),
        (
            #""create": true, "update": {"method": "PUT", "body": {"note": "@document"}}"#,
            [
                "update.body has @document, and read is off: a list may show less of a row than the server has,"
                    + " and such an update would remove the rest"
            ]
        ),
        (#""create": true, "update": {"body": "@document"}, "read": true"#, []),
        (#""create": {"body": "{title}"}, "update": {"body": ["{title}", "{done}"]}"#, []),
    ])
    func `in a body that names columns is told`(calls: String, sentences: [String]) throws {
        let text = try edited(
            ("\"text $.title\"", Self.written), ("\"list\"", "\(calls), \"list\""))
        #expect(try problems(text).map(\.sentence) == sentences)
    }

    @Test func `is told at once, each with its place`() throws {
        let found = try problems(
            """
            {
              "list": "notes",
              "colums": {},
              "pages": {"cursor": "$.next"},
              "interval": "0s",
              "columns": {
                "title": "string $.title",
                "TITLE": {"text": "$.title", "write": "sometimes"},
                "title": "text $.title"
              }
            }
            """)
        #expect(found.map(\.description) == ["9:5: the key \"title\" is doubled"])
        let all = try problems(
            """
            {
              "list": "notes",
              "colums": {},
              "pages": {"cursor": "$.next"},
              "interval": "0s",
              "columns": {
                "title": "string $.title",
                "TITLE": {"text": "$.title", "write": "sometimes"}
              }
            }
            """)
        #expect(
            all.map(\.description) == [
                "1:1: server is not set",
                "1:1: id is not set",
                "2:11: list must be a path below the base URL that begins with / and has no fragment,"
                    + " such as /notes?order=id, not \"notes\"",
                "3:3: the key \"colums\" is not known",
                "4:12: pages.as is not set",
                "5:15: interval must be a duration from 1s to 7d, not \"0s\"",
                "7:14: columns.title must be a type (text, integer, real, boolean or json) and a path,"
                    + " not \"string $.title\"",
                "8:5: columns.TITLE differs from another column in the case of letters only",
            ])
        #expect(all[3].hint == "Write columns if you mean that, or remove the key.")
    }

    @Test(arguments: [
        ("\"$.id\"", "\"id\"", "id is no path: \"id\", character 1: a path begins with $"),
        ("\"$.id\"", "5", "id must be a path such as $.id, \"integer $.id\" or \"@key\", not 5"),
        (
            "\"/notes\"", "\"https://example.org/notes\"",
            "list must be a path below the base URL that begins with / and has no fragment, such as"
                + " /notes?order=id, not \"https://example.org/notes\""
        ),
        (
            "\"/notes\"", "\"//example.org/notes\"",
            "list must be a path below the base URL that begins with / and has no fragment, such as"
                + " /notes?order=id, not \"//example.org/notes\""
        ),
        (
            "\"text $.title\"", "\"@status\"",
            "columns.title must be @id, @server_id, @state, @error, @added, @fetched, @rank or"
                + " @document, not \"@status\""
        ),
        (
            "\"text $.title\"", "\"@state\"",
            "columns.title shows @state, which a list that is only read does not have"
        ),
        (
            "\"text $.title\"", "\"@id\", \"b\": \"@id\"",
            "columns shows @id twice: as title and b"
        ),
        (
            "\"text $.title\"", "\"@id\", \"_rank\": \"text $.r\"",
            "columns has a column _rank, and syncd's own @rank gets that name"
        ),
        (
            "{\"title\": \"text $.title\"}", "{}",
            "columns must be an object with at least one column, not an object"
        ),
        ("{\"title\": \"text $.title\"}", "null", "columns is not set"),
        (
            "\"title\":", "\"rowid\":",
            "a column cannot be called \"rowid\": SQLite has another one of this name"
        ),
        (
            "\"title\":", "\"a\\u202eb\":",
            "a column cannot be called \"a\\u{202e}b\": a character of it cannot be seen"
        ),
        ("\"title\":", "\"\":", "a column cannot be called \"\": its name has 0 bytes"),
        (
            "\"text $.title\"", "{\"text\": \"$.title\", \"integer\": \"$.n\"}",
            "columns.title must be an object with one of the keys text, integer, real, boolean, json or row,"
                + " not an object"
        ),
        (
            "\"text $.title\"", "{\"boolean\": \"$.n\", \"text\": true}",
            "columns.title.text is for columns of integers, reals and rows"
        ),
        (
            "\"text $.title\"", "{\"integer\": \"$.n\", \"bytes\": 5}",
            "columns.title.bytes is for columns of text and JSON"
        ),
        (
            "\"text $.title\"", "{\"text\": \"$.n\", \"bytes\": 0}",
            "columns.title.bytes must be a whole number from 1 to 1048576, not 0"
        ),
        (
            "\"text $.title\"", "{\"text\": \"$.n\", \"write\": \"create\"}",
            "columns.title has \"write\": \"create\", and create is off"
        ),
        (
            "\"text $.title\"}", "{\"text\": \"$.a[0].b\", \"write\": \"both\"}}, \"update\": true",
            "columns.title can be written, and its path has an index"
        ),
        (
            "\"text $.title\"}", "{\"json\": \"$\", \"write\": \"create\"}}, \"create\": true",
            "columns.title can be written, and its path is the whole row"
        ),
        (
            "\"text $.title\"}",
            "{\"json\": \"$.user\", \"write\": \"both\"},"
                + " \"login\": {\"text\": \"$.user.login\", \"write\": \"update\"}}, \"update\": true",
            "columns.login and columns.title go to one place of a request"
        ),
        (
            "\"text $.title\"}",
            "{\"text\": \"$.title\", \"write\": \"create\"},"
                + " \"due\": {\"text\": \"$.due[0]\", \"write\": \"create\", \"as\": \"title\"}},"
                + " \"create\": true",
            "columns.due and columns.title go to one place of a request"
        ),
        (
            "\"list\"", "\"create\": true, \"list\"",
            "create is on, and no column can be given for it"
        ),
        (
            "\"list\"", "\"search\": [\"titel\"], \"list\"",
            "search has \"titel\", and there is no such column; the nearest one is title"
        ),
        ("\"list\"", "\"search\": [\"title\", \"title\"], \"list\"", "search[1] is doubled"),
        (
            "\"list\"", "\"history\": \"_rank\", \"list\"",
            "history is \"_rank\", which is no field of the document"
        ),
        (
            "\"list\"", "\"match\": [\"title\"], \"list\"",
            "match has \"title\", which a new row need not have"
        ),
        (
            "\"list\"", "\"once\": \"key\", \"list\"",
            "once must be \"look\", {\"header\": \"Idempotency-Key\"} or {\"column\": \"id\", \"form\":"
                + " \"uuid\"}, not \"key\""
        ),
        (
            "\"list\"", "\"delete\": {\"path\": \"/notes/{nummer}\"}, \"list\"",
            "delete has {nummer}, and there is no such column"
        ),
        (
            "\"list\"", "\"delete\": {\"path\": \"/notes/{id\"}, \"list\"",
            "delete.path has a brace without its partner: \"/notes/{id\""
        ),
        (
            "\"list\"", "\"delete\": {\"path\": \"/n/{id}?v={version}\"}, \"list\"",
            "delete.version is not set, and {version} stands in the call"
        ),
        (
            "\"list\"", "\"delete\": {\"version\": \"$.v\"}, \"list\"",
            "delete.version is set, and no {version} stands in the call's path or headers"
        ),
        (
            "\"list\"", "\"delete\": {\"headers\": {\"cookie\": \"a\"}}, \"list\"",
            "delete.headers.cookie cannot be given: syncd sets Authorization, Content-Type, Cookie, Host"
                + " and the fields of a body's length itself"
        ),
        (
            "\"list\"", "\"delete\": {\"body\": \"@row\"}, \"list\"",
            "delete.body has @row, which a delete does not know"
        ),
        (
            "\"list\"", "\"delete\": {\"body\": {\"a\": [\"@all\"]}}, \"list\"",
            "delete.body has an unknown place for a value: \"@all\""
        ),
        (
            "\"$.id\"", "\"integer $.id\", \"delete\": true",
            "id is \"integer …\", and a new row has no number of the server yet"
        ),
        (
            "\"list\"", "\"pages\": {\"page\": \"p\", \"cursor\": \"$.c\"}, \"list\"",
            "pages must be \"none\", \"link\", or an object with one of the keys next, cursor, page,"
                + " offset and none, not an object"
        ),
        (
            "\"list\"", "\"pages\": {\"page\": \"p\", \"rows\": \"header a b\"}, \"list\"",
            "pages.rows must be a path such as $.total, or \"header X-Total-Count\", not \"header a b\""
        ),
        (
            "\"list\"", "\"pages\": {\"offset\": \"o\", \"limit\": [\"l\", 0]}, \"list\"",
            "pages.limit must be a query parameter and the rows a page, such as [\"limit\", 100], not"
                + " a list"
        ),
        (
            "\"office\"", "true",
            "server must be a name of the section servers, or an object with a baseURL, not true"
        ),
    ])
    func `is one sentence`(old: String, new: String, sentence: String) throws {
        let found = try problems(edited((old, new)))
        #expect(found.map(\.sentence) == [sentence])
        #expect(found.allSatisfy { $0.hint.hasSuffix(".") && !$0.hint.contains("\n") })
    }

    @Test
    func `is not that one place has two columns, each for another call, or a name of its own`()
        throws
    {
        let columns = """
            {"title": {"text": "$.title", "write": "create"},
             "name": {"text": "$.title", "write": "update"},
             "due": {"text": "$.due[0].date", "write": "both", "as": "due_date"},
             "date": {"text": "$.due", "write": "both"},
             "first": "text $.tags[0]"},
             "create": true, "update": true
            """
        #expect(try problems(edited(("{\"title\": \"text $.title\"}", columns))) == [])
    }

    @Test func `is that it asks for too much`() throws {
        let many = (0...64).map { #""c\#($0)": {"text": "$.c", "index": true}"# }
        let found = try problems(
            edited(
                (#""title": "text $.title""#, many.joined(separator: ",")),
                (#""list""#, #""search": ["c1", "c2", "c3", "c4", "c5"], "list""#)))
        #expect(
            found.map(\.sentence) == [
                "search has 5 columns, and at most 4 are possible",
                "columns has 65 columns, and at most 64 are possible",
                "columns has 64 columns with an index, and at most 4 are possible",
            ])
    }

    @Test func `does not keep a long or hostile name`() throws {
        let long = String(repeating: "x\\u001b[31m", count: 10_000)
        let found = try problems(edited(("\"title\"", "\"\(long)\""), ("\"list\"", "\"\(long)\"")))
        for problem in found {
            #expect(problem.sentence.utf8.count < 600)
            #expect(!problem.sentence.contains("\u{1b}"))
        }
        #expect(found.count == 3)
    }

    @Test func `is where it is no JSON`() throws {
        #expect(
            try problems("{\"list\": \"/a\",}").map(\.description) == [
                "1:15: a key in double quotes is due here"
            ])
        #expect(
            try problems("[]").map(\.sentence) == [
                "the declaration must be an object, not a list"
            ])
    }
}
