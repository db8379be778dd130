internal import Declarations
internal import Text

/// Where the rows stand in an answer.
struct FoundRows: Sendable, Hashable {
    let path: JSONPath
    /// Those that are objects.
    let rows: [JSONNode]
    /// Everything in the list.
    let count: Int
    let evidence: String
    let warnings: [String]

    /// Names that servers give to the list itself.
    private static let usualNames = ["data", "results", "items", "value", "records", "entries"]
    /// Names under which servers say what went wrong.
    private static let complaints = ["detail", "error", "message", "error_description"]

    private struct Candidate {
        let path: JSONPath
        let items: [JSONNode]
        var objects: Int { items.count { $0.members != nil } }
        var name: String { path.names?.last ?? "" }
    }

    /// Looks for the rows: the body, if it is a list, else a list of objects within two levels.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - target: What was asked for: its last part can be the list's name.
    /// - Returns: The rows.
    /// - Throws: ``ProposalError`` where there are none.
    static func find(in body: JSONNode, target: String) throws(ProposalError) -> FoundRows {
        if case .list(let items) = body.value {
            return try rows(
                of: Candidate(path: .root, items: items), because: "the answer is a list")
        }
        guard let members = body.members else { throw .noList(keys: []) }
        let candidates = lists(in: members)
        let filled = candidates.filter { $0.objects > 0 }
        guard let first = filled.first else { throw failure(members, candidates) }
        guard filled.count > 1 else {
            return try rows(of: first, because: "the only list of objects in the answer")
        }
        let last = SeenPath(target).lastPart
        for name in usualNames + [last] where !name.isEmpty {
            if let named = filled.first(where: { $0.name == name }) {
                return try rows(
                    of: named,
                    because: "of \(filled.count) lists of objects, the one of a usual name")
            }
        }
        let longest = filled.max { $0.items.count < $1.items.count } ?? first
        return try rows(
            of: longest, because: "of \(filled.count) lists of objects, the longest",
            warning: "the answer has \(filled.count) lists of objects, and the longest was taken:"
                + " look whether \(longest.path) is the right one")
    }

    private static func lists(in members: [JSONNode.Member]) -> [Candidate] {
        var found: [Candidate] = []
        for member in members {
            guard let path = JSONPath.checked([.member(member.key)]) else { continue }
            if case .list(let items) = member.node.value {
                found.append(Candidate(path: path, items: items))
            }
            for inner in member.node.members ?? [] {
                guard case .list(let items) = inner.node.value,
                    let path = JSONPath.checked([.member(member.key), .member(inner.key)])
                else { continue }
                found.append(Candidate(path: path, items: items))
            }
        }
        return found
    }

    /// Why no list can be taken.
    private static func failure(
        _ members: [JSONNode.Member], _ candidates: [Candidate]
    ) -> ProposalError {
        let empty = candidates.filter(\.items.isEmpty)
        let usual = empty.first { usualNames.contains($0.name) }
        if let list = usual ?? (empty.count == 1 ? empty[0] : nil) {
            return .emptyList(path: list.path.description)
        }
        // A row may have such a field, too.
        for name in complaints where !members.contains(where: { $0.key == "id" }) {
            if case .text(let text)? = members.first(where: { $0.key == name })?.node.value {
                return .complaint(text)
            }
        }
        if let list = candidates.first(where: { !$0.items.isEmpty }) {
            return .noObjects(path: list.path.description)
        }
        return .noList(keys: members.map(\.key), members: objectOfRows(in: members))
    }

    /// The object whose members look like rows: they are objects with a field that all of them have.
    private static func objectOfRows(in members: [JSONNode.Member]) -> String? {
        func areRows(_ members: [JSONNode.Member]) -> Bool {
            let keys = members.map { Set(($0.node.members ?? []).map(\.key)) }
            guard let first = keys.first, keys.count > 1 else { return false }
            return !keys.reduce(first) { $0.intersection($1) }.isEmpty
        }
        if areRows(members) { return "$.*" }
        for member in members where areRows(member.node.members ?? []) {
            if let path = JSONPath.checked([.member(member.key)]) { return "\(path).*" }
        }
        return nil
    }

    private static func rows(
        of list: Candidate, because reason: String, warning: String? = nil
    ) throws(ProposalError) -> FoundRows {
        guard !list.items.isEmpty else { throw .emptyList(path: list.path.description) }
        let rows = list.items.filter { $0.members != nil }
        guard !rows.isEmpty else { throw .noObjects(path: list.path.description) }
        let others = list.items.count - rows.count
        return FoundRows(
            path: list.path, rows: rows, count: list.items.count,
            evidence: "\(reason): \(list.items.count) \(list.items.count == 1 ? "row" : "rows")",
            warnings: [
                warning,
                others == 0
                    ? nil
                    : "\(others) of \(list.items.count) rows are no objects, and will be skipped",
            ].compactMap { $0 })
    }
}
