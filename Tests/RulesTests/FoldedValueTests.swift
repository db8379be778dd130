import Foundation
import ReferenceAPI
import Rules
import TestSupport
import Testing

@Suite struct FoldedValueTests {
    /// White space, controls and letters in both normal forms; a mark stands only after a letter.
    private static let pieces = [
        "a", "b", "e\u{301}", "\u{e9}", "o\u{308}\u{323}", "\u{212b}", "\u{e4}", " ", "  ", "\t",
        "\n", "\r\n", "\u{85}", "\u{a0}", "\u{2003}", "\u{3000}", "\u{7}", "\u{1b}", "\u{7f}", "👩‍🚀",
        "東", "-",
    ]

    private static func title(_ random: SeededRandom) -> String {
        (0..<random.index(12)).map { _ in pieces[random.index(pieces.count)] }.joined()
    }

    @Test(arguments: 1...20)
    func `folding is idempotent`(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let title = Self.title(random)
            let folded = FoldedValue(title)
            let again = FoldedValue(folded.description)
            #expect(folded == again, "\(title.unicodeScalars.map(\.value))")
            #expect(Array(folded.description.utf8) == Array(again.description.utf8))
        }
    }

    @Test(arguments: 1...20)
    func `a title that a server altered within folding folds alike`(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let title = Self.title(random)
            // A tab is white space before it is a control character.
            let dropped = title.unicodeScalars.filter {
                $0.properties.generalCategory != .control || $0.properties.isWhitespace
            }
            let altered = [
                TitleAlteration.trimmed(title), TitleAlteration.collapsed(title),
                String(String.UnicodeScalarView(dropped)),
                title.precomposedStringWithCanonicalMapping,
                title.decomposedStringWithCanonicalMapping,
                TitleAlteration.trimmed(title).precomposedStringWithCanonicalMapping,
            ]
            for text in altered {
                #expect(
                    FoldedValue(text) == FoldedValue(title), "\(title.unicodeScalars.map(\.value))")
                #expect(FoldedValue(text).hashValue == FoldedValue(title).hashValue)
            }
        }
    }

    @Test(arguments: [
        ("Milk", "milk"), ("milk", "mil k"), ("milk", "milk."), ("ﬁsh", "fish"), ("e", "é"),
        ("a\u{200d}b", "ab"), ("ß", "ss"), ("", "x"),
    ])
    func `titles that differ in more than that stay apart`(left: String, right: String) {
        #expect(FoldedValue(left) != FoldedValue(right))
    }

    @Test(arguments: [
        (" milk ", "milk"), ("a \t\n b", "a b"), ("a\u{7}b", "ab"), (" \u{7} a", "a"),
        ("a \u{7} b", "a b"), ("a \u{7}", "a"), ("\u{7}", ""), ("   ", ""),
    ])
    func `white space is trimmed and collapsed, control characters go`(
        title: String, folded: String
    ) {
        #expect(FoldedValue(title).description == folded)
    }

    @Test func `marks in any order that means the same fold alike`() {
        let orders = ["a\u{301}\u{316}b", "a\u{316}\u{301}b", "a\u{316}\u{7}\u{301}b"]
        #expect(Set(orders.map { FoldedValue($0) }).count == 1)
        #expect(FoldedValue("a\u{301}\u{308}") != FoldedValue("a\u{308}\u{301}"))
        #expect(FoldedValue("a\u{f73}\u{301}") == FoldedValue("a\u{f71}\u{f72}\u{301}"))
        #expect(
            FoldedValue("a \u{301}").description.unicodeScalars.elementsEqual(
                "a \u{301}".unicodeScalars))
    }

    /// In order, Swift compares and hashes them in one go; out of order, a server's title of a megabyte
    /// would take it a minute.
    @Test(arguments: 1...20)
    func `marks that follow each other stand in canonical order`(seed: UInt64) {
        let marks = [
            "\u{301}", "\u{316}", "\u{323}", "\u{345}", "\u{f71}", "\u{f72}", "\u{f73}", "\u{f75}",
            "\u{f81}", "\u{1d165}", "\u{7}", "a", "\u{e9}", " ",
        ]
        let random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let title = (0..<random.index(40)).map { _ in marks[random.index(marks.count)] }
                .joined()
            let folded = FoldedValue(title).description.unicodeScalars
            let classes = folded.map(\.properties.canonicalCombiningClass)
            let isOrdered = zip(classes, classes.dropFirst()).allSatisfy {
                $1 == .notReordered || $0 <= $1
            }
            #expect(isOrdered, "\(title.unicodeScalars.map(\.value))")
        }
    }
}
