import Foundation
import Rendering
import Testing
import Text

/// Every way in which a text of others reaches a person judges it by the same table.
@Suite struct MediaTests {
    private let terminal = Destination.terminal(columns: 500, style: Style(colour: false))

    /// The scalars outside ASCII that stand in `shown` as they are.
    private func kept(_ shown: String) -> Set<Unicode.Scalar> {
        Set(shown.unicodeScalars.filter { !$0.isASCII })
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(arguments: ["", "é", "❤"])
    func `F10: every medium shows the same scalars of Unicode, behind each kind of neighbour`(
        before: String
    ) throws {
        let all = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
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
                "progress": texts.map {
                    ProgressLine(label: $0, done: 1, total: 2, unit: "")
                        .text(columns: 500, style: Style(colour: false))
                }.joined(),
            ]
            for (medium, shown) in shown {
                let difference = kept(shown).symmetricDifference(wanted)
                #expect(difference.isEmpty, "\(medium): \(difference)")
            }
            // JSON and CSV for programs are the very data.
            #expect(try JSONDecoder().decode([String].self, from: Data(json)) == texts)
        }
    }

    @Test func `CSV in a pipe holds every scalar as it is`() {
        let scalars = (UInt32(0x300)...0x10FFFF).compactMap(Unicode.Scalar.init)
        let all = String(String.UnicodeScalarView(scalars))
        #expect(CSV(for: .stream).record([all]).dropLast(2).elementsEqual(all.utf8))
    }
}
