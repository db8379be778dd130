/// Where the elements of a JSON array end in its bytes.
///
/// It finds places, it does not validate: bytes that are not JSON do no harm.
struct TopLevelElements {
    /// The place behind each element.
    private var ends: [Int] = []

    /// `nil` where the bytes are no array, or one without end.
    init?(of bytes: [UInt8]) {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var depth = 0
        var isInString = false
        var isEscaped = false
        for (place, byte) in bytes.enumerated() {
            if isInString {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ",") where depth == 1: ends.append(place)
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0, place > 1 { ends.append(place) }
            default: break
            }
        }
        guard depth == 0 else { return nil }
    }

    /// The elements, with the white space around them.
    func elements(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var start = 1
        return ends.map { end in
            defer { start = end + 1 }
            return bytes[start..<end]
        }
    }

    /// The array with the first half of its elements, less than all of them.
    func firstHalf(of bytes: [UInt8]) -> [UInt8] {
        let kept = ends.count / 2
        return (kept == 0 ? [UInt8(ascii: "[")] : Array(bytes[..<ends[kept - 1]]))
            + [UInt8(ascii: "]")]
    }
}
