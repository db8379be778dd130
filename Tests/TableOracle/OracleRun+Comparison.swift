import SQLite

/// Table and model beside each other.
extension OracleRun {
    /// Compares everything: at once what has to hold then, and the rest after a look of syncd. Half of the
    /// looks are undone.
    func compare(after step: String) throws {
        try expectNothing(Self.heldAtOnce, step)
        try expect(
            try cache.count("SELECT count(*) FROM notes"), try cache.count(schema.countRows),
            "the number of rows", step)
        try expectNothing(Self.toldOtherwise, step)
        let untidy = model
        try cache.run("SAVEPOINT comparison")
        let before = cache.totalChanges
        try syncd.begin()
        try syncd.end()
        // The flag goes up and down. If nothing else is written, the queries above would find the same again.
        let hasWritten = cache.totalChanges != before + 2
        model.tidy()
        try compareRows(step)
        var layers = syncd.seen
        try compareQueue(&layers, step)
        try compareLayers(&layers, step)
        if hasWritten { try expectNothing(Self.heldAtOnce, step) }
        try expectNothing(Self.heldAfterLook, step)
        if hasWritten { try expectNothing(Self.toldOtherwise, step) }
        try expectNothing(schema.lawQuery, step)
        if random.happens(50) {
            try cache.run("ROLLBACK TO comparison")
            model = untidy
        }
        try cache.run("RELEASE comparison")
    }

    private func expect<Item: Equatable>(
        _ expected: Item, _ found: Item, _ what: @autoclosure () -> String, _ step: String
    ) throws {
        guard expected != found else { return }
        throw Problem(
            description: "after \(step), \(what()):\n  expected \(expected)\n  found    \(found)")
    }

    private func expect(
        _ expected: Fields, _ found: Fields, _ what: @autoclosure () -> String, _ step: String
    ) throws {
        if expected != found { try expect(expected.json, found.json, what(), step) }
    }

    private static let shownRows =
        "SELECT id, \(Field.names()), _server_id, _state FROM notes ORDER BY id"

    private func compareRows(_ step: String) throws {
        let found = try cache.all(Self.shownRows) { row in
            (0..<row.columnCount).map { row.value($0) }
        }
        let expected = model.shownIDs.compactMap { id in
            model.rows[id].map { row in
                [.integer(id)] + Field.allCases.map(row.shown)
                    + [.text(row.serverID), .text(row.state)]
            }
        }
        if expected != found {
            let told = { (rows: [[Value]]) in
                rows.map { $0.map(\.shown).joined(separator: " ") }
            }
            try expect(told(expected), told(found), "the rows", step)
        }
        let books = try cache.all("SELECT id FROM books ORDER BY id") { $0.integer(0) }
        try expect(model.books.shown.sorted(), books, "the books", step)
        let largest = try syncd.largestID()
        try expect(model.largestID, largest, "the largest id", step)
        let conflicts = Int(try cache.count("SELECT count(*) FROM conflict"))
        try expect(model.conflicts, conflicts, "the number of conflicts", step)
    }

    /// `layers`: of the rows that were asked for since the last write.
    private func compareQueue(_ layers: inout [Int64: Layers], _ step: String) throws {
        let read = try cache.all(
            "SELECT row_id, kind, stage, state, fields FROM operation WHERE list = 'notes'"
        ) {
            ($0.integer(0), $0.text(1), $0.integer(2), $0.text(3), $0.integer(4))
        }
        let queue = read.compactMap { row, kind, stage, state, bits in
            Operation.Kind(rawValue: kind).flatMap { kind in
                Operation.State(rawValue: state).map {
                    (Operation(row: row, kind: kind, stage: stage, state: $0), bits)
                }
            }
        }
        let (waiting, queued) = (model.operations, queue.map(\.0).sorted())
        if waiting != queued {
            let told = { (operations: [Operation]) in
                operations.map {
                    "\($0.kind) of \($0.row), stage \($0.stage), \($0.state.rawValue)"
                }
            }
            try expect(told(waiting), told(queued), "the queue", step)
        }
        for (operation, bits) in queue {
            let expected = model.payload(of: operation)
            let found = syncd.payload(
                of: operation, in: try known(operation.row, &layers))
            try expect(
                expected, found, "what \(operation.kind) of \(operation.row) says", step)
            guard operation.kind == .update, !operation.state.isUnsent else { continue }
            try expect(
                expected.keys.reduce(0) { $0 | $1.bit }, bits,
                "the bits of what was sent of \(operation.row)", step)
        }
    }

    private func known(_ row: Int64, _ layers: inout [Int64: Layers]) throws -> Layers {
        if let known = layers[row] { return known }
        let read = try syncd.layers(row)
        layers[row] = read
        return read
    }

    private func compareLayers(_ layers: inout [Int64: Layers], _ step: String) throws {
        for id in model.ids {
            guard let row = model.rows[id], row.serverID != nil else { continue }
            let found = try known(id, &layers)
            try expect(
                Field.written.filter { row.waiting[$0] != nil }, found.waiting,
                "the fields of \(id) that wait", step)
            try expect(row.base, found.base ?? [:], "what lies beneath \(id)", step)
        }
    }

