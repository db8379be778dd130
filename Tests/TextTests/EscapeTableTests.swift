import Testing
import Text

@Suite struct EscapeTableTests {
    private static let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)

    /// Whether the last scalar of `text` is escaped.
    private func escapesLast(of text: String.UnicodeScalarView) -> Bool {
        var table = EscapeTable()
        return text.reduce(false) { table.escapes($1) }
    }

    @Test func `F10: no scalar that commands, ends, turns or hides is shown, wherever it stands`() {
        for scalar in Self.all {
            let properties = scalar.properties
            let isJoiner = [0x200C, 0x200D, 0xFE0E, 0xFE0F].contains(scalar.value)
            let isHazard =
                [.control, .format, .lineSeparator, .paragraphSeparator]
                .contains(properties.generalCategory)
                || properties.isDefaultIgnorableCodePoint || properties.isBidiControl
                || properties.isDeprecated && properties.generalCategory == .format
                || scalar.value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= scalar.value
            for before in ["", "a", "é"] as [String] where isHazard || isJoiner {
                let isExempt = before == "é" && [0x200C, 0x200D].contains(scalar.value)
                if escapesLast(of: (before + String(scalar)).unicodeScalars) == isExempt {
                    Issue.record("U+\(String(scalar.value, radix: 16)) behind ‘\(before)’")
                }
            }
        }
    }

    @Test func `every other scalar is shown, but a mark at the start`() {
        for scalar in Self.all {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: continue
            case _ where properties.isDefaultIgnorableCodePoint: continue
            case _ where properties.isNoncharacterCodePoint: continue
            default: break
            }
            let isMark = [.nonspacingMark, .spacingMark, .enclosingMark]
                .contains(properties.generalCategory)
            let atStart = escapesLast(of: String(scalar).unicodeScalars)
            let behindLetter = escapesLast(of: ("a" + String(scalar)).unicodeScalars)
            if atStart != isMark || behindLetter {
                Issue.record("U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test(arguments: [
        ("❤\u{FE0F}", false), ("❤\u{FE0F}\u{200D}", false), ("1\u{FE0F}", false),
        ("1\u{FE0F}\u{20E3}", false), ("a\u{FE0F}", true), ("日\u{FE0E}", true),
        ("❤\u{FE0F}\u{FE0F}", true), ("ی\u{200C}\u{200C}", true), ("ی\u{200C}\u{200D}", true),
        ("\u{1B}\u{301}", true), ("\u{1B}\u{200D}", true), ("🏴\u{E0067}", true),
    ])
    func `joiners and selectors stay where a word or an emoji needs them, and are never two`(
        text: String, isEscaped: Bool
    ) {
        #expect(escapesLast(of: text.unicodeScalars) == isEscaped)
    }

    @Test func `escaping twice is escaping once, behind every kind of scalar`() {
        let kinds = ["", "a", "é", "❤", "\u{301}", "\u{1B}", "\u{200D}", "\u{FE0F}"]
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    let once = ForeignText(first + second + third).escaped
                    #expect(ForeignText(once).escaped.utf8.elementsEqual(once.utf8))
                }
            }
        }
    }
}
