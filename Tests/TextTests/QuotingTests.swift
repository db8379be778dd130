import Testing
import Text

@Suite struct QuotingTests {
    @Test(arguments: [
        ("", #""""#), ("a", #""a""#), (#"a"b"#, #""a""b""#), (#"""#, #""""""#),
        ("\"\u{308}) --", "\"\"\"\u{308}) --\""), ("a\"\u{20DD}\"", "\"a\"\"\u{20DD}\"\"\""),
        ("\u{308}", "\"\u{308}\""), ("'", #""'""#),
    ])
    func `N2: a quote is doubled, also with a combining mark behind it`(
        text: String, quoted: String
    ) {
        let made = text.quoted(by: "\"", escaping: "\"\"")
        #expect(Array(made.utf8) == Array(quoted.utf8))
    }
}
