internal import SQLite

extension JSONStaging {
    /// A longer list is read in pieces of about this size: the tree that SQLite makes of a text is
    /// twice as large as the text, and SQLite copies the text as well.
    static let bytesOfPiece = 64 * 1024

    /// The rows of a list of todos, and those that were skipped.
    func stageTodos() throws -> (rows: Int64, skipped: SkippedRows) {
        let pieces = JSONListPieces(body, leastBytes: Self.bytesOfPiece)?.ranges
        var rows: Int64 = 0
        try each(pieces) { rows += try $0.countRows(isPart: (pieces?.count ?? 1) > 1) }
        guard rows <= CacheStore.maxRows else {
            throw StoreError.unusableBody(
                "the list has \(rows) rows, the limit is \(CacheStore.maxRows)")
        }
        var staged = StagedTodos()
        try each(pieces) { try $0.stage(into: &staged) }
        guard staged.taken == staged.usable else {
            throw StoreError.unusableBody("the list holds an id twice")
        }
        return (
            staged.taken, SkippedRows(count: rows - staged.taken, named: staged.skipped)
        )
    }

    /// Hands each piece in brackets to `work`, or the whole body where there are none.
    private func each(
        _ pieces: [Range<Int>]?, _ work: (JSONStaging) throws -> Void
    ) throws {
        guard let pieces else { return try work(self) }
        var text: [UInt8] = []
        for piece in pieces {
            text.removeAll(keepingCapacity: true)
            text.append(UInt8(ascii: "["))
            text.append(contentsOf: UnsafeBufferPointer(rebasing: body[piece]))
            text.append(UInt8(ascii: "]"))
            try text.withUnsafeBufferPointer {
                try work(JSONStaging(connection: connection, body: $0))
            }
        }
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
        _ = try all(Self.insertTodos, first: staged.rows) { _ in () }
        let taken = connection.totalChanges - before
        let usable = try taken == rows ? rows : single(Self.countUsableTodos) { $0.integer(0) }
        if usable < rows, staged.skipped.count < SkippedRows.namedAtMost {
            let named = try all(Self.nameSkippedTodos, first: staged.rows) {
                Self.skippedRow($0, of: "", expectedID: "an integer or a text")
            }
            staged.skipped += named.prefix(SkippedRows.namedAtMost - staged.skipped.count)
        }
        staged.rows += rows
        staged.taken += taken
        staged.usable += usable
    }

    /// A value that is no object has no fields: a path into it would be an error.
    private static let todoFields = """
        SELECT key, value, type, json_type(value, '$.id') AS id_type, value ->> '$.id' AS id,
            json_type(value, '$.title') AS title_type, value ->> '$.title' AS title
        FROM json_each(?1) WHERE type = 'object'
        """

    static let usableID = """
        (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
            AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..'))
        """

    static let usableTitle =
        "(title_type = 'text' AND length(CAST(title AS BLOB)) <= 1048576)"

    static let insertTodos = """
        INSERT OR IGNORE INTO pulled_todo (position, id, title, document)
        SELECT key + ?2, CAST(id AS TEXT), title, value FROM (\(todoFields))
        WHERE \(usableID) AND \(usableTitle)
        """

    static let countUsableTodos = """
        SELECT count(*) FROM (\(todoFields)) WHERE \(usableID) AND \(usableTitle)
        """

    static let nameSkippedTodos = """
        SELECT key + ?2, type, id_type, title_type, \(usableID) FROM (
            \(todoFields)
            UNION ALL SELECT key, NULL, type, NULL, NULL, NULL, NULL FROM json_each(?1)
            WHERE type <> 'object')
        WHERE NOT coalesce(\(usableID) AND \(usableTitle), 0)
        ORDER BY key LIMIT \(SkippedRows.namedAtMost)
        """
}

/// What the pieces of a list have come to so far.
private struct StagedTodos {
    /// All that there were, taken or not.
    var rows: Int64 = 0
    var taken: Int64 = 0
    /// Rows with an id and a title; one that was not taken has the id of another.
    var usable: Int64 = 0
    /// The first ones that are not usable.
    var skipped: [SkippedRow] = []
}
