import Text

/// One line of the log about one request: method, target, outcome. Nothing of headers and bodies,
/// and the value of `api_key` is masked.
struct RequestLine: CustomStringConvertible {
    let description: String

    init(method: String, target: String, outcome: String) {
        // A line must not begin with a priority of the journal, such as <0>.
        let isWord = method.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        let line = "\(isWord ? method : "?") \(Self.masked(target)) \(outcome)"
        description = ForeignText(String(line.prefix(1000))).escaped
    }

    private static func masked(_ target: String) -> String {
        // Not by characters: a sign with a combining mark behind it is another character.
        let scalars = target.unicodeScalars
        guard let mark = scalars.firstIndex(of: "?") else { return target }
        let pairs = scalars[scalars.index(after: mark)...]
            .split(separator: "&", omittingEmptySubsequences: false).map { Substring($0) }
            .map { $0.contains("key") || $0.contains("%") ? Self.maskedPair($0) : String($0) }
        return String(scalars[...mark]) + pairs.joined(separator: "&")
    }

    /// An escaped name can be `api_key` too, so that it is masked as well.
    private static func maskedPair(_ pair: Substring) -> String {
        pair.unicodeScalars.firstIndex(of: "=").map { pair[...$0] + "***" } ?? "***"
    }
}
