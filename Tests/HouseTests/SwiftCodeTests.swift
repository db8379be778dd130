import Testing

@Suite struct SwiftCodeTests {
    private func code(_ text: String) -> [String] { SwiftCode(text).code }

    @Test func `comments and the inside of strings are left out, lines keep their numbers`() {
        #expect(code("a // try!\nb") == ["a ", "b"])
        #expect(code("a /* x\n/* y */ z\n*/ b") == ["a ", "", " b"])
        #expect(code("a(\"print(\") + b") == ["a(\"\") + b"])
        #expect(code("a(\"\\\"print(\") + b") == ["a(\"\") + b"])
        #expect(code("#\"a\"b\\(c)\"# + d") == ["\"\" + d"])
        #expect(code("\"\"\"\n  try! \"x\"\n  \"\"\" + a") == ["\"", "", "\" + a"])
        #expect(code("\"//\" // x") == ["\"\" "])
    }

    @Test func `code inside an interpolation is code`() {
        #expect(code("\"a \\(try! f(\"x\", (1))) b\" + c") == ["\"(try! f(\"\", (1)))\" + c"])
        #expect(code("#\"\\#(g()) \\(h)\"#") == ["\"(g())\""])
    }

    @Test func `an unfinished text ends the scan`() {
        #expect(code("\"abc") == ["\""])
        #expect(code("/* abc") == [""])
        #expect(code("\"\\") == ["\""])
        #expect(code("") == [""])
    }
}
