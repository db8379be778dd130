import APIClient
import Foundation
import Testing

@Suite struct ServerIDTests {
    private func decode(_ json: String) throws -> ServerID {
        try JSONDecoder().decode([ServerID].self, from: Data("[\(json)]".utf8))[0]
    }

    @Test(arguments: [
        ("1", "1"), ("0", "0"), ("-1", "-1"), ("9007199254740993", "9007199254740993"),
        ("9223372036854775807", "9223372036854775807"), (#""7""#, "7"), (#""a/b""#, "a/b"),
        (#""...""#, "..."),
        (#""A3E1F0D4-0000-4000-8000-0242AC120002""#, "A3E1F0D4-0000-4000-8000-0242AC120002"),
    ])
    func `integers and texts are ids, kept as text`(json: String, text: String) throws {
        #expect(try decode(json).text == text)
    }

    @Test(arguments: [
        "9223372036854775808", "1.5", "true", "null", "{}", "[]", #""""#, #"".""#, #""..""#,
        "\"" + String(repeating: "a", count: 201) + "\"",
    ])
    func `anything else is no id`(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }

    @Test func `200 bytes are an id, counted in UTF-8`() {
        #expect(ServerID(String(repeating: "é", count: 100)) != nil)
        #expect(ServerID(String(repeating: "é", count: 100) + "a") == nil)
    }

    @Test(arguments: [
        ("7", "7"), ("a/../b", "a%2F..%2Fb"), ("a b?c#d%", "a%20b%3Fc%23d%25"), ("é", "%C3%A9"),
        ("a\r\nb", "a%0D%0Ab"), ("-._~", "-._~"), ("+;=&", "%2B%3B%3D%26"),
    ])
    func `a path segment has everything special encoded`(text: String, encoded: String) throws {
        #expect(try #require(ServerID(text)).percentEncoded == encoded)
    }

    @Test func `a number is written as a number and a text as a text`() throws {
        let ids = try [
            #require(ServerID("7")), #require(ServerID("007")), #require(ServerID("a")),
            ServerID(-5),
        ]
        let json = String(decoding: try JSONEncoder().encode(ids), as: UTF8.self)
        #expect(json == #"[7,"007","a",-5]"#)
    }
}
