internal import Declarations
internal import Rules
internal import SQLite
internal import Tables

/// The staging table of a list, which takes the rows of its pages inside SQLite; see ``PageStaging``.
struct ListStaging {
    let connection: Connection
    let table: ListTable

    /// No row can be one of the list: most likely it is another list.
    func unusable(_ fields: [String]) -> StoreError {
        let required = table.declaration.columns.filter(\.isRequired).compactMap(\.field?.path)
        let wanted = ([table.declaration.id] + required).map { path in
            "`\(path.description.dropFirst(path.description.hasPrefix("$.") ? 2 : 0))`"
        }
        let found =
            fields.isEmpty
            ? "the first row has no fields"
            : "the first row has " + fields.map { "`\($0)`" }.joined(separator: ", ")
        let others = wanted.dropFirst().map { " and a \($0)" }.joined()
        return .unusableBody("no row has a usable \(wanted[0])\(others); \(found)")
    }

    /// A page that only repeats what others had is none of the list.
    func forget(page number: Int) throws {
        try connection.run(
            table.writePull?.forgetPage ?? table.pull.forgetPage, .integer(number))
    }

    /// Takes the rows of a page that has not changed from the cache; nil where not all of them are there any more.
    func stageUnchanged(url: String, page number: Int) throws -> PageFacts? {
        guard
            let kept = try connection.first(
                table.unchangedPage, .text(url),
                row: {
                    (
                        keys: $0.text(0),
                        facts: PageFacts(
                            rows: $0.integer(1), newRows: 0, next: $0.textOrNil(2),
                            totalPages: $0.integerOrNil(3), totalRows: $0.integerOrNil(4))
                    )
                })
        else { return nil }
        var facts = kept.facts
        facts.usable = facts.rows
        let taken = try connection.run(
            table.writePull?.stageUnchanged ?? table.pull.stageUnchanged, .text(kept.keys),
            .integer(number))
        guard Int64(taken) == facts.rows else {
            try forget(page: number)
            return nil
        }
        facts.newRows = try newRows(of: number)
        facts.bytes = Int(
            try connection.count(table.pull.countBytes, .integer(number)))
        return facts
    }

    func newRows(of page: Int) throws -> Int64 {
        try connection.count(table.writePull?.countNew ?? table.pull.countNew, .integer(page))
    }

    /// Names the first thing that is wrong with a row.
    func skippedRow(_ row: Statement) -> SkippedRow {
        let place = table.place(ofRow: row.integer(0))
        guard row.text(1) == "object" else {
            return SkippedRow(
                place: place,
                // A row that is too large has become null before it came here.
                problem: "expected an object, found \(row.text(1))"
                    + (row.text(1) == "null" ? ", or a row of more than 1 MiB" : ""))
        }
        guard row.integer(3) == 1 else {
            let expected =
                table.declaration.ids == .server ? "an integer" : "an integer or a text"
            let type = row.textOrNil(2) ?? "nothing"
            // An integer or a text of the wrong size.
            let found = expected.contains(type) ? "an unusable \(type)" : type
            let id = table.declaration.id.description.dropFirst()
            return SkippedRow(place: place + id, problem: "expected \(expected), found \(found)")
        }
        guard table.writePull != nil, let column = table.declaration.column(row.text(4)),
            let field = column.field
        else {
            return SkippedRow(
                place: place,
                problem: "its \(row.text(4)) is missing, of another type or too long")
        }
        let type = row.textOrNil(5) ?? "nothing"
        return SkippedRow(
            place: place + field.path.description.dropFirst(),
            problem: type == "text" && field.type == .text
                ? "longer than 1 MiB" : "expected \(field.type.expected), found \(type)")
    }
}

extension ColumnType {
    /// What a message says that should be there.
    fileprivate var expected: String {
        switch self {
        case .text: "a text"
        case .integer: "an integer"
        case .real: "a number"
        case .integerText: "an integer in a text"
        case .realText: "a number in a text"
        case .boolean: "true or false"
        case .json: "an object or a list"
        case .row, .rowText: "an id: an integer or a text"
        }
    }
}
