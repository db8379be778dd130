/// The path and query of a request, taken apart.
struct RequestTarget {
    /// The decoded parts between the slashes; an empty part stays, so that `/todos/` is not
    /// `/todos`. `nil` where the target is no path or an escape is broken.
    let segments: [String]?
    /// The decoded query, the first value of each name.
    let query: [String: String]

    init(_ target: String) {
        // Not by characters: a sign with a combining mark behind it is another character.
        let halves = target.unicodeScalars
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = halves[0]
        if path.first == "/" {
            let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            let decoded = parts.compactMap { Self.decoded($0, plusIsSpace: false) }
            segments = decoded.count == parts.count ? decoded : nil
        } else {
            segments = nil
        }
        var query: [String: String] = [:]
        for pair in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0], plusIsSpace: true), query[name] == nil,
                let value = Self.decoded(
                    sides.count > 1 ? sides[1] : Substring.UnicodeScalarView(), plusIsSpace: true)
            else { continue }
            query[name] = value
        }
        self.query = query
    }

    /// `nil` for a broken escape and for what is not UTF-8 once it is decoded.
    private static func decoded(
        _ text: Substring.UnicodeScalarView, plusIsSpace: Bool
    ) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(Substring(text).utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                let isSpace = plusIsSpace && byte == UInt8(ascii: "+")
                bytes.append(isSpace ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
