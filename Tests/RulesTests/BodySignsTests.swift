import Declarations
import Rules
import Testing
import Text

/// What a body tells of a longer list than its rows are.
@Suite struct `the signs of a longer list` {
    private static func signs(_ body: String, at rows: String = "$.rows") throws -> BodySigns {
        BodySigns(
            try JSONReader.read(JSONOutline.of(Array(body.utf8)), maxDepth: 64),
            around: try JSONPath(rows))
    }

    @Test(arguments: [
        ("total", "$.rows"), ("total_count", "$.rows"), ("@total_size", "$.rows"),
        ("count", "$.rows"), ("size", "$.rows"),
    ])
    func `are totals in the words of servers`(word: String, rows: String) throws {
        #expect(try Self.signs(#"{"\#(word)":29,"rows":[1,2]}"#, at: rows).totalRows == 29)
        #expect(
            try Self.signs(#"{"meta":{"\#(word)":29},"rows":[1,2]}"#, at: rows).totalRows == 29)
        #expect(try Self.signs(#"{"\#(word)":"29","rows":[1,2]}"#, at: rows).totalRows == nil)
    }

    @Test func `the length of a page is none where a total stands beside it`() throws {
        let signs = try Self.signs(#"{"size":20,"totalElements":3,"totalPages":1,"rows":[1,2,3]}"#)
        #expect(signs.totalRows == 3)
        #expect(!signs.namesMore)
    }

    @Test(arguments: [
        #""next":"/rows?page=2""#, #""next_page":2"#, #""next":{"href":"/2"}"#,
        #""links":{"next":"/2"}"#, #""_links":{"next":{"href":"/2"}}"#,
        #""@links":{"next":[{"uri":"/2"}]}"#, #""meta":{"pagination":{"next_url":"/2"}}"#,
        #""next_cursor":"abc""#, #""response_metadata":{"next_cursor":"abc"}"#,
        #""has_more":true"#, #""pageInfo":{"hasNextPage":true}"#, #""total_pages":2"#,
        #""pagination":{"pageCount":3}"#,
    ])
    func `are a next page, a flag and more than one page`(member: String) throws {
        #expect(try Self.signs("{\(member),\"rows\":[{\"id\":1}]}").namesMore)
    }

    @Test(arguments: [
        #""next":null"#, #""next":"""#, #""next":{}"#, #""next":{"href":null}"#, #""next":[]"#,
        #""has_more":false"#, #""has_more":"no""#, #""total_pages":1"#, #""pages":0"#,
        #""total":1,"pages":7"#, #""other":{"next":"/2"}"#, #""rest":[{"next":"/2"}]"#,
    ])
    func `are not what is empty, false or elsewhere`(member: String) throws {
        #expect(try !Self.signs("{\(member),\"rows\":[{\"id\":1,\"next\":2}]}").namesMore)
    }

    @Test func `stand around the rows wherever those are, and nowhere if they are all`() throws {
        let body = #"{"data":{"rows":[1],"total":9},"total":4}"#
        #expect(try Self.signs(body, at: "$.data.rows").totalRows == 9)
        #expect(try Self.signs(#"{"data":{"rows":[1]},"next":"/2"}"#, at: "$.data.rows").namesMore)
        #expect(try Self.signs(#"[{"total":9,"next":2}]"#, at: "$").totalRows == nil)
    }

    @Test(arguments: [
        (#"{"a":[1,[2,{"b":"]"}],"\"]"],"c":[ ],"d":"[x\\"}"#, #"{"a":[0],"c":[ ],"d":"[x\\"}"#),
        ("[]", "[]"), ("[[]]", "[0]"), ("]", "]"), (#"{"a":["x"#, #"{"a":["#), ("", ""),
    ])
    func `the outline of a body has no elements of lists`(body: String, outline: String) {
        let found = String(decoding: JSONOutline.of(Array(body.utf8)), as: UTF8.self)
        #expect(found.filter { $0 != " " } == outline.filter { $0 != " " })
    }
}
