/// The places where the text of a long list can be cut between its elements. So SQLite need not
/// hold the tree of the whole list.
///
/// A list is JSON exactly when each piece, put in brackets, is a list of one element or more:
/// a piece ends at a comma that stands in no text, object or inner list, and the list around it
/// is closed by the last byte that is no white space.
struct JSONListPieces {
    /// The pieces in order, without the commas between them; there is at least one.
    let ranges: [Range<Int>]

    /// Cuts `body` into pieces that have at least `leastBytes`, but for the last one. Nil where
    /// it is shorter, or is not plainly a list: then it is read as a whole, and refused so.
    init?(_ body: UnsafeBufferPointer<UInt8>, leastBytes: Int) {
        guard body.count > leastBytes else { return nil }
        guard let opening = body.firstIndex(where: { !Self.isSpace($0) }),
            body[opening] == UInt8(ascii: "[")
        else { return nil }
        var ranges: [Range<Int>] = []
        var start = opening + 1
        var index = start
        var depth = 1
        while index < body.count {
            switch body[index] {
            case UInt8(ascii: "\""):
                index = Self.endOfText(in: body, from: index)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                guard depth == 0 else { break }
                guard body[index] == UInt8(ascii: "]"),
                    body[(index + 1)...].allSatisfy(Self.isSpace)
                else { return nil }
                self.ranges = ranges + [start..<index]
                return
            case UInt8(ascii: ",") where depth == 1 && index - start >= leastBytes:
                ranges.append(start..<index)
                start = index + 1
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The place of the quote that ends the text that begins at `start`, or the last one of all.
    private static func endOfText(in body: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start + 1
        while index < body.count, body[index] != UInt8(ascii: "\"") {
            index += body[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// White space between tokens (RFC 8259 §2).
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
