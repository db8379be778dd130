import APIClient
import Testing

/// The bounds of a row, which hold before SQLite sees it.
@Suite struct `rows that are too large` {
    private func checked(_ body: String) throws -> String {
        var bytes = Array(body.utf8)
        try BodyCheck.run(&bytes, maxDepth: 64)
        let once = bytes
        try BodyCheck.run(&bytes, maxDepth: 64)
        #expect(bytes == once, "a second run changes nothing")
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func keys(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
    }

    private static func title(_ count: Int) -> String {
        #"{"id":1,"title":"\#(String(repeating: "x", count: count))"}"#
    }

    private static let most = 1 << 20
    private static let frame = title(0).utf8.count

    @Test(arguments: [
        title(most - frame + 1), title(8 << 20), keys(65_537), #"{"a":[\#(keys(65_537))]}"#,
        "[" + Array(repeating: keys(25_000), count: 3).joined(separator: ",") + "]",
    ])
    func `S7: they count as none, and their neighbours stay`(row: String) throws {
        let small = #"{"id":2,"title":"b, [\"{"}"#
        #expect(try checked("[\(small),\(row),\(small)]") == "[\(small),null,\(small)]")
        #expect(try checked("[\(row)]") == "[null]")
        #expect(
            try checked(#"{"page":1,"results":[\#(row),\#(small)],"total_pages":1}"#)
                == #"{"page":1,"results":[null,\#(small)],"total_pages":1}"#)
    }

    @Test(arguments: [title(most - frame), keys(65_536), #"{"a":[\#(keys(65_535))]}"#])
    func `S7: the largest ones pass`(row: String) throws {
        for body in ["[\(row)]", "[\(row),\(row)]", #"{"results":[\#(row)]}"#] {
            #expect(try checked(body) == body)
        }
    }

    @Test(arguments: [title(1 << 20), keys(65_537), #"{"a":\#(keys(65_536))}"#])
    func `S7: a body that is no list is refused`(body: String) {
        #expect(throws: BodyCheckError.largeEnvelope) { try checked(body) }
        #expect(throws: BodyCheckError.largeEnvelope) {
            try checked(#"{"results":[],"more":\#(body)}"#)
        }
    }

    private static let flood = Array(String(repeating: "0,", count: 2_000_000).utf8)

    @Test func `S7: two million tiny rows pass`() throws {
        var bytes = Array("[".utf8) + Self.flood.dropLast() + Array("]".utf8)
        try BodyCheck.run(&bytes, maxDepth: 64)
    }

    /// The rest is not looked at: no byte behind the bound costs time.
    @Test func `S7: one row more ends the check`() {
        var bytes = Array(#"{"a":[{}],"results":["#.utf8) + Self.flood + [0]
        #expect(throws: BodyCheckError.tooManyRows(limit: 2_000_000)) {
            try BodyCheck.run(&bytes, maxDepth: 64)
        }
    }

    @Test func `S7: many of them are taken out in one pass`() throws {
        let row = Self.keys(65_537)
        let body = "[" + Array(repeating: row, count: 40).joined(separator: ",") + "]"
        let expected = "[" + Array(repeating: "null", count: 40).joined(separator: ",") + "]"
        #expect(try checked(body) == expected)
    }
}
