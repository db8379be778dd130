internal import Declarations

/// The law of equality, as SQL: two values are one if they are the same JSON value. Numbers count by their value,
/// objects without the order of their members, texts by their code points.
///
/// Only syncd's own statements may use it: no program knows the functions that it calls (`OwnFunctions` of the
/// room `SQLite`).
enum Equality {
    /// Whether two documents are one, neither of which is NULL. The function is called only where the texts differ:
    /// most rows of most pulls are as they were.
    static func areSame(_ one: String, _ other: String) -> String {
        "(\(one) = \(other) OR same_json(\(one), \(other)))"
    }

    /// Whether two values of a column are one; NULL is a value.
    static func areSame(_ column: Column, _ one: String, _ other: String) -> String {
        isJSON(column) ? "same_json(\(one), \(other))" : "\(one) IS \(other)"
    }

    /// Whether two values of a column are two.
    static func differ(_ column: Column, _ one: String, _ other: String) -> String {
        isJSON(column) ? "NOT same_json(\(one), \(other))" : "\(one) IS NOT \(other)"
    }

    /// A text of the column's `value`: two values are one if their texts have the same bytes.
    static func text(_ column: Column, _ value: String) -> String {
        switch column.field?.type {
        case .json: "canonical_json(\(value))"
        case .text: value
        case .real, .realText: "shortest_real(\(value))"
        case .boolean, .integer, .integerText, .row, .rowText, nil: "CAST(\(value) AS TEXT)"
        }
    }

    /// Whether `value` stands at a place of a document, as a condition that is never NULL. `null` and `false` are alike
    /// for ``PlainValue/null``, and so is a document without the place.
    static func isPlain(_ value: PlainValue, at path: JSONPath, of document: String) -> String {
        let place = SQLText(path.sqliteText)
        let kind = "json_type(\(document), \(place))"
        return switch value {
        case .null: "(ifnull(\(kind), 'null') IN ('null', 'false'))"
        case .text(let text):
            "(ifnull(\(kind), '') = 'text' AND \(document) ->> \(place) = \(SQLText(text)))"
        case .number(let number):
            "(ifnull(\(kind), '') IN ('integer', 'real') AND \(document) ->> \(place) = \(number))"
        case .bool(let flag): "(ifnull(\(kind), '') = '\(flag)')"
        }
    }

    private static func isJSON(_ column: Column) -> Bool { column.field?.type == .json }
}
