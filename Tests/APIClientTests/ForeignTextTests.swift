import APIClient
import Testing

@Suite struct ForeignTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\nb\r\tc", #"a\nb\r\tc"#),
        ("\u{1B}]52;c;x\u{7}", #"\u{1B}]52;c;x\u{7}"#),
        ("\u{0}\u{7F}\u{9B}", #"\u{0}\u{7F}\u{9B}"#),
        ("\u{202E}abc\u{2066}", #"\u{202E}abc\u{2066}"#),
        ("\u{200E}\u{200F}\u{61C}\u{FEFF}", #"\u{200E}\u{200F}\u{61C}\u{FEFF}"#),
        ("\u{2028}\u{2029}\u{85}", #"\u{2028}\u{2029}\u{85}"#), ("\\n", "\\n"), ("é日本", "é日本"),
        ("👩‍👩‍👧", "👩‍👩‍👧"), ("\u{E0041}", #"\u{E0041}"#), ("a\r\n<0>b", #"a\r\n<0>b"#), ("", ""),
    ])
    func `P32: what could act on a terminal or forge a line is made visible`(
        text: String, escaped: String
    ) {
        #expect(ForeignText.escaped(text) == escaped)
    }

    @Test func `escaping twice changes nothing, and no control character is left, of all scalars`()
    {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            guard [.control, .format, .lineSeparator, .paragraphSeparator].contains(category) else {
                continue
            }
            let once = ForeignText.escaped(String(scalar))
            if ForeignText.escaped(once) != once { Issue.record("\(value)") }
            if once.unicodeScalars.contains(scalar) != [0x200C, 0x200D].contains(value) {
                Issue.record("\(value)")
            }
        }
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
        let whole = Array(ForeignText.escaped(character))
        for (place, kept) in cut.dropLast().enumerated() where whole.count == 1 {
            if cut.utf8.count > character.utf8.count + 3 || place > 0 { #expect(kept == whole[0]) }
        }
    }

    @Test func `one character longer than the limit is cut between its scalars`() {
        let tower = "e" + String(repeating: "\u{301}", count: 1000)
        let cut = ForeignText.escaped(tower, maxBytes: 500)
        #expect(cut.utf8.count <= 500 && cut.utf8.count > 490)
    }
}
