internal import Declarations
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
            guard table.declaration.rows == .root,
                let pieces = JSONListPieces(bytes, leastBytes: Self.bytesOfPiece)?.ranges,
                pieces.count > 1
            else { return try add(whole, page: number, isPiece: false, to: &facts) }
            try whole.each(pieces) { try add($0, page: number, isPiece: true, to: &facts) }
        }
        // A row that cannot be taken may be a new one.
        facts.newRows = try newRows(of: number) + facts.skipped.count
        if facts.newRows == 0, number > 1 { try forget(page: number) }
        return facts
    }

    /// A page that only repeats what others had is none of the list.
    private func forget(page number: Int) throws {
        try connection.run(table.pull.forgetPage, .integer(number))
    }

    /// Takes the rows of a page that has not changed from the table.
    func stageUnchanged(url: String, page number: Int) throws -> PageFacts {
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
        else { throw missing(number) }
        var facts = kept.facts
        let taken = try connection.run(
            table.pull.stageUnchanged, .text(kept.keys), .integer(number))
        guard Int64(taken) == facts.rows else { throw missing(number) }
        facts.newRows = try newRows(of: number)
        facts.bytes = Int(
            try connection.count(table.pull.countBytes, .integer(number)))
        return facts
    }

    private func missing(_ number: Int) -> StoreError {
        .unusableBody(
            "the server says that page \(number) is unchanged, but it is not in the cache")
    }

    private func newRows(of page: Int) throws -> Int64 {
        try connection.count(table.pull.countNew, .integer(page))
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
        let taken = try json.run(table.pull.stage, .integer(facts.rows), .integer(page))
        let named = facts.skipped.named
        if taken < envelope.rows, named.count < SkippedRows.namedAtMost {
            let more = try json.all(table.pull.nameSkipped, .integer(facts.rows)) { skippedRow($0) }
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

    /// Names the first thing that is wrong with a row.
    private func skippedRow(_ row: Statement) -> SkippedRow {
        let rows = table.declaration.rows.description.dropFirst()
        let place = "\(rows.hasPrefix(".") ? rows.dropFirst() : rows)[\(row.integer(0))]"
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
        return SkippedRow(
            place: place, problem: "its \(row.text(4)) is missing, of another type or too long")
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
        guard listKind == "array" else {
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
