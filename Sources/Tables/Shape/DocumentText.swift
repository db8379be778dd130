internal import Declarations

/// SQL that makes a document of a row's columns, where the one of the server is not there any more.
///
/// Each value stands where the declaration reads it. What no column shows is not in it, and neither is what the
/// declaration looks for far inside a list.
struct DocumentText {
    /// A place of the document, and what stands at it or below it.
    private struct Place {
        var isID = false
        var columns: [Column] = []
        var members: [(name: String, place: Place)] = []
        var elements: [Int: Place] = [:]
    }

    /// The elements of a list before the one that is read are filled up with nulls.
    private static let longestList = 1000

    private let root: Place
    /// The SQL of the id at the server, a text.
    private let serverID: String
    /// The SQL of a column's value.
    private let value: (Column) -> String

    init(_ declaration: Declaration, serverID: String, value: @escaping (Column) -> String) {
        self.serverID = serverID
        self.value = value
        var root = Place()
        Self.visit(&root, declaration.id.steps[...]) { $0.isID = true }
        for column in declaration.columns {
            guard let steps = column.field?.path.steps else { continue }
            Self.visit(&root, steps[...]) { $0.columns.append(column) }
        }
        self.root = root
    }

    private static func visit(
        _ place: inout Place, _ steps: ArraySlice<JSONPath.Step>, _ change: (inout Place) -> Void
    ) {
        let rest = steps.dropFirst()
        switch steps.first {
        case nil: change(&place)
        case .member(let name):
            let known = place.members.firstIndex { $0.name == name }
            if known == nil { place.members.append((name, Place())) }
            visit(&place.members[known ?? place.members.count - 1].place, rest, change)
        case .element(let number):
            guard number < longestList else { return }
            visit(&place.elements[number, default: Place()], rest, change)
        }
    }

    /// A text of JSON, never NULL.
    var sql: String { text(root) }

    private func text(_ place: Place) -> String {
        if place.isID { return id(place.columns) }
        let cases = place.columns.sorted { rank($0) < rank($1) }.compactMap(value)
        let rest = below(place)
        return cases.isEmpty ? rest : "CASE \(cases.joined(separator: " ")) ELSE \(rest) END"
    }

    /// A column of JSON has what stands below, too: if it has no value, then there is nothing.
    private func below(_ place: Place) -> String {
        guard !place.columns.contains(where: { $0.field?.type == .json }) else { return "'null'" }
        if !place.members.isEmpty { return object(place.members) }
        return place.elements.isEmpty ? "'null'" : list(place.elements)
    }

    /// A number, if it reads as one and no column has it as a text.
    private func id(_ columns: [Column]) -> String {
        let number = "CAST(CAST(\(serverID) AS INTEGER) AS TEXT) = \(serverID)"
        let texts = columns.filter { $0.field?.type == .text }
        let isText = texts.map { " AND \(value($0)) IS NOT \(serverID)" }.joined()
        return "iif(\(number)\(isText), \(serverID), json_quote(\(serverID)))"
    }

    private func object(_ members: [(name: String, place: Place)]) -> String {
        let parts = members.enumerated().map { index, member in
            // The name of a path holds nothing that JSON would escape.
            "\(SQLText((index == 0 ? "{" : ",") + "\"\(member.name)\":")) || \(text(member.place))"
        }
        return "(\(parts.joined(separator: " || ")) || '}')"
    }

    private func list(_ elements: [Int: Place]) -> String {
        var next = 0
        let parts = elements.sorted { $0.key < $1.key }.map { number, place in
            let nulls = String(repeating: "null,", count: number - next)
            let start = (next == 0 ? "[" : ",") + nulls
            next = number + 1
            return "\(SQLText(start)) || \(text(place))"
        }
        return "(\(parts.joined(separator: " || ")) || ']')"
    }

    /// Of several columns that read one place, the first that has a value says what stands there: a whole number
    /// can be a number or a boolean, too.
    private func rank(_ column: Column) -> Int {
        switch column.field?.type {
        case .json: 0
        case .integer, .integerText: 1
        case .real, .realText: 2
        case .boolean: 3
        case .text, .row, .rowText, nil: 4
        }
    }

    private func value(_ column: Column) -> String? {
        let value: String = value(column)
        return switch column.field?.type {
        case .json: "WHEN json_valid(\(value)) THEN \(value)"
        case .integer: "WHEN \(value) IS NOT NULL THEN \(value)"
        case .integerText: "WHEN \(value) IS NOT NULL THEN json_quote(CAST(\(value) AS TEXT))"
        case .real: "WHEN abs(\(value)) < 9e999 THEN \(Equality.text(column, value))"
        case .realText:
            "WHEN abs(\(value)) < 9e999 THEN json_quote(\(Equality.text(column, value)))"
        case .boolean: "WHEN \(value) IS NOT NULL THEN iif(\(value), 'true', 'false')"
        case .text: "WHEN \(value) IS NOT NULL THEN json_quote(\(value))"
        case .row, .rowText:
            ReferredList(column).map { list in
                "WHEN \(list.name(ofRow: value)) IS NOT NULL THEN \(list.json(ofRow: value))"
            }
        case nil: nil
        }
    }
}
