import Testing
import Text

@Suite struct ForeignTextTests {
    @Test(arguments: [
        ("\u{1b}]52;c;aGk=\u{7}", #"\u{1b}]52;c;aGk=\u{7}"#), ("a\u{9b}2Jb", #"a\u{9b}2Jb"#),
        ("\u{0}\u{7f}\u{85}", #"\u{0}\u{7f}\u{85}"#),
        ("late\r\n<0>forged", #"late\r\n<0>forged"#), ("tab\there", #"tab\there"#),
        ("safe\u{202e}txt.exe", #"safe\u{202e}txt.exe"#),
        ("\u{2067}isolated\u{2069}", #"\u{2067}isolated\u{2069}"#),
        ("\u{200e}\u{200f}\u{61c}", #"\u{200e}\u{200f}\u{61c}"#),
        ("one\u{2028}two\u{2029}", #"one\u{2028}two\u{2029}"#),
        ("\u{feff}bom", #"\u{feff}bom"#), ("\u{301}a", #"\u{301}a"#), ("", ""),
        ("pass\u{ad}word\u{e0041}", #"pass\u{ad}word\u{e0041}"#),
    ])
    func `P32: what could act on a terminal or forge a line is made visible`(
        text: String, shown: String
    ) {
        #expect(ForeignText(text).escaped == shown)
        #expect("\(ForeignText(text))" == shown)
        #expect(ForeignText(shown).escaped == shown)
    }

    @Test(arguments: [
        "👩‍👩‍👧‍👦", "🇨🇭", "❤️‍🔥", "👍🏽", "1️⃣", "e\u{301}", "naïve\u{301}", "Żółć 東京 한국어", "\u{e001}",
        "\u{378}", #"C:\new"#, "می‌خواهم", "क्‍ष", "🀄︎", "Amélie – 千と千尋 \\n",
    ])
    func `text that harms nobody stays as it is, byte for byte`(text: String) {
        #expect(Array(ForeignText(text).escaped.utf8) == Array(text.utf8))
    }

    @Test func `bytes that are no UTF-8 become a sign that can be seen`() {
        #expect(ForeignText(bytes: [0x61, 0xFF, 0x62]).escaped == "a\u{FFFD}b")
        #expect(ForeignText(bytes: [0xC3]).escaped == "\u{FFFD}")
        #expect(ForeignText(bytes: [0xED, 0xA0, 0x80]).escaped.contains("\u{FFFD}"))
        #expect(ForeignText(bytes: [0x1B, 0xC3, 0xA9]).escaped == #"\u{1b}é"#)
    }

    /// A server's title may have a megabyte. Copying all that is there for each sign takes minutes.
    @Test(.timeLimit(.minutes(3))) func `a long text is escaped in one go`() {
        let text = String(repeating: "\u{1b}", count: 1 << 20)
        #expect(ForeignText(text).escaped.utf8.count == 6 << 20)
    }

    @Test func `a text of exactly the limit stays whole and one byte more is cut`() {
        let fits = String(repeating: "a", count: 500)
        #expect(ForeignText.escaped(fits, maxBytes: 500) == fits)
        let cut = ForeignText.escaped(fits + "a", maxBytes: 500)
        #expect(cut == String(repeating: "a", count: 497) + "…")
    }

    @Test(arguments: ["é", "日", "😀", "👩‍👩‍👧", "e\u{301}", "\u{1B}"], Array(3...40))
    func `a cut lies between characters and within the limit`(character: String, limit: Int) {
        let cut = ForeignText.escaped(String(repeating: character, count: 50), maxBytes: limit)
        #expect(cut.utf8.count <= limit)
        #expect(cut.hasSuffix("…"))
        let whole = Array(ForeignText(character).escaped)
        for (place, kept) in cut.dropLast().enumerated() where whole.count == 1 {
            if cut.utf8.count > character.utf8.count + 3 || place > 0 { #expect(kept == whole[0]) }
        }
    }

    @Test func `one character longer than the limit is cut between its scalars`() {
        let tower = "e" + String(repeating: "\u{301}", count: 1000)
        let cut = ForeignText.escaped(tower, maxBytes: 500)
        #expect(cut.utf8.count <= 500 && cut.utf8.count > 490)
    }

    @Test func `a quote with a combining mark behind it is a quote`() {
        #expect(ForeignText.shellWord("a'\u{301}b").utf8.elementsEqual("'a'\\''\u{301}b'".utf8))
    }
}
