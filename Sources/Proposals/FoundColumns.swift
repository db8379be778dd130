internal import Declarations
internal import Text

/// The fields of the rows that can be columns.
struct FoundColumns: Sendable, Hashable {
    struct Column: Sendable, Hashable {
        let name: String
        let type: ColumnType
        let path: JSONPath
        /// Whether no row has a value of it.
        let isGuess: Bool
        let evidence: String
    }

    let columns: [Column]
    /// Fields that stay in the document alone, and why.
    let leftOut: [String]

    /// So many columns are proposed; more is for the person to choose.
    static let most = 40
    /// So many rows are looked at.
    private static let sample = 5000
    /// An object with more keys is a map of its own, whose keys are data.
    private static let mostInner = 24

    /// Looks at all rows.
    static func find(in rows: [JSONNode]) throws(ProposalError) -> FoundColumns {
        let rows = Array(rows.prefix(sample))
        var found: [(field: Field, isInner: Bool)] = []
        var leftOut: [String] = []
        for field in fields(of: rows) {
            let inner = field.isObject ? innerFields(of: field, in: rows) : []
            guard inner.isEmpty else {
                found += inner.map { ($0, true) }
                continue
            }
            found.append((field, false))
        }
        found = found.filter { field, _ in
            guard field.type == nil else { return true }
            leftOut.append(field.remark)
            return false
        }
        let spare = found.count - most
        if spare > 0 {
            // What lies deeper goes first, from the end.
            let inner = found.indices.filter { found[$0].isInner }
            let outer = found.indices.filter { !found[$0].isInner }
            let dropped = Set((outer + inner).suffix(spare))
            leftOut.append("\(spare) more fields, because \(most) columns are enough to begin with")
            found = found.indices.filter { !dropped.contains($0) }.map { found[$0] }
        }
        guard !found.isEmpty else { throw .noColumns }
        var names = ColumnNames()
        let columns = found.compactMap { field, _ in
            field.type.map { type in
                Column(
                    name: names.name(for: field.names), type: type, path: field.path,
                    isGuess: field.filled == 0,
                    evidence: field.evidence(of: rows.count))
            }
        }
        return FoundColumns(columns: columns, leftOut: leftOut)
    }

    /// The fields of the rows, in the order in which they come up.
    private static func fields(of rows: [JSONNode], below names: [String] = []) -> [Field] {
        var places: [String: Int] = [:]
        var fields: [Field] = []
        for row in rows {
            for member in row.members ?? [] {
                let place: Int
                if let known = places[member.key] {
                    place = known
                } else {
                    let names = names + [member.key]
                    guard let path = JSONPath.checked(names.map { .member($0) }) else { continue }
                    place = fields.count
                    places[member.key] = place
                    fields.append(Field(names: names, path: path))
                }
                fields[place].note(member.node)
            }
        }
        return fields
    }

    /// The scalars of a field that is an object in each row that has it; empty where it is a map, or holds
    /// none.
    private static func innerFields(of field: Field, in rows: [JSONNode]) -> [Field] {
        let inner = fields(of: rows.compactMap { $0.node(at: field.names) }, below: field.names)
        guard inner.count <= mostInner else { return [] }
        return inner.filter { field in
            field.filled > 0 && field.type.map { $0 != .json } ?? false
        }
    }
}

/// What the rows have in one field.
private struct Field: Sendable {
    let names: [String]
    let path: JSONPath
    private var counts: [ColumnType: Int] = [:]
    private var objects = 0
    private(set) var filled = 0

    init(names: [String], path: JSONPath) {
        self.names = names
        self.path = path
    }

    mutating func note(_ node: JSONNode) {
        let type: ColumnType?
        switch node.value {
        case .null: type = nil
        case .bool: type = .boolean
        case .text: type = .text
        case .number(let text):
            // `1.0` says that `1.5` may come.
            let isWhole = text.utf8.allSatisfy { !".eE".utf8.contains($0) }
            type =
                isWhole && node.wholeNumber != nil
                ? .integer : node.realNumber != nil ? .real : nil
        case .list: type = .json
        case .object:
            type = .json
            objects += 1
        }
        guard let type else { return }
        filled += 1
        counts[type, default: 0] += 1
    }

    /// Whether it is an object wherever it is there.
    var isObject: Bool { filled > 0 && objects == filled }

    /// The type that all its values have; nil where they differ. Where there are none, a text is the best guess.
    var type: ColumnType? {
        guard filled > 0 else { return .text }
        return switch Set(counts.keys) {
        case [.integer, .real], [.real]: .real
        case let types where types.count == 1: types.first
        default: nil
        }
    }

    /// Why it has no type.
    var remark: String {
        let types = ColumnType.allCases.filter { counts[$0] != nil }.map(\.rawValue)
        return "\(path), which is \(types.joined(separator: " in one row and ")) in another"
    }

    func evidence(of rows: Int) -> String {
        guard filled > 0 else { return "a guess, because no row has a value of it yet" }
        let kind = counts.count == 2 ? "whole numbers and others" : nil
        let there = filled == rows ? "in every row" : "in \(filled) of \(rows) rows"
        return [kind, there].compactMap { $0 }.joined(separator: ", ")
    }
}
