import APIClient
import Testing

@Suite struct EntityTagTests {
    @Test func `strong and weak tags are read and written as they came`() throws {
        let strong = try #require(EntityTag(#""abc""#))
        let weak = try #require(EntityTag(#"W/"abc""#))
        #expect(!strong.isWeak && strong.opaque == "abc" && strong.description == #""abc""#)
        #expect(weak.isWeak && weak.opaque == "abc" && weak.description == #"W/"abc""#)
        #expect(try #require(EntityTag(#""""#)).opaque.isEmpty)
    }

    @Test(arguments: [
        "", "*", "abc", "\"", "W/", "W/abc", #"w/"a""#, #""a"b""#, #""a", "b""#, #""a b""#,
        "\"a\u{0}\"",
        "\"a\r\nX: y\"", #""é""#, #" "a""#, #""a" "#,
    ])
    func `what could say more than one version is no tag`(text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test func `1 KiB is kept and one byte more is not`() {
        let quoted = { (count: Int) in "\"" + String(repeating: "a", count: count) + "\"" }
        #expect(EntityTag(quoted(1024)) != nil)
        #expect(EntityTag("W/" + quoted(1024)) != nil)
        #expect(EntityTag(quoted(1025)) == nil)
    }
}
