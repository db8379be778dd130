internal import Declarations
internal import Text

/// Where the id of a row stands in the row.
struct FoundID: Sendable, Hashable {
    let path: JSONPath
    let evidence: String
    let warnings: [String]

    /// Names that servers give to an id, the surest first.
    private static let usualNames = [
        "id", "_id", "uuid", "documentId", "document_id", "key", "guid", "slug", "entity_id",
    ]

    /// Looks for a field that is there and different in every row.
    static func find(
        in rows: [JSONNode], of listName: String
    ) throws(ProposalError) -> FoundID {
        let usual = usualNames.map { [$0] }
        let others = likeliestFirst(
            names(in: rows[0]).filter { !usual.contains($0) }, rows[0], listName)
        var refused: [String] = []
        for (place, names) in (usual + others).enumerated() {
            guard rows[0].node(at: names) != nil || place < usual.count,
                let path = JSONPath.checked(names.map { .member($0) })
            else { continue }
            let values = rows.map { $0.node(at: names).flatMap(text) }
            let isThere = values.contains { $0 != nil }
            guard isThere else { continue }
            let different = Set(values.compactMap { $0 }).count
            guard different == rows.count else {
                if place < usual.count { refused.append("\(path)") }
                continue
            }
            return FoundID(
                path: path, evidence: evidence(rows.count, refused: refused),
                warnings: warnings(path, isUsual: place < usual.count, rows.count))
        }
        throw .noID
    }

    /// The id of what the list is named for, as `list_id` below `/lists`; then names; then numbers and texts of any kind. A
    /// moment, an address and what is shown to people may differ in all rows by chance, and may change.
    private static func likeliestFirst(
        _ paths: [[String]], _ row: JSONNode, _ listName: String
    ) -> [[String]] {
        let stem = letters(listName.hasSuffix("s") ? String(listName.dropLast()) : listName)
        func rank(_ path: [String]) -> Int {
            let name = path.last ?? ""
            if path.count == 1, [stem + "id", letters(listName) + "id"].contains(letters(name)) {
                return 0
            }
            if case .text(let text)? = row.node(at: path)?.value, isShownOrMoved(name, text) {
                return 3
            }
            return ["name", "login", "username", "code"].contains(name) ? 1 : 2
        }
        return (0...3).flatMap { wanted in paths.filter { rank($0) == wanted } }
    }

    private static func letters(_ name: String) -> String {
        String(name.lowercased().filter { $0 != "_" && $0 != "-" })
    }

    private static func isShownOrMoved(_ name: String, _ text: String) -> Bool {
        DateTimeText(text) != nil || text.contains("@") || text.contains("://")
            || letters(name) == "displayname"
    }

    private static func evidence(_ count: Int, refused: [String]) -> String {
        let what =
            count == 1 ? "there in the one row" : "there and different in all \(count) rows"
        guard !refused.isEmpty else { return what }
        return what + ", and \(refused.joined(separator: ", ")) is not"
    }

    private static func warnings(_ path: JSONPath, isUsual: Bool, _ count: Int) -> [String] {
        guard isUsual, count > 1 else {
            return [
                "\(path) is taken for the id, and "
                    + (count == 1 ? "one row proves little" : "its name does not say so")
                    + ": look whether it stays the same when a row changes"
            ]
        }
        return []
    }

    /// Every scalar of a row, to the second level: the first level first.
    private static func names(in row: JSONNode) -> [[String]] {
        let members = row.members ?? []
        let inner = members.flatMap { member in
            (member.node.members ?? []).map { [member.key, $0.key] }
        }
        return members.map { [$0.key] } + inner
    }

    /// The value as an id: a whole number, or a text of 1 to 200 bytes.
    static func text(_ node: JSONNode) -> String? {
        switch node.value {
        case .number: node.wholeNumber.map { "\($0)" }
        case .text(let text):
            (1...200).contains(text.utf8.count) && text != "." && text != ".." ? text : nil
        case .null, .bool, .list, .object: nil
        }
    }
}
