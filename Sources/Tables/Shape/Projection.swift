internal import Declarations

/// How a document becomes the value of a column.
///
/// Total: a value of another type than the column's is NULL, never an error and never cast. Whatever
/// compares a table with documents uses this expression, so it belongs to the file's format: another
/// expression is another type.
struct Projection {
    /// The SQL of the document.
    let document: String

    /// What the server has in `column`. By this values are compared.
    func value(_ column: Column) -> String {
        guard let field = column.field else { return "NULL" }
        return value(field.type, field.path)
    }

    /// The same, of a document that has it at `place`, a path as SQL writes it.
    func value(_ column: Column, quotedPlace place: String) -> String {
        guard let field = column.field else { return "NULL" }
        return value(field.type, quotedPlace: place)
    }

    /// What the table shows of that.
    func shown(_ column: Column) -> String { column.shown(value(column)) }

    func value(_ type: ColumnType, _ path: JSONPath) -> String {
        value(type, quotedPlace: "\(SQLText(path.sqliteText))")
    }

    private func value(_ type: ColumnType, quotedPlace place: String) -> String {
        let kind = "json_type(\(document), \(place))"
        let value = "\(document) ->> \(place)"
        return switch type {
        case .text: "CASE \(kind) WHEN 'text' THEN \(value) END"
        case .integer:
            """
            CASE \(kind)
                WHEN 'integer' THEN iif(typeof(\(value)) = 'integer', \(value), NULL)
                WHEN 'real' THEN iif(\(value) = CAST(\(value) AS INTEGER)
                    AND abs(\(value)) < 9007199254740992, CAST(\(value) AS INTEGER), NULL)
            END
            """
        case .real:
            """
            CASE \(kind)
                WHEN 'integer' THEN CAST(\(value) AS REAL)
                WHEN 'real' THEN iif(abs(\(value)) < 9e999, \(value), NULL)
            END
            """
        case .integerText, .realText:
            """
            CASE \(kind)
                WHEN 'text' THEN iif(json_valid(\(value)), \(Projection(document: "(\(value))").value(type.plain, .root)), NULL)
                ELSE \(self.value(type.plain, quotedPlace: place))
            END
            """
        case .boolean:
            """
            CASE \(kind)
                WHEN 'true' THEN 1 WHEN 'false' THEN 0
                WHEN 'integer' THEN iif(\(value) IN (0, 1), \(value), NULL)
            END
            """
        // As ids are compared: 7 and "7" are one.
        case .row, .rowText:
            """
            CASE \(kind)
                WHEN 'text' THEN \(value)
                WHEN 'integer' THEN iif(typeof(\(value)) = 'integer', CAST(\(value) AS TEXT), NULL)
            END
            """
        case .json:
            "CASE WHEN \(kind) IN ('object', 'array') THEN \(document) -> \(place) END"
        }
    }
}
