/// The places where the text of a long list can be cut between its elements. So SQLite need not
/// hold the tree of the whole list.
///
/// A piece ends at a comma that stands in no text, object or inner list. A body is JSON exactly when two things hold. It
/// is JSON with `[]` in the place of the list. And each piece, put in brackets, is a list of one element or more.
struct JSONListPieces {
    /// Where the list stands in the body, with its brackets.
    let list: Range<Int>
    /// The pieces in order, without the commas between them; there is at least one.
    let ranges: [Range<Int>]

    /// Cuts the list that stands under `names` in the objects of `body` into pieces that have at least `leastBytes`, but
    /// for the last one. Nil where the body is shorter, or plainly has no such list: then it is read as a whole, and
    /// refused so.
    init?(_ body: UnsafeBufferPointer<UInt8>, under names: [String], leastBytes: Int) {
        guard body.count > leastBytes else { return nil }
        let scan = JSONScan(body: body)
        var opening = scan.skipSpace(from: 0)
        for name in names {
            guard let value = scan.value(of: name, inObjectAt: opening) else { return nil }
            opening = value
        }
        guard opening < body.count, body[opening] == UInt8(ascii: "[") else { return nil }
        var ranges: [Range<Int>] = []
        var start = opening + 1
        let end = scan.end(ofValueAt: opening) { comma in
            guard comma - start >= leastBytes else { return }
            ranges.append(start..<comma)
            start = comma + 1
        }
        guard let end, body[end - 1] == UInt8(ascii: "]") else { return nil }
        list = opening..<end
        self.ranges = ranges + [start..<end - 1]
    }
}

/// Finds values by their brackets, and judges no grammar. The names of members have no escape where they need none,
/// as `BodyCheck` leaves them.
private struct JSONScan {
    let body: UnsafeBufferPointer<UInt8>

    /// Where the value of the first member `name` of an object begins; nil where there is none.
    func value(of name: String, inObjectAt start: Int) -> Int? {
        guard start < body.count, body[start] == UInt8(ascii: "{") else { return nil }
        var index = start + 1
        while true {
            let key = skipSpace(from: index)
            guard key < body.count, body[key] == UInt8(ascii: "\"") else { return nil }
            let keyEnd = endOfText(from: key)
            let colon = skipSpace(from: keyEnd)
            guard colon < body.count, body[colon] == UInt8(ascii: ":") else { return nil }
            let value = skipSpace(from: colon + 1)
            if body[key + 1..<max(keyEnd - 1, key + 1)].elementsEqual(name.utf8) { return value }
            guard let end = end(ofValueAt: value) else { return nil }
            let comma = skipSpace(from: end)
            guard comma < body.count, body[comma] == UInt8(ascii: ",") else { return nil }
            index = comma + 1
        }
    }

    /// The place behind the value that begins at `start`; nil where it does not end. Tells each comma between the
    /// elements of a list or the members of an object.
    func end(ofValueAt start: Int, comma: (Int) -> Void = { _ in }) -> Int? {
        var index = start
        var depth = 0
        while index < body.count {
            switch body[index] {
            case UInt8(ascii: "\""):
                index = endOfText(from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                // The end of what is around a number.
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","):
                if depth == 0 { return index }
                if depth == 1 { comma(index) }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The place behind the text that begins at `start`.
    private func endOfText(from start: Int) -> Int {
        var index = start + 1
        while index < body.count, body[index] != UInt8(ascii: "\"") {
            index += body[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, body.count)
    }

    /// The first place from `start` on that is no white space between tokens (RFC 8259 §2).
    func skipSpace(from start: Int) -> Int {
        var index = start
        while index < body.count, [0x20, 0x0A, 0x0D, 0x09].contains(body[index]) { index += 1 }
        return index
    }
}
