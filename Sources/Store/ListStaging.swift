internal import Declarations
internal import Rules
internal import SQLite
internal import Tables

/// Takes the rows of the pages of a list into its staging table, inside SQLite.
struct ListStaging {
    let connection: Connection
    let table: ListTable

    /// A longer page is read in pieces of about this size: the tree that SQLite makes of a text is twice as
    /// large as the text, and SQLite copies the text as well.
    private static let bytesOfPiece = 64 * 1024

    /// Takes the usable rows of `body` as those of the page `number`.
    func stage(_ body: [UInt8], page number: Int) throws -> PageFacts {
        var facts = PageFacts(rows: 0, newRows: 0, bytes: body.count)
        try body.withUnsafeBufferPointer { bytes in
            let whole = JSONStaging(connection: connection, body: bytes)
            let cut =
                table.declaration.rows == .root
                ? JSONListPieces(bytes, leastBytes: Self.bytesOfPiece)?.ranges : nil
            let pieces = cut.flatMap { $0.count > 1 ? $0 : nil }
            if let pieces {
                try whole.each(pieces) { try add($0, page: number, isPiece: true, to: &facts) }
            } else {
                try add(whole, page: number, isPiece: false, to: &facts)
            }
            guard let sql = table.writePull, facts.rows > 0, facts.unidentified == facts.rows
            else { return }
            var fields: [String] = []
            let describe = { (json: JSONStaging) in
                fields = try json.all(sql.nameFields) { $0.text(0) }
            }
            if let first = pieces?.first {
                try whole.each([first], describe)
            } else {
                try describe(whole)
            }
            throw unusable(fields)
        }
        // A row that cannot be taken may be a new one.
        facts.newRows = try newRows(of: number) + facts.skipped.count
        if facts.newRows == 0, number > 1 { try forget(page: number) }
        return facts
    }

    /// No row can be one of the list: most likely it is another list.
    private func unusable(_ fields: [String]) -> StoreError {
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
    private func forget(page number: Int) throws {
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

    private func newRows(of page: Int) throws -> Int64 {
        try connection.count(table.writePull?.countNew ?? table.pull.countNew, .integer(page))
    }

    private func add(
        _ json: JSONStaging, page: Int, isPiece: Bool, to facts: inout PageFacts
    ) throws {
        let envelope = try json.single(table.pull.envelope) { row in
            Envelope(
                kind: row.text(0), listKind: row.textOrNil(1), rows: row.integer(2),
                next: row.textOrNil(3), totalPages: row.integerOrNil(4),
                totalRows: row.integerOrNil(5))
        }
        if let finding = envelope.finding(for: table.declaration, isPiece: isPiece) {
            throw StoreError.unusableBody(
                "expected a list of \(table.declaration.name), found \(finding)"
                    + (page > 1 ? " on page \(page)" : ""))
        }
        let taken: Int64
        if let sql = table.writePull {
            taken = try take(json, page: page, rows: envelope.rows, sql, into: &facts)
        } else {
            taken = try json.run(table.pull.stage, .integer(facts.rows), .integer(page))
        }
        let named = facts.skipped.named
        if taken < envelope.rows, named.count < SkippedRows.namedAtMost {
            let sql = table.writePull?.nameSkipped ?? table.pull.nameSkipped
            let more = try json.all(sql, .integer(facts.rows)) { skippedRow($0) }
            facts.skipped.named = Array((named + more).prefix(SkippedRows.namedAtMost))
        }
        facts.skipped.count += envelope.rows - taken
        facts.rows += envelope.rows
        guard facts.rows <= CacheStore.maxRows else {
            throw StoreError.unusableBody(
                "the list has \(facts.rows) rows, the limit is \(CacheStore.maxRows)")
        }
        facts.next = envelope.next.flatMap { $0.isEmpty ? nil : $0 }
        facts.totalPages = envelope.totalPages
        facts.totalRows = envelope.totalRows
    }

    /// Takes the rows of a list that programs write to, and returns how many could be taken. Of equal rows of one id
    /// one is.
    private func take(
        _ json: JSONStaging, page: Int, rows: Int64, _ sql: WritePull, into facts: inout PageFacts
    ) throws -> Int64 {
        let changes = try json.run(sql.stage, .integer(facts.rows), .integer(page))
        var (usable, others) = (rows, Int64(0))
        // A row that differs from one of the same id changes that one, an equal one changes nothing.
        if changes < rows {
            (usable, others) = try json.single(sql.countUsable) { ($0.integer(0), $0.integer(1)) }
            if let note = sql.noteSkipped { _ = try json.run(note) }
        }
        facts.usable += usable
        facts.unidentified += rows - usable - others
        return usable
    }

    /// Names the first thing that is wrong with a row.
    private func skippedRow(_ row: Statement) -> SkippedRow {
        let place = table.place(ofRow: row.integer(0))
        guard row.text(1) == "object" else {
            return SkippedRow(place: place, problem: "expected an object, found \(row.text(1))")
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
        }
    }
}

/// The part of a body around its rows.
private struct Envelope {
    let kind: String
    /// The type of what stands where the list should.
    let listKind: String?
    let rows: Int64
    let next: String?
    let totalPages: Int64?
    let totalRows: Int64?

    /// What is there instead of a page; nil for a page that can be taken.
    func finding(for declaration: Declaration, isPiece: Bool) -> String? {
        guard kind != "malformed JSON", !(isPiece && rows == 0) else { return "malformed JSON" }
        // Some servers leave out an empty list.
        guard listKind == "array" || listKind == nil && totalRows == 0 else {
            return declaration.rows == .root
                ? kind : "\(listKind ?? "nothing") under \(declaration.rows)"
        }
        guard case .pages(let counted) = declaration.paging else { return nil }
        for (total, place) in [(totalPages, counted.pages), (totalRows, counted.rows)] {
            if let path = place?.path, (total ?? -1) < 0 { return "no usable number under \(path)" }
        }
        return nil
    }
}
