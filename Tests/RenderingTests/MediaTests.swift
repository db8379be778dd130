import Foundation
import Rendering
import Testing
import Text

/// Every way in which a text of others reaches a person judges it by the same table.
@Suite struct MediaTests {
    private let terminal = Destination.terminal(columns: 500, style: Style(colour: false))

    /// The scalars outside ASCII that stand in `shown` as they are.
    private func kept(_ shown: String) -> [Unicode.Scalar] {
        shown.unicodeScalars.filter { !$0.isASCII }
    }

    /// All of the planes that hold more than ideographs and private signs; of the others the beginnings and
    /// ends. `EscapeTableTests` judges every scalar.
    private static let all = (UInt32(0)...0x10FFFF).filter {
        [0, 1, 14].contains($0 >> 16) || $0 & 0xFFFF < 16 || $0 & 0xFFFF > 0xFFF0
    }.compactMap(Unicode.Scalar.init)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: ["", "é"])
    func `F10: every medium shows the same scalars of Unicode, behind each kind of neighbour`(
        before: String
    ) throws {
        let all = Self.all
        for start in stride(from: 0, to: all.count, by: 4096) {
            let texts = all[start..<min(start + 4096, all.count)].map { before + String($0) }
            let wanted = kept(texts.map { ForeignText($0).escaped }.joined(separator: " "))
            let table = Table(columns: [.init("t")], rows: texts.map { [.init($0)] })
            let json = JSONValue.array(texts.map(JSONValue.string)).bytes
            let plain = try JSONSerialization.data(withJSONObject: texts)
            let shown = [
                "a table": text(table.bytes(for: terminal)),
                "a table in a pipe": text(table.bytes(for: .stream)),
                "CSV": text(CSV(for: terminal).record(texts)),
                "JSON": text(json), "raw JSON": text(JSONValue.raw(Array(plain)).bytes),
            ]
            for (medium, shown) in shown {
                let kept = kept(shown)
                if kept != wanted {
                    Issue.record("\(medium): \(Set(kept).symmetricDifference(wanted))")
                }
            }
            // All in one text, as a label of progress is measured sign by sign.
            let label = texts.joined(separator: " ")
            let line = ProgressLine(label: label, done: 1, total: 2, unit: "")
                .text(columns: 100_000, style: Style(colour: false))
            #expect(kept(line) == kept(ForeignText(label).escaped))
            // JSON for programs is the very data.
            #expect(try JSONDecoder().decode([String].self, from: Data(json)) == texts)
        }
    }

    @Test func `CSV in a pipe holds every scalar as it is`() {
        let scalars = (UInt32(0x300)...0x10FFFF).compactMap(Unicode.Scalar.init)
        let all = String(String.UnicodeScalarView(scalars))
        #expect(CSV(for: .stream).record([all]).dropLast(2).elementsEqual(all.utf8))
    }
}
