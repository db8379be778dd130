import Testing
import Text

@Suite struct `the law of equality` {
    private func bytes(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBufferPointer { CanonicalJSON.form(of: $0) }
    }

    /// The form of a text; nil where it has none.
    private func form(_ text: String) -> String? {
        bytes(text).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("1", "1.0"), ("100", "1e2"), ("100", "1E+2"), ("0.10", "1e-1"), ("-0", "0.00"),
        ("-0.0e7", "0"), ("1230", "0.123e4"), ("12345678901234567890.0", "12345678901234567890"),
        ("0.30000000000000004", "30000000000000004e-17"), ("1e30", "1000000e24"),
        ("5e-324", "0.5e-323"),
        (#"{"a":1,"b":[2]}"#, #" { "b" : [ 2.0 ] , "a" : 1 } "#),
        (#"{"a":{"x":1,"y":2},"b":1}"#, #"{"b":1,"a":{"y":2,"x":1}}"#),
        (#""ü/""#, #""\u00fc\/""#), (#""😀""#, #""\ud83d\uDE00""#),
        (#""\n\u001F""#, #""\u000a\u001f""#),
        (#""\"\\""#, #""\u0022\u005c""#), (#"{"ü":1}"#, #"{"\u00fC":1}"#), ("[]", "[ ]"),
        ("{}", "{\n}"),
        (#""\ud800""#, #""\uD800""#),
    ]) func `another spelling is the same value`(one: String, other: String) {
        #expect(CanonicalJSON.isSame(one, other))
        #expect(bytes(one) == bytes(other))
    }

    @Test(arguments: [
        ("1", "1.1"), ("1", "-1"), ("9007199254740993", "9007199254740992"), ("1", "\"1\""),
        ("1", "true"),
        ("0.1", "0.10000000000000001"), ("[1,2]", "[2,1]"), ("[1]", "[1,1]"),
        (#"{"a":1}"#, #"{"a":2}"#),
        (#"{"a":1}"#, #"{"A":1}"#), (#"{"a":null}"#, "{}"), (#""a""#, #""a ""#),
        (#""\t""#, #"" ""#),
        (#""é""#, #""e\u0301""#), ("null", "0"), ("[]", "{}"), (#""\ud800""#, #""\udc00""#),
    ]) func `two values are two`(one: String, other: String) {
        #expect(!CanonicalJSON.isSame(one, other))
        // Swift takes canonically equivalent texts for one; bytes it does not.
        #expect(bytes(one) != bytes(other))
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{a:1}", "tru", "nulls", "01", "1.", ".5", "+1", "1e",
        "--1", "0x1",
        "1 2", "\"", "\"\u{1}\"", #""\x""#, #""\u12""#, "[1}", "NaN", "\u{FEFF}1", "1e1000000000",
        "12e999999999", #"{"a":1,"a":1}"#, #"{"b":1,"a":1,"\u0062":1}"#,
        String(repeating: "[", count: 129) + String(repeating: "]", count: 129),
    ]) func `what has no form is the same as itself alone`(text: String) {
        #expect(form(text) == nil)
        #expect(CanonicalJSON.isSame(text, text))
        #expect(!CanonicalJSON.isSame(text, text + " "))
    }

    @Test(arguments: [
        (
            " [ 1.50 , -0 , 1e400 , 1e21, 1e20, 1e-8, 1e-6 ] ",
            "[1.5,0,1e400,1e21,100000000000000000000,1e-8,0.000001]"
        ),
        (#"{"b":{"d":1,"c":2},"a":"\u0041\u000a"}"#, #"{"a":"A\u000a","b":{"c":2,"d":1}}"#),
        (#"{"":1,"\"":2,"aa":3,"a":4}"#, #"{"":1,"\"":2,"a":4,"aa":3}"#),
        ("-12.5e-3", "-0.0125"), ("123456e5", "12345600000"), ("1.5e300", "1.5e300"),
        ("0e999999999", "0"), ("1e-999999998", "1e-999999998"),
    ]) func `a value is written in one way`(text: String, written: String) {
        #expect(form(text) == written)
    }

    @Test func `random bytes end, and a form is its own form`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"\\u00fc\"", "1", "1.0", "-0", "e5",
            "true",
            "null", " ", "\\", "\"", "\u{7F}", "ü", "\\ud800", "0",
        ]
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            }
            guard let once = form(text) else { continue }
            if form(once) != once || !CanonicalJSON.isSame(text, once) { Issue.record("\(text)") }
        }
    }

    @Test func `members in any order have one form`() {
        let members = (0..<200).map { "\"k\($0)\":[\($0),{\"y\":1,\"x\":2}]" }
        let first = form("{\(members.shuffled().joined(separator: ","))}")
        #expect(first != nil)
        #expect(form("{\(members.shuffled().joined(separator: " , "))}") == first)
    }
}
