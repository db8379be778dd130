import FoundationEssentials

/// Where the values of a JSON object's members stand in its bytes.
///
/// It finds places, it does not validate: a decoder has to have accepted the bytes before. Bytes
/// that are not UTF-8 JSON nevertheless do no harm.
struct TopLevelMembers {
    private var values: [String: Range<Int>] = [:]

    init?(of bytes: [UInt8]) {
        var depth = 0
        var place = 0
        var lastString = 0..<0
        var open: (name: String, start: Int)?
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                guard let end = Self.endOfString(from: place, in: bytes) else { return nil }
                lastString = (place + 1)..<(end - 1)
                place = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: ":") where depth == 1:
                open = (Self.text(of: bytes[lastString]), place + 1)
            case UInt8(ascii: ",") where depth == 1, UInt8(ascii: "}") where depth == 1:
                if let ended = open {
                    values[ended.name] = Self.trimmed(ended.start..<place, in: bytes)
                }
                open = nil
                if bytes[place] == UInt8(ascii: "}") { depth -= 1 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
            default: break
            }
            place += 1
        }
        guard depth == 0 else { return nil }
    }

    /// The names of the members, in their order.
    var names: [String] {
        values.sorted { $0.value.lowerBound < $1.value.lowerBound }.map(\.key)
    }

    /// Where the value of the member `name` stands.
    func place(of name: String) -> Range<Int>? { values[name] }

    /// `bytes` with other values under some names; a name that is not there is passed over.
    func replacing(_ replacements: [String: String], in bytes: [UInt8]) -> [UInt8] {
        var out = bytes
        let places = replacements.compactMap { name, text in values[name].map { ($0, text) } }
        for (range, text) in places.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            out.replaceSubrange(range, with: text.utf8)
        }
        return out
    }

    /// A name as it is read, however it is written.
    private static func text(of written: ArraySlice<UInt8>) -> String {
        let text = String(decoding: written, as: UTF8.self)
        guard written.contains(UInt8(ascii: "\\")) else { return text }
        let list = try? JSONDecoder().decode([String].self, from: Data("[\"\(text)\"]".utf8))
        return list?.first ?? text
    }

    private static func endOfString(from start: Int, in bytes: [UInt8]) -> Int? {
        var place = start + 1
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 2
            case UInt8(ascii: "\""): return place + 1
            default: place += 1
            }
        }
        return nil
    }

    private static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let start = range.first { !blank.contains(bytes[$0]) } ?? range.upperBound
        let last = range.last { !blank.contains(bytes[$0]) } ?? start - 1
        return start..<(last + 1)
    }
}
