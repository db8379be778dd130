internal import Declarations
internal import Rules
internal import SQLite
internal import Tables
internal import Text

/// Takes the rows of one page of a list into the staging table, a piece at a time.
///
/// The tree that SQLite makes of a text is twice as large as the text. And between two pieces, others are served.
struct PageStaging {
    /// A longer list is read in pieces of about this size.
    private static let bytesOfPiece = 64 * 1024
    fileprivate static let malformed = "malformed JSON"

    private let staging: ListStaging
    private let number: Int
    /// Where the rows are, in pieces.
    private let text: [UInt8]
    private let pieces: [Range<Int>]
    /// How many rows the list has, where it is one piece.
    private let rowsOfOnly: Int64?
    private var nextPiece = 0
    private var facts: PageFacts
    /// Rows that are marked as gone, and that no page before had.
    private var newlyBuried: Int64 = 0

    private var table: ListTable { staging.table }

    /// Reads what is around the rows of `body`, the page `number`.
    init(_ staging: ListStaging, body: [UInt8], number: Int) throws {
        (self.staging, self.number) = (staging, number)
        let envelope: Envelope
        if let cut = Self.cut(body, staging.table.declaration) {
            (text, pieces, rowsOfOnly) = (body, cut.ranges, nil)
            envelope = try Envelope(
                of: body[..<cut.list.lowerBound] + [UInt8(ascii: "["), UInt8(ascii: "]")]
                    + body[cut.list.upperBound...], staging)
        } else {
            envelope = try Envelope(of: body, staging)
            text = envelope.list ?? body
            pieces = envelope.rows == 0 ? [] : [text.indices]
            rowsOfOnly = envelope.rows
        }
        facts = PageFacts(
            rows: 0, newRows: 0, next: envelope.next.flatMap { $0.isEmpty ? nil : $0 },
            totalPages: envelope.totalPages, totalRows: envelope.totalRows, bytes: body.count)
        facts.token = envelope.token
        if let finding = envelope.finding(for: staging.table.declaration, of: body) {
            throw Self.unusable(finding, of: staging, page: number)
        }
    }

    /// Nil where the list is short, or rows are members of an object.
    private static func cut(_ body: [UInt8], _ declaration: Declaration) -> JSONListPieces? {
        guard !declaration.rowsAreMembers, let names = declaration.rows.names else { return nil }
        let cut = body.withUnsafeBufferPointer {
            JSONListPieces($0, under: names, leastBytes: bytesOfPiece)
        }
        return cut.flatMap { $0.ranges.count > 1 ? $0 : nil }
    }

    private static func unusable(
        _ finding: String, of staging: ListStaging, page: Int
    ) -> StoreError {
        .unusableBody(
            "expected a list of \(staging.table.declaration.name), found \(finding)"
                + (page > 1 ? " on page \(page)" : ""))
    }

    /// Takes the next piece. Returns whether others are left.
    mutating func takeNext() throws -> Bool {
        guard nextPiece < pieces.count else { return false }
        try take(json(pieces[nextPiece]))
        nextPiece += 1
        return nextPiece < pieces.count
    }

    /// What the page came to, once every piece is taken.
    mutating func finish() throws -> PageFacts {
        if let sql = table.writePull, facts.rows > 0, facts.unidentified == facts.rows {
            throw staging.unusable(try json(pieces[0]).all(sql.nameFields) { $0.text(0) })
        }
        // A row that cannot be taken may be a new one.
        facts.newRows = try staging.newRows(of: number) + facts.skipped.count + newlyBuried
        if facts.newRows == 0, number > 1 { try staging.forget(page: number) }
        return facts
    }

    private func json(_ piece: Range<Int>) -> JSONStaging {
        guard piece != text.indices else {
            return JSONStaging(connection: staging.connection, body: text)
        }
        var list: [UInt8] = []
        list.reserveCapacity(piece.count + 2)
        list.append(UInt8(ascii: "["))
        list.append(contentsOf: text[piece])
        list.append(UInt8(ascii: "]"))
        return JSONStaging(connection: staging.connection, body: list)
    }

