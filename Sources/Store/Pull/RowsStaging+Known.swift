internal import Declarations
internal import SQLite
internal import Tables

/// Which columns the lists of one kind show.
struct ListedColumns {
    /// Those that a list has ever shown.
    var listed: Set<String>
    /// Those that none has, though a read or an answer did.
    var excerpt: Set<String> = []

    /// As ``text(of:)`` has written it.
    static func names(_ text: String?) -> Set<String> {
        Set((text ?? "").split(separator: "\n").map { String($0) })
    }

    /// A line each. No name of a column has a line break.
    static func text(of names: Set<String>) -> String { names.sorted().joined(separator: "\n") }
}

/// What a list does not show keeps what is known of it.
extension RowsStaging {
    /// Lays what is known of each row over what is staged of it, where the list is an excerpt. Returns which columns
    /// lists show; nil where that is as it was.
    func layKnown() throws -> ListedColumns? {
        guard let statements = table.knownStatements else { return nil }
        let fields = table.declaration.columns.filter { $0.field != nil }
        let before = try connection.first(
            "SELECT listed, excerpt FROM sync_state WHERE list = ?",
            .text(table.declaration.name.text)
        ) {
            (
                listed: ListedColumns.names($0.textOrNil(0)),
                excerpt: ListedColumns.names($0.textOrNil(1))
            )
        }
        var columns = ListedColumns(listed: before?.listed ?? [])
        let isOpen = { (column: Column) in
            !column.isFromReads && !columns.listed.contains(column.name)
        }
        if fields.contains(where: isOpen) {
            let shown = try flags(statements.shown, fields)
            columns.listed.formUnion(
                fields.filter { !$0.isFromReads && shown.contains($0.name) }.map(\.name))
        }
        if fields.contains(where: isOpen) {
            let known = try flags(statements.known, fields)
            columns.excerpt = Set(fields.filter(isOpen).map(\.name)).intersection(known)
        }
        let hidden = fields.filter { $0.isFromReads || columns.excerpt.contains($0.name) }
        let listed = fields.filter { columns.listed.contains($0.name) }
        for sql in table.lay(hidden: hidden, listed: listed) { try connection.run(sql) }
        let isAsBefore = columns.listed == before?.listed && columns.excerpt == before?.excerpt
        return isAsBefore ? nil : columns
    }

    private func flags(_ statement: String, _ fields: [Column]) throws -> Set<String> {
        let names = try connection.first(statement) { row in
            fields.indices.filter { row.integer($0) == 1 }.map { fields[$0].name }
        }
        return Set(names ?? [])
    }
}
