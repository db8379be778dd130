import Host

/// One line of the log about one request: method, target, outcome. Nothing of headers and bodies,
/// and the value of `api_key` is masked.
struct RequestLine: CustomStringConvertible {
    let description: String

    init(method: String, target: String, outcome: String) {
        let line = "\(method) \(Self.masked(target)) \(outcome)"
        description = LineText(String(line.prefix(1000))).description
    }

    private static func masked(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let pairs = target[target.index(after: mark)...]
            .split(separator: "&", omittingEmptySubsequences: false)
            .map { $0.contains("key") || $0.contains("%") ? Self.maskedPair($0) : String($0) }
        return target[...mark] + pairs.joined(separator: "&")
    }

    /// An escaped name can be `api_key` too, so that it is masked as well.
    private static func maskedPair(_ pair: Substring) -> String {
        pair.firstIndex(of: "=").map { pair[...$0] + "***" } ?? "***"
    }
}
