import Rendering
import Testing
import Text

@Suite struct ParagraphTests {
    @Test(
        arguments: [
            ("", 10, [""]), ("a bc", 10, ["a bc"]), ("one two three", 7, ["one two", "three"]),
            ("one two three", 3, ["one", "two", "three"]),
            ("a longword b", 4, ["a", "longword", "b"]),
            ("Run `syncd sync` now", 14, ["Run", "`syncd sync`", "now"]),
            ("Run `syncd sync` now", 8, ["Run", "`syncd", "sync`", "now"]),
            (
                "Its mode is 644. Run: chmod 600 /a", 12,
                ["Its mode is", "644.", "Run: chmod 600 /a"]
            ),
            ("東京 東京", 6, ["東京", "東京"]),
        ] as [(String, Int, [String])])
    func `lines are broken between words, and a command that fits is one word`(
        text: String, columns: Int, lines: [String]
    ) {
        #expect(Paragraph.lines(of: text, columns: columns) == lines)
    }

    @Test func `what stands before the text takes room on the first line alone`() {
        #expect(Paragraph.lines(of: "aa bb cc", columns: 8, after: 4) == ["aa", "bb cc"])
    }

    @Test func `the lines joined by spaces are the text, and no line is longer than its word`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let text = ForeignText(random.text() + " `a b` " + random.text()).escaped
            let columns = Int.random(in: 1...30, using: &random)
            let lines = Paragraph.lines(of: text, columns: columns)
            #expect(lines.joined(separator: " ") == text)
            for line in lines where DisplayWidth.columns(of: line) > columns {
                #expect(!line.contains(" "), "\(line)")
            }
        }
    }
}
