internal import SQLite

extension JSONStaging {
    /// A longer list is read in pieces of about this size: the tree that SQLite makes of a text is
    /// twice as large as the text, and SQLite copies the text as well.
    static let bytesOfPiece = 64 * 1024

    /// Takes the rows of a list of todos that can be taken. Two rows of one id count once where they are
    /// equal; else neither is taken.
    func stageTodos() throws -> StagedTodos {
        let pieces = JSONListPieces(body, leastBytes: Self.bytesOfPiece)?.ranges
        var rows: Int64 = 0
        try each(pieces) { rows += try $0.countRows(isPart: (pieces?.count ?? 1) > 1) }
        guard rows <= CacheStore.maxRows else {
            throw StoreError.unusableBody(
                "the list has \(rows) rows, the limit is \(CacheStore.maxRows)")
        }
        var staged = StagedTodos()
        try each(pieces) { try $0.stage(into: &staged) }
        try removeDiffering(from: &staged)
        guard rows == 0 || staged.usable + staged.untitled > 0 else {
            throw StoreError.unusableBody(
                "no row has a usable `id` and a `title`; \(try describeFields(pieces))")
        }
        return staged
    }

    /// Two rows that differ under one id: nobody knows which of them is the row.
    private func removeDiffering(from staged: inout StagedTodos) throws {
        staged.taken = try connection.count("SELECT count(*) FROM pulled_todo")
        guard staged.taken < staged.changes else { return }
        let places = try connection.all(
            "SELECT position FROM pulled_todo WHERE differs = 1 ORDER BY position LIMIT ?",
            .integer(Int64(SkippedRows.namedAtMost))
        ) { $0.integer(0) }
        staged.skipped += places.map {
            SkippedRow(place: "[\($0)].id", problem: "another row has the same id and differs")
        }
        staged.differing = try Int64(
            connection.run("DELETE FROM pulled_todo WHERE differs = 1"))
        staged.taken -= staged.differing
    }

    /// Which keys the first row has, for a person who sees why no row could be taken.
    private func describeFields(_ pieces: [Range<Int>]?) throws -> String {
        var keys: [String] = []
        try each(pieces.map { Array($0.prefix(1)) }) {
            keys = try $0.all(Self.nameFields) { $0.text(0) }
        }
        return keys.isEmpty
            ? "the first row has no fields"
            : "the first row has " + keys.map { "`\($0)`" }.joined(separator: ", ")
    }

    /// Hands each piece in brackets to `work`, or the whole body where there are none.
    private func each(
        _ pieces: [Range<Int>]?, _ work: (JSONStaging) throws -> Void
    ) throws {
        guard let pieces else { return try work(self) }
        try each(pieces, work)
    }

    /// Checks that the body is a list; one that is a part of another has rows.
    private func countRows(isPart: Bool) throws -> Int64 {
        // One statement, so that SQLite parses the body once for all its functions.
        let (kind, rows) = try single(
            """
            SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
                iif(json_valid(?1), json_array_length(?1), 0)
            """
        ) { ($0.text(0), $0.integer(1)) }
        let finding = isPart && rows == 0 ? "malformed JSON" : kind
        guard finding == "array" else {
            throw StoreError.unusableBody("expected a list of todos, found \(finding)")
        }
        return rows
    }

    private func stage(into staged: inout StagedTodos) throws {
        let rows = try single("SELECT json_array_length(?1)") { $0.integer(0) }
        let before = connection.totalChanges
        _ = try all(Self.insertTodos, .integer(staged.rows)) { _ in () }
        // A row that differs from one of the same id changes that one, an equal one changes nothing.
        let changes = connection.totalChanges - before
        if changes < rows {
            let (usable, untitled) = try single(Self.countUsableTodos) {
                ($0.integer(0), $0.integer(1))
            }
            staged.usable += usable
            staged.untitled += untitled
            let room = SkippedRows.namedAtMost - staged.skipped.count
            if usable < rows, room > 0 {
                let named = try all(Self.nameSkippedTodos, .integer(staged.rows)) {
                    Self.skippedRow($0, of: "", expectedID: "an integer or a text")
                }
                staged.skipped += named.prefix(room)
            }
        } else {
            staged.usable += rows
        }
        staged.rows += rows
        staged.changes += changes
    }

    /// A value that is no object has no fields: a path into it would be an error.
    ///
    /// SQLite would write `value`, and read a field of it, anew for each place where it is named, were it not
    /// for each LIMIT, which keeps a query one of its own.
    private static let todoFields = """
        SELECT key, value, type, json_type(value, '$.id') AS id_type, value ->> '$.id' AS id,
            json_type(value, '$.title') AS title_type, value ->> '$.title' AS title
        FROM (SELECT key, value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1
        """

    static let usableID = """
        (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
            AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..'))
        """

    static let usableTitle =
        "(title_type = 'text' AND length(CAST(title AS BLOB)) <= 1048576)"

    static let insertTodos = """
        INSERT INTO pulled_todo (position, id, title, document)
        SELECT key + ?2, CAST(id AS TEXT), title, value FROM (\(todoFields))
        WHERE \(usableID) AND \(usableTitle)
        ON CONFLICT (id) DO UPDATE SET differs = 1
        WHERE title IS NOT excluded.title OR document IS NOT excluded.document
        """

    /// Rows that can be taken, and rows of other programs: those have an id, but no usable title.
    static let countUsableTodos = """
        SELECT count(*) FILTER (WHERE \(usableID) AND coalesce(\(usableTitle), 0)),
            count(*) FILTER (WHERE \(usableID) AND title_type IS NOT NULL
                AND NOT coalesce(\(usableTitle), 0))
        FROM (\(todoFields))
        """

    private static let nameFields = """
        SELECT substr(field.key, 1, 500) FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
            json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8
        """

    static let nameSkippedTodos = """
        SELECT key + ?2, type, id_type, title_type, \(usableID) FROM (
            SELECT * FROM (\(todoFields))
            UNION ALL SELECT key, NULL, type, NULL, NULL, NULL, NULL FROM json_each(?1)
            WHERE type <> 'object')
        WHERE NOT coalesce(\(usableID) AND \(usableTitle), 0)
        ORDER BY key LIMIT \(SkippedRows.namedAtMost)
        """
}

/// What the pieces of a list have come to so far.
struct StagedTodos {
    /// All that there were, taken or not.
    var rows: Int64 = 0
    /// Rows that stand in the table.
    var taken: Int64 = 0
    /// Rows that the table took, or that differed from one that it had.
    var changes: Int64 = 0
    /// Rows with an id and a title; one that was not taken has the id of another.
    var usable: Int64 = 0
    /// Rows with an id, but without a usable title. They are another program's, and hinder no
    /// decision.
    var untitled: Int64 = 0
    /// Ids under which two rows differ.
    var differing: Int64 = 0
    /// The first ones that were not taken.
    var skipped: [SkippedRow] = []

    /// Rows that could be any row of the server.
    var unidentified: Int64 { rows - usable - untitled + differing }

    /// All that were not taken; of equal rows one was.
    var skippedRows: SkippedRows {
        SkippedRows(
            count: rows - usable + differing,
            named: Array(skipped.prefix(SkippedRows.namedAtMost)))
    }
}