    private func expectNothing(_ query: String, _ step: String) throws {
        let found = try cache.all(query) { "\($0.text(0)): row \($0.integer(1))" }
        try expect([], found, "what may not be", step)
    }

    private static let isLeaving = """
        SELECT 1 FROM operation
        WHERE list = 'notes' AND row_id = %.id AND kind = 'delete' AND state <> 'rejected'
        """

    /// The bookkeeping of each row is right when a statement ends, and a row is shown or hidden. That no
    /// operation is of another list lets the index find those of a row.
    private static let heldAtOnce: String = {
        // A delete comes last. Beside min(), the other columns are those of the operation which has it.
        let first = """
            (SELECT coalesce(state, 'synced'), last_error FROM (
                SELECT state, last_error, min(iif(kind = 'delete', 1 << 60, 0) + seq) FROM operation
                WHERE list = 'notes' AND row_id = notes.id))
            """
        return """
            SELECT 'another state or error', id FROM notes WHERE (_state, _error) IS NOT \(first)
            UNION ALL SELECT 'another server id', id FROM notes
                WHERE _server_id IS NOT (SELECT server_id FROM s_notes WHERE s_notes.id = notes.id)
            UNION ALL SELECT 'no time', id FROM notes WHERE _added_at IS NULL
            UNION ALL SELECT 'a flag is up', 0 FROM control WHERE applying IS NOT NULL
            UNION ALL SELECT 'shown and hidden', id FROM d_notes WHERE id IN (SELECT id FROM notes)
            UNION ALL SELECT 'hidden without a delete', id FROM d_notes
                WHERE NOT EXISTS (\(isLeaving.replacing("%", with: "d_notes")))
            UNION ALL SELECT 'shown with a delete', id FROM notes
                WHERE EXISTS (\(isLeaving.replacing("%", with: "notes")))
            UNION ALL SELECT 'an operation without a row', row_id FROM operation
                WHERE list = 'notes' AND NOT EXISTS (SELECT 1 FROM notes WHERE id = row_id)
                    AND NOT EXISTS (SELECT 1 FROM d_notes WHERE id = row_id)
            UNION ALL SELECT 'of another list', row_id FROM operation WHERE list NOT IN ('notes', 'books')
            """
    }()

    /// The last entry of the change log about each row, and about each operation, tells what is shown.
    private static let toldOtherwise = """
        SELECT 'told otherwise', notes.id FROM notes WHERE NOT EXISTS (
            SELECT 1 FROM change WHERE change <> 'removed' AND title IS notes.title AND state IS notes._state
                AND rev = (SELECT max(rev) FROM change WHERE list = 'notes' AND row_id = notes.id))
        UNION ALL SELECT 'not told as removed', row_id FROM change
            WHERE list = 'notes' AND change <> 'removed' AND row_id NOT IN (SELECT id FROM notes)
                AND NOT EXISTS (SELECT 1 FROM change AS later
                    WHERE later.rev > change.rev AND later.list = 'notes' AND later.row_id = change.row_id)
        UNION ALL SELECT 'operation told otherwise', seq FROM operation WHERE NOT EXISTS (
            SELECT 1 FROM change WHERE change <> 'removed' AND state IS operation.state AND op IS operation.kind
                AND rev = (SELECT max(rev) FROM change WHERE list = 'outbox' AND row_id = operation.seq))
        UNION ALL SELECT 'operation not told as removed', row_id FROM change
            WHERE list = 'outbox' AND change <> 'removed' AND row_id NOT IN (SELECT seq FROM operation)
                AND NOT EXISTS (SELECT 1 FROM change AS later
                    WHERE later.rev > change.rev AND later.list = 'outbox' AND later.row_id = change.row_id)
        """

    private static let heldAfterLook = """
        SELECT 'withdrawn', row_id FROM withdrawn WHERE list = 'notes'
        UNION ALL SELECT 'wrong bits', row_id FROM operation
            WHERE list = 'notes' AND (fields NOT BETWEEN 0 AND 15 OR kind <> 'update' AND fields <> 0)
        UNION ALL SELECT 'a lost row of the server', known.id FROM s_notes AS known
            WHERE NOT EXISTS (SELECT 1 FROM notes WHERE id = known.id AND _server_id = known.server_id)
                AND NOT EXISTS (SELECT 1 FROM d_notes AS hidden
                    WHERE hidden.id = known.id AND hidden.server_id = known.server_id)
        UNION ALL SELECT 'a row of nobody', id FROM notes WHERE _server_id IS NULL
            AND NOT EXISTS (SELECT 1 FROM operation 
                WHERE list = 'notes' AND row_id = notes.id AND kind = 'create')
        UNION ALL SELECT 'a create of a row of the server', row_id FROM operation
            WHERE list = 'notes' AND kind = 'create' AND row_id IN (SELECT id FROM s_notes)
        """
}
