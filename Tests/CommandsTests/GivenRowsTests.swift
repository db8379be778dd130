import CommandLine
import Commands
import Declarations
import SQLite
import Store
import Tables
import Testing

@Suite struct GivenRowsTests {
    private let given: GivenRows

    init() throws {
        given = GivenRows(
            ListTable(
                try Declaration.stored(
                    """
                    {"server": "office", "list": "/notes", "id": "$.id", "create": true,
                     "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                                 "count": {"integer": "$.count", "write": "create"},
                                 "price": {"real": "$.price", "write": "create"},
                                 "done": {"boolean": "$.done", "write": "create"},
                                 "labels": {"json": "$.labels", "write": "create"},
                                 "changed": "text $.changed"}}
                    """, name: "notes")))
    }

    /// A row as it is read, with no value where `values` ends.
    private func row(_ place: String? = nil, _ values: Value...) -> RowToAdd {
        RowToAdd(place: place, values: values + Array(repeating: .null, count: 5 - values.count))
    }

    private func refusal(_ words: [String]) throws -> String {
        let error = #expect(throws: CommandError.self) { try given.row(words) }
        return try #require(error).description
    }

    private func refusal(line: String) throws -> String {
        let error = #expect(throws: CommandError.self) {
            try given.rows([#"{"title":"a"}"#, line])
        }
        #expect(error?.status == .data)
        return try #require(error).description
    }

    @Test func `words become values of the columns' types`() throws {
        #expect(
            try given.row([
                "labels=[ 1, {\"a\": 2.50} ]", "price=2", "done=true", "title= x=y ",
                "count=-9223372036854775808",
            ])
                == row(
                    nil, .text(" x=y "), .integer(Int64.min), .real(2), .integer(1),
                    .text("[1,{\"a\":2.50}]")))
        #expect(try given.row(["done=0"]) == row(nil, .null, .null, .null, .integer(0)))
        #expect(
            try given.row(["done=1", "title="]) == row(nil, .text(""), .null, .null, .integer(1)))
        #expect(try given.row(["title=\u{301}x"]) == row(nil, .text("\u{301}x")))
        #expect(try given.row(["count=2.0"]) == row(nil, .null, .integer(2)))
    }

    @Test(arguments: [
        ("count=", "count: expected a whole number within 64 bits, found nothing"),
        ("count=1.5", "count: expected a whole number within 64 bits, found ‘1.5’"),
        (
            "count=9223372036854775808",
            "count: expected a whole number within 64 bits, found ‘9223372036854775808’"
        ),
        ("price=", "price: expected a number, found nothing"),
        ("price=1,5", "price: expected a number, found ‘1,5’"),
        ("price=nan", "price: expected a number, found ‘nan’"),
        ("price=1e999", "price: expected a number, found ‘1e999’"),
        ("done=yes", "done: expected true or false, found ‘yes’"),
        ("done=2", "done: expected true or false, found ‘2’"),
        ("done=null", "done: expected true or false, found ‘null’"),
        ("done=\u{1b}", "done: expected true or false, found ‘\\u{1b}’"),
        ("labels=", "labels: expected an object or a list, found nothing"),
        ("labels=5", "labels: expected an object or a list, found ‘5’"),
        (
            "labels=[01]",
            "labels: expected an object or a list, found ‘[01]’ (character 2: this is no number)"
        ),
        (
            "labels={a}",
            "labels: expected an object or a list, found ‘{a}’ (character 2: a key in double quotes is due here)"
        ),
    ])
    func `a value of another type is refused with what was expected`(
        word: String, sentence: String
    ) throws {
        #expect(try refusal(["title=a", word]) == sentence)
        let error = #expect(throws: CommandError.self) { try given.row([word]) }
        #expect(error?.status == .data)
        #expect(error?.hint.contains("leave \(word.prefix { $0 != "=" }) out") == true)
    }

    @Test func `a column that cannot be given is refused, and those that can are named`() throws {
        for (word, sentence) in [
            ("titel=x", "notes has no column ‘titel’; the nearest one is title"),
            ("=x", "notes has no column ‘’"),
            ("changed=x", "changed of notes cannot be given to a new row"),
            ("_state=x", "_state of notes cannot be given to a new row"),
        ] {
            #expect(try refusal([word]).hasPrefix(sentence))
            let error = #expect(throws: CommandError.self) { try given.row([word]) }
            #expect(error?.status == .data)
            #expect(error?.hint == "A new row takes title, count, price, done, labels.")
        }
        for (words, sentence) in [
            (["title"], "‘title’ gives no value: write COLUMN=VALUE"),
            (["title=a", "count=1", "title=a"], "title is given twice"),
        ] {
            #expect(try refusal(words) == sentence)
            let error = #expect(throws: CommandError.self) { try given.row(words) }
            #expect(error?.status == .usage)
        }
    }

    @Test func `lines of JSON become rows, and a null is no value`() throws {
        #expect(
            try given.rows([
                #"{"title": "a", "count": 9007199254740993, "price": 1, "done": false}"#,
                #"{"labels": {"k": [1, null]}, "title": "b\nc", "count": null, "changed": null}"#,
                "{}",
            ]) == [
                row("line 1", .text("a"), .integer(9_007_199_254_740_993), .real(1), .integer(0)),
                row("line 2", .text("b\nc"), .null, .null, .null, .text(#"{"k":[1,null]}"#)),
                row("line 3"),
            ])
    }

    @Test(arguments: [
        (#"{"done": "yes"}"#, "line 2: done: expected true or false, found a text"),
        (#"{"title": 5}"#, "line 2: title: expected a text, found 5"),
        (#"{"title": true}"#, "line 2: title: expected a text, found true"),
        (#"{"count": "5"}"#, "line 2: count: expected a whole number within 64 bits, found a text"),
        (#"{"count": 1.5}"#, "line 2: count: expected a whole number within 64 bits, found 1.5"),
        (#"{"price": []}"#, "line 2: price: expected a number, found a list"),
        (#"{"labels": "[]"}"#, "line 2: labels: expected an object or a list, found a text"),
        (
            #"{"titel": null}"#,
            "line 2: notes has no column ‘titel’; the nearest one is title"
        ),
        (#"{"changed": "x"}"#, "line 2: changed of notes cannot be given to a new row"),
        (#"{"title": "a", "title": "b"}"#, #"line 2, column 16: the key "title" is doubled"#),
        (#"["title"]"#, "line 2: expected an object, found a list"),
        (#""a"#, "line 2, column 3: the text ends too early"),
        ("", "line 2, column 1: the text ends too early"),
        (#"{"labels": [1x]}"#, "line 2, column 13: this is no number"),
        ("{\"\u{1b}\": 1}", "line 2, column 3: a control character must be escaped in a string"),
    ]) func `a wrong line is named, with what was expected there`(
        line: String, sentence: String
    ) throws {
        #expect(try refusal(line: line) == sentence)
    }
}
