import Rendering
import Testing
import Text

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한국어", 6), ("ＡＢ", 4),
        ("\u{1112}\u{1161}\u{11ab}", 2), ("🍿", 2), ("🇨🇭", 2), ("ｱ", 1), ("…", 1), ("ไทย", 3),
        ("\u{20000}", 2), ("a\u{20dd}", 1), ("\u{378}", 1), ("、。", 4), ("✅", 2), ("☎", 1),
        ("a\u{200d}b", 2),
    ])
    func `columns are counted as a terminal counts them`(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test func `every scalar takes zero, one or two columns, and never more than its bytes`() {
        let wrong = (UInt32(0x20)...0x10FFFF).compactMap(Unicode.Scalar.init).filter { scalar in
            let text = String(scalar)
            let columns = DisplayWidth.columns(of: text)
            return columns < 0 || columns > 2 || columns > text.utf8.count
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
        ("abcdef", -3, ""), ("東京都", 5, "東京…"), ("東京都", 4, "東…"), ("東京都", 6, "東京都"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 0, ""), ("👩‍👩‍👧x", 6, "…"),
        ("👩‍👩‍👧x", 7, "👩‍👩‍👧x"),
    ])
    func `what does not fit ends with an ellipsis, and no character is cut in two`(
        text: String, columns: Int, fitted: String
    ) {
        #expect(DisplayWidth.fitted(text, to: columns) == fitted)
    }

    @Test func `a fitted text never takes more than its columns, and begins as the text does`() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<3_000 {
            let text = ForeignText(random.text()).escaped
            let columns = Int.random(in: 0...30, using: &random)
            let fitted = DisplayWidth.fitted(text, to: columns)
            #expect(DisplayWidth.columns(of: fitted) <= columns)
            if fitted != text, columns > 0 {
                #expect(fitted.hasSuffix("…"))
                let kept = fitted.unicodeScalars.dropLast()
                #expect(text.unicodeScalars.starts(with: kept))
            }
        }
    }
}
