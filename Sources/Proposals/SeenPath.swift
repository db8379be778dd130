internal import APIClient

/// A target in its parts.
struct SeenPath: Sendable, Hashable {
    let path: String
    /// Without its mark; nil: there is none.
    let query: String?

    init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The last part of the path that is not empty, without `.json`.
    var lastPart: String {
        let last = path.split(separator: "/").last.map { String($0) } ?? ""
        return last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    }

    /// The parameters of the query, as they are written.
    var parameters: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                Self.decoded(halves[0]),
                halves.count > 1 ? String(halves[1]) : ""
            )
        }
    }

    /// As it is meant; what is no UTF-8 then can be seen.
    private static func decoded(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decoded(Array(text.utf8)[...]), as: UTF8.self)
    }

    /// The same without the parameters `names`.
    func without(_ names: [String]) -> String {
        let kept = (query ?? "").split(separator: "&").filter { part in
            !names.contains(Self.decoded(part.split(separator: "=", maxSplits: 1).first ?? ""))
        }
        return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    }
}
