internal import APIClient
internal import Declarations
internal import Text

/// A way to ask for what has changed, as servers know it.
struct SinceWay: Sendable, Hashable {
    /// The parameters, with `{since}` in the place of the moment.
    let query: String
    /// A date is sent as seconds since 1970.
    var inSeconds = false

    /// As it is called in a sentence.
    var title: String {
        let isName = query.hasSuffix("=" + Since.placeholder) && !query.contains(">")
        let name = isName ? String(query.dropLast(Since.placeholder.count + 1)) : query
        return inSeconds ? "\(name) in seconds" : name
    }

    /// The list, asked from a moment or from a text of the server's own.
    func list(_ list: String, from mark: String) -> String {
        PercentEncoding.escaped(
            query: Since.query(query, of: list, from: PercentEncoding.encoded(mark)))
    }

    /// Several ways in one request.
    static func joined(_ ways: [SinceWay]) -> SinceWay {
        SinceWay(
            query: ways.map(\.query).joined(separator: "&"),
            inSeconds: ways.first?.inSeconds ?? false)
    }

    /// Names that many servers have.
    static func usual(_ moment: FoundMoment) -> [SinceWay] {
        let field = moment.names.last ?? ""
        let names = [
            "since", "updated_since", "updated_after", "modified_since", "modified_after",
            "changed_since", "changed_after",
        ]
        return (names + (isPlain(field) ? ["\(field)__gte"] : []))
            .map { SinceWay(query: "\($0)=\(Since.placeholder)") }
    }

    /// The names under which servers want seconds since 1970.
    static let usualInSeconds = ["since", "updated_since", "changed_after"]
        .map { SinceWay(query: "\($0)=\(Since.placeholder)", inSeconds: true) }

    /// The spellings of servers that the answer looks like.
    static func special(_ moment: FoundMoment, _ seen: SeenList) -> [SinceWay] {
        let field = moment.names.last ?? ""
        guard isPlain(field) else { return [] }
        var ways: [String] = []
        // PostgREST.
        if seen.fields.contains(where: { $0.isNamed("content-range") }) {
            ways.append("\(field)=gte.\(Since.placeholder)")
        }
        // Redmine.
        if field.hasSuffix("_on") { ways.append("\(field)=>=\(Since.placeholder)") }
        // PocketBase.
        if seen.body.node(at: ["totalItems"]) != nil, seen.body.node(at: ["perPage"]) != nil {
            ways.append("filter=(\(field)>='\(Since.placeholder)')")
        }
        // Kinto.
        if field == "last_modified" { ways.append("_since=\(Since.placeholder)") }
        return ways.map { SinceWay(query: $0) }
    }

    /// Whether a name can stand in a query as it is.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 60
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
            }
    }
}
