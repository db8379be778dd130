import Testing
import Text

@Suite struct JSONNodeTests {
    private func read(_ text: String) throws -> JSONNode {
        try JSONReader.readWhole(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("2.0", 2), ("-3.000", -3),
            ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("1.5", nil), ("1e3", nil), ("1.0e0", nil),
            ("\"1\"", nil), ("true", nil), ("null", nil),
        ] as [(String, Int64?)])
    func `a whole number keeps its 64 bits`(text: String, number: Int64?) throws {
        #expect(try read(text).wholeNumber == number)
    }

    @Test(
        arguments: [
            ("0", 0), ("-1.5", -1.5), ("1e3", 1000), ("1.25E-2", 0.0125), ("1E+2", 100),
            ("1e400", nil), ("\"1\"", nil), ("[1]", nil),
        ] as [(String, Double?)])
    func `a number is finite`(text: String, number: Double?) throws {
        #expect(try read(text).realNumber == number)
    }

    @Test(arguments: [
        "01", "-", "1.", ".5", "1e", "1e+", "+1", "12x", "1.2.3", "0x1", "1_000", "--1", "-a", "1é",
    ])
    func `what only begins like a number is none, wherever it stands`(text: String) {
        for whole in [text, "[0, \(text)]", "{\"a\": {\"b\": [\(text)]}}"] {
            #expect(throws: JSONSyntaxError.self, "\(whole)") { try read(whole) }
        }
    }

    @Test func `the place of what is no number is told`() {
        let error = #expect(throws: JSONSyntaxError.self) { try read("{\"a\": 1, \"b\": 1x}") }
        #expect(error?.position == TextPosition(line: 1, column: 15))
    }

    @Test(arguments: [
        ("[ 1 , 2.50 , -0e1 ]", "[1,2.50,-0e1]"), ("[]", "[]"), ("{ }", "{}"),
        (
            "{\"a b\": [true, null, {\"c\": \"x \\n\\u001b\"}], \"é\": 12345678901234567890}",
            "{\"a b\":[true,null,{\"c\":\"x \\n\\u001b\"}],\"é\":12345678901234567890}"
        ),
    ]) func `a document for programs has no white space between its parts`(
        text: String, compact: String
    ) throws {
        #expect(try read(text).compact == compact)
    }
}
