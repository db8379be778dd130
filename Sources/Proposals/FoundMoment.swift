internal import Declarations
internal import Text

/// The field of the rows that says when a row has last changed.
struct FoundMoment: Sendable, Hashable {
    let path: JSONPath
    let names: [String]
    /// The moments of the rows, each once, in their order: three at least.
    let moments: [RowMoment]

    /// What became of the search.
    enum Search: Sendable, Hashable {
        case found(FoundMoment)
        /// No field has such a name.
        case none
        /// A field has such a name, and cannot be the moment: why not.
        case unfit(String)
    }

    /// What the name of such a field begins with or ends in, without `_` and in small letters.
    private static let stems = [
        "updated", "lastupdated", "dateupdated", "update", "lastupdate", "modified",
        "lastmodified", "datemodified", "modification", "changed", "lastchanged", "datechanged",
    ]
    private static let endings = ["", "at", "on", "time", "date", "timestamp", "ts"]
    private static let usualNames = Set(
        stems.flatMap { stem in endings.map { stem + $0 } }
            .filter { !["update", "modification"].contains($0) } + ["mtime"])
    /// So many rows are looked at.
    private static let sample = 5000

    /// Looks at all rows: the first field of a usual name in which every row has a moment.
    static func find(in rows: [JSONNode]) -> Search {
        let rows = rows.prefix(sample)
        var unfit: String?
        for member in rows.first?.members ?? [] {
            let name = member.key.lowercased().filter { $0 != "_" && $0 != "-" }
            guard usualNames.contains(name), let path = JSONPath.checked([.member(member.key)])
            else { continue }
            let found = moments(at: [member.key], path, in: Array(rows))
            if case .found = found { return found }
            if unfit == nil, case .unfit(let why) = found { unfit = why }
        }
        return unfit.map { .unfit($0) } ?? .none
    }

    private static func moments(
        at names: [String], _ path: JSONPath, in rows: [JSONNode]
    ) -> Search {
        let values = rows.map { $0.node(at: names) }
        let missing = values.count { $0 == nil }
        guard missing == 0 else {
            return .unfit(
                "\(path) is empty in \(missing) of \(rows.count) rows, and increments would lack them"
            )
        }
        let moments = values.compactMap { $0.flatMap(RowMoment.init) }
        guard moments.count == rows.count, Set(moments.map(\.isDate)).count == 1 else {
            return .unfit(
                "\(path) is neither a date that sorts, as 2026-11-29T08:00:00Z, nor a whole number"
            )
        }
        var distinct: [RowMoment] = []
        for moment in moments.sorted() where distinct.last.map({ $0 < moment }) ?? true {
            distinct.append(moment)
        }
        guard distinct.count >= 3 else {
            return .unfit(
                "the rows have \(distinct.count) \(distinct.count == 1 ? "moment" : "moments") at \(path),"
                    + " and three are needed for a trial")
        }
        return .found(FoundMoment(path: path, names: names, moments: distinct))
    }

    /// Whether `rows` come the newest first.
    func isNewestFirst(in rows: [JSONNode]) -> Bool {
        let moments = rows.compactMap { $0.node(at: names).flatMap(RowMoment.init) }
        return zip(moments, moments.dropFirst()).allSatisfy { $1 < $0 || $1.isSame(as: $0) }
    }
}
