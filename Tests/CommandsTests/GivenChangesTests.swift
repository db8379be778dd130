import CommandLine
import Commands
import Declarations
import SQLite
import Store
import Tables
import Testing

@Suite struct GivenChangesTests {
    private let given: GivenChanges

    init() throws {
        given = GivenChanges(
            ListTable(
                try Declaration.stored(
                    """
                    {"server": "office", "list": "/notes", "id": "$.id", "create": true, "update": true,
                     "columns": {"key": {"text": "$.key", "write": "create"},
                                 "title": {"text": "$.title", "write": "both", "required": true},
                                 "count": {"integer": "$.count", "write": "both"},
                                 "done": {"boolean": "$.done", "write": "update"},
                                 "labels": {"json": "$.labels", "write": "both"},
                                 "changed": "text $.changed"}}
                    """, name: "notes")))
    }

    private func refusal(_ words: String...) throws -> CommandError {
        try #require(#expect(throws: CommandError.self) { try given.change(of: 7, words) })
    }

    private func refusal(line: String) throws -> CommandError {
        let error = #expect(throws: CommandError.self) {
            try given.changes([#"{"_id":1,"count":1}"#, line])
        }
        return try #require(error)
    }

    @Test func `words become values, and null takes one away`() throws {
        #expect(
            try given.change(of: 7, ["labels=[ 1 ]", "title=null", "done=true", "count=null"])
                == RowToChange(
                    id: 7, values: [0: .text("null"), 1: .null, 2: .integer(1), 3: .text("[1]")]))
        #expect(
            try given.change(of: 7, ["title="]) == RowToChange(id: 7, values: [0: .text("")]))
    }

    @Test(arguments: [
        ("titel=x", "notes has no column ‘titel’; the nearest one is title"),
        ("changed=x", "changed of notes cannot be changed"),
        ("key=x", "key of notes cannot be changed"),
        ("_id=8", "_id of notes cannot be changed"),
    ]) func `a column that cannot be changed is refused, and those that can are named`(
        word: String, sentence: String
    ) throws {
        let error = try refusal(word)
        #expect(error.description == sentence)
        #expect(error.hint == "Its declaration takes changes of title, count, done, labels.")
        #expect(error.status == .data)
    }

    @Test func `a word that is no value is refused`() throws {
        let nothing = try refusal("count=")
        #expect(
            nothing.description == "count: expected a whole number within 64 bits, found nothing")
        #expect(nothing.hint == "To take its value away, write count=null.")
        #expect(try refusal("done=yes").description == "done: expected true or false, found ‘yes’")
        for (words, sentence) in [
            (["title"], "‘title’ gives no value: write COLUMN=VALUE"),
            (["done=1", "done=0"], "done is given twice"),
        ] {
            let error = #expect(throws: CommandError.self) { try given.change(of: 7, words) }
            #expect(error?.description == sentence)
            #expect(error?.status == .usage)
        }
    }

    @Test func `lines of JSON become changes`() throws {
        #expect(
            try given.changes([
                #"{"_id": 7, "title": null, "done": false}"#, #"{"count":2,"_id":1}"#,
            ])
                == [
                    RowToChange(place: "line 1", id: 7, values: [0: .null, 2: .integer(0)]),
                    RowToChange(place: "line 2", id: 1, values: [1: .integer(2)]),
                ])
    }

    @Test(arguments: [
        (#"{"done": true}"#, "line 2: _id is missing: it says which row is changed"),
        (
            #"{"_id": "7", "done": true}"#,
            "line 2: _id: expected a whole number from 1, found a text"
        ),
        (#"{"_id": 0, "done": true}"#, "line 2: _id: expected a whole number from 1, found 0"),
        (#"{"_id": 7}"#, "line 2: there is no value to change"),
        (#"{"_id": 7, "done": 5}"#, "line 2: done: expected true or false, found 5"),
        (#"{"_id": 7, "changed": "x"}"#, "line 2: changed of notes cannot be changed"),
        (
            #"{"_id": 7, "titel": null}"#,
            "line 2: notes has no column ‘titel’; the nearest one is title"
        ),
        (#"[7]"#, "line 2: expected an object, found a list"),
        (#"{"_id": 7"#, "line 2, column 10: the text ends too early"),
    ]) func `a wrong line is named, and nothing is changed`(
        line: String, sentence: String
    ) throws {
        let error = try refusal(line: line)
        #expect(error.description == sentence)
        #expect(error.status == .data)
    }
}
