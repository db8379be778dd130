import Rendering
import Testing

@Suite struct ForeignTextTests {
    @Test func `no scalar that commands, ends, turns or hides survives, and no other changes`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let escaped = ForeignText(String(scalar)).escaped
            let dangerous =
                scalar.properties.generalCategory == .control
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
                || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
                || value == 0x200B || value == 0xFEFF
            if dangerous {
                let short = [9: #"\t"#, 10: #"\n"#, 13: #"\r"#] as [UInt32: String]
                #expect(escaped == short[value] ?? "\\u{\(String(value, radix: 16))}")
            } else if !ForeignText.isHazardous(scalar) {
                #expect(escaped.unicodeScalars.elementsEqual([scalar]))
            }
        }
    }

    @Test func `escaping twice is escaping once, and leaves nothing hazardous`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let once = ForeignText(random.text()).escaped
            #expect(ForeignText(once).escaped == once)
            #expect(!once.unicodeScalars.contains(where: ForeignText.isHazardous))
        }
    }

    @Test(arguments: [
        ("\u{1b}]52;c;aGk=\u{7}", #"\u{1b}]52;c;aGk=\u{7}"#),
        ("a\u{9b}2Jb", #"a\u{9b}2Jb"#),
        ("late\r\n<0>forged", #"late\r\n<0>forged"#),
        ("tab\there", #"tab\there"#),
        ("safe\u{202e}txt.exe", #"safe\u{202e}txt.exe"#),
        ("\u{2067}isolated\u{2069}", #"\u{2067}isolated\u{2069}"#),
        ("one\u{2028}two\u{2029}", #"one\u{2028}two\u{2029}"#),
        ("\u{feff}bom", #"\u{feff}bom"#),
        ("", ""),
    ])
    func `hostile text is shown in its visible form`(text: String, shown: String) {
        #expect(ForeignText(text).escaped == shown)
        #expect("\(ForeignText(text))" == shown)
    }

    @Test(arguments: [
        "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇨🇭", "❤️", "👍🏽", "e\u{301}", "Żółć 東京 한국어", "\u{e001}", "\u{378}", #"C:\new"#,
        "\u{5d0}\u{200f}!", "می‌خواهم", "🀄︎",
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
    @Test(.timeLimit(.minutes(1))) func `a long text is escaped in one go`() {
        let text = String(repeating: "\u{1b}", count: 1 << 20)
        #expect(ForeignText(text).escaped.utf8.count == 6 << 20)
    }
}