    private mutating func take(_ json: JSONStaging) throws {
        let rows = try rowsOfOnly ?? json.single(table.pull.countRows) { $0.integer(0) }
        guard rows > 0 else { throw Self.unusable(Self.malformed, of: staging, page: number) }
        let buried = try bury(json)
        let taken: Int64
        if let sql = table.writePull {
            taken = try take(json, rows: rows, buried: buried, sql)
        } else {
            taken = try json.run(
                table.pull.stage, .integer(facts.rows), .integer(number))
        }
        let named = facts.skipped.named
        if taken + buried < rows, named.count < SkippedRows.namedAtMost {
            let sql = table.writePull?.nameSkipped ?? table.pull.nameSkipped
            let more = try json.all(sql, .integer(facts.rows)) { staging.skippedRow($0) }
            facts.skipped.named = Array((named + more).prefix(SkippedRows.namedAtMost))
        }
        facts.buried += buried
        facts.skipped.count += rows - taken - buried
        facts.rows += rows
        guard facts.rows <= CacheStore.maxRows else {
            throw StoreError.unusableBody(
                "the list has \(facts.rows) rows, the limit is \(CacheStore.maxRows)")
        }
    }

    /// Notes the rows that are marked as gone, and returns how many they are.
    private mutating func bury(_ json: JSONStaging) throws -> Int64 {
        guard let since = table.since, let bury = since.bury, let count = since.countBuried else {
            return 0
        }
        let rows = try json.single(count) { $0.integer(0) }
        if rows > 0 { newlyBuried += try json.run(bury) }
        return rows
    }

    /// Takes the rows of a list that programs write to, and returns how many could be taken. Of equal rows of one id
    /// one is.
    private mutating func take(
        _ json: JSONStaging, rows: Int64, buried: Int64, _ sql: WritePull
    ) throws -> Int64 {
        let changes = try json.run(sql.stage, .integer(facts.rows), .integer(number))
        var (usable, others) = (rows, Int64(0))
        // A row that differs from one of the same id changes that one, an equal one changes nothing.
        if changes < rows {
            (usable, others) = try json.single(sql.countUsable) { ($0.integer(0), $0.integer(1)) }
            if let note = sql.noteSkipped { _ = try json.run(note) }
        }
        facts.usable += usable
        facts.unidentified += rows - usable - others - buried
        return usable
    }
}

@available(*, unavailable) extension PageStaging: Sendable {}

/// The part of a body around its rows.
private struct Envelope {
    let kind: String
    /// The type of what stands where the list should.
    let listKind: String?
    let rows: Int64
    let next: String?
    let totalPages: Int64?
    let totalRows: Int64?
    let token: String?
    /// How many errors the answer tells beside the rows.
    let errors: Int64
    /// The list, where it is not the body.
    let list: [UInt8]?

    init(of body: [UInt8], _ staging: ListStaging) throws {
        let json = JSONStaging(connection: staging.connection, body: body)
        self = try json.single(staging.table.pull.envelope) { Envelope($0) }
    }

    private init(_ row: Statement) {
        kind = row.text(0)
        listKind = row.textOrNil(1)
        rows = row.integer(2)
        next = row.textOrNil(3)
        (totalPages, totalRows) = (row.integerOrNil(4), row.integerOrNil(5))
        list = row.isNull(6) ? nil : row.bytes(6)
        token = row.textOrNil(7)
        errors = row.integerOrNil(8) ?? 0
    }

    /// What is there instead of a page in `body`; nil for a page that can be taken.
    func finding(for declaration: Declaration, of body: [UInt8]) -> String? {
        guard kind != PageStaging.malformed else { return kind }
        guard errors == 0 else { return "errors" }
        guard listKind == "array" || listKind == nil && saysEmpty(body, declaration) else {
            return declaration.hasPlainRows
                ? kind : "\(listKind ?? "nothing") under \(declaration.rows)"
        }
        guard case .pages(let counted) = declaration.paging else { return nil }
        for (total, place) in [(totalPages, counted.pages), (totalRows, counted.rows)] {
            if let path = place?.path, (total ?? -1) < 0 { return "no usable number under \(path)" }
        }
        return nil
    }

    /// Some servers leave out an empty list, and say beside it that there are no rows: where the declaration looks for
    /// that, or in a usual word.
    private func saysEmpty(_ body: [UInt8], _ declaration: Declaration) -> Bool {
        if let totalRows { return totalRows == 0 }
        guard declaration.rows != .root,
            let outline = try? JSONReader.read(JSONOutline.of(body))
        else { return false }
        let signs = BodySigns(outline, around: declaration.rows)
        return signs.totalRows == 0 && !signs.namesMore
    }
}
