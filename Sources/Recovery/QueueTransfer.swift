internal import Host
internal import SQLite
internal import Store

/// Takes what SQLite can read of the queue of a damaged cache to a new one.
///
/// Rows are copied as they are, with every column that both files have. A row of the queue that the
/// new cache refuses, or that breaks a law of it, is in doubt: it may have been sent, and the next
/// pulls decide that before anything is sent again. What cannot be copied is named in ``losses``.
struct QueueTransfer {
    private let old: TableScan
    private let new: Connection
    private let now: BootTime
    /// One part of a sentence each; empty where everything was read.
    private(set) var losses: [String] = []

    init(from old: Connection, to new: Connection, now: BootTime) {
        self.old = TableScan(connection: old)
        self.new = new
        self.now = now
    }

    /// Copies the account, the todos and their operations, in one transaction of the caller.
    mutating func run() throws {
        try new.run("UPDATE control SET applying = 1")
        try copy("account") { transfer, row in
            guard try !transfer.insert(row, into: "account") else { return }
            transfer.losses.append(Self.nameOfAccount)
        }
        try copy("s_todos") { transfer, row in try transfer.takeKnown(row) }
        try copy("todos") { transfer, row in try transfer.takeShown(row) }
        try copy("d_todos") { transfer, row in _ = try transfer.insert(row, into: "d_todos") }
        try copy("operation") { transfer, row in try transfer.takeOperation(row) }
        try keepNumbers()
        try mendRows()
        try mendOperations()
        try mendStates()
        try new.run("UPDATE control SET applying = 0")
        // Who follows the log reads everything anew, under numbers that go on.
        try new.execute(
            script: """
                DELETE FROM change;
                INSERT INTO change (resource, change)
                VALUES ('movies', 'reset'), ('todos', 'reset'), ('outbox', 'reset');
                """)
    }

    private mutating func copy(
        _ table: String, _ take: (inout QueueTransfer, TableScan.Row) throws -> Void
    ) throws {
        let columns = Set(try TableScan.columns(of: table, in: new))
        let missing = try old.missingRows(of: table, columns) { row in try take(&self, row) }
        guard let missing else { return }
        // A person knows no other table of the todos than one.
        let told =
            table == "account"
            ? Self.nameOfAccount
            : table.hasSuffix("todos") ? missing.replacing(table, with: "todo") : missing
        if !losses.contains(told) { losses.append(told) }
    }

    private static let nameOfAccount = "the name of its account"

    // MARK: Rows

    /// Whether the new cache takes the row.
    private func insert(_ row: TableScan.Row, into table: String) throws -> Bool {
        let names = row.keys.sorted()
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = names.map { _ in "?" }.joined(separator: ", ")
        do throws(SQLiteError) {
            try new.run(
                "INSERT INTO \"\(table)\" (\(list)) VALUES (\(places))",
                names.map { row[$0] ?? .null })
            return true
        } catch {
            guard error.code.primary == .constraint else { throw error }
            return false
        }
    }

    /// Where the row is not taken, what the server sent of it is left out: ``mendRows()`` makes that
    /// anew. An operation of a row that is not taken at all is named later.
    private func takeKnown(_ row: TableScan.Row) throws {
        guard try !insert(row, into: "s_todos") else { return }
        var rest = row.filter { ["id", "server_id"].contains($0.key) }
        rest["document"] = .text("")
        _ = try insert(rest, into: "s_todos")
    }

    private func takeShown(_ row: TableScan.Row) throws {
        guard try !insert(row, into: "todos") else { return }
        _ = try insert(row.filter { ["id", "title", "server_id"].contains($0.key) }, into: "todos")
    }

    private mutating func takeOperation(_ row: TableScan.Row) throws {
        guard try !insert(row, into: "operation") else { return }
        var rest = row.filter {
            ["seq", "resource", "kind", "row_id", "settling_ms"].contains($0.key)
        }
        // Its key is not usable, which puts it in doubt.
        rest["idempotency_key"] = .text("")
        rest["queued_at"] = .integer(0)
        guard try !insert(rest, into: "operation") else { return }
        if case .integer(let sequence) = row["seq"] { lose(operation: sequence) }
    }

    private mutating func lose(operation: Int64) {
        losses.append("the content of operation \(operation)")
    }

    /// A number is never given twice. Where the last one cannot be read, so many are left out.
    private static let skippedNumbers: Int64 = 100_000

    private func keepNumbers() throws {
        let given = try old.readable {
            try old.connection.all("SELECT name, seq FROM sqlite_sequence WHERE seq < 1 << 60") {
                (table: $0.text(0), number: $0.integer(1))
            }
        }
        let tables = try new.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
        ) { $0.text(0) }
        for table in tables {
            let newest = try new.count("SELECT max(rowid) FROM \"\(table)\"")
            let last = given?.filter { $0.table == table }.map(\.number).max() ?? 0
            let floor = given == nil ? newest + Self.skippedNumbers : newest
            try new.run("DELETE FROM sqlite_sequence WHERE name = ?", .text(table))
            try new.run(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(table),
                .integer(max(last, floor)))
        }
    }

    // MARK: The laws

    /// What one of the three tables of the todos has lost, the others have.
    private mutating func mendRows() throws {
        try new.execute(script: Self.mendKnown)
        let unusable = """
            SELECT id FROM todos AS shown
            WHERE NOT EXISTS (SELECT 1 FROM s_todos WHERE s_todos.id = shown.id)
                AND (title IS NULL OR instr(title, char(0)) > 0
                    OR length(CAST(title AS BLOB)) NOT BETWEEN 1 AND \(CacheStore.maxTitleBytes))
            """
        for row in try new.all(unusable, row: { $0.integer(0) }) {
            losses.append("the title of todo \(row)")
            try new.run(
                "DELETE FROM operation WHERE resource = 'todos' AND row_id = ?", .integer(row))
            try new.run("DELETE FROM todos WHERE id = ?", .integer(row))
        }
    }

    /// Documents that are not there any more are made of titles, and rows of documents. A row whose
    /// delete is not there any more is shown; one whose delete waits is hidden.
    private static let mendKnown = """
        DELETE FROM d_todos WHERE id IN (SELECT id FROM todos);
        INSERT INTO s_todos (id, server_id, document)
        SELECT id, server_id, '' FROM todos AS shown
        WHERE server_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM s_todos
            WHERE s_todos.id = shown.id OR s_todos.server_id = shown.server_id);
        INSERT INTO s_todos (id, server_id, document)
        SELECT id, server_id, '' FROM d_todos AS hidden
        WHERE server_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM s_todos
            WHERE s_todos.id = hidden.id OR s_todos.server_id = hidden.server_id);
        UPDATE s_todos SET document = json_object('id', iif(
                CAST(CAST(server_id AS INTEGER) AS TEXT) = server_id,
                CAST(server_id AS INTEGER), server_id),
            'title', coalesce((SELECT title FROM todos AS shown WHERE shown.id = s_todos.id),
                (SELECT c_title FROM d_todos AS hidden WHERE hidden.id = s_todos.id)))
        WHERE EXISTS (SELECT 1 FROM todos AS shown
                WHERE shown.id = s_todos.id AND shown.title IS NOT NULL
                UNION ALL SELECT 1 FROM d_todos AS hidden
                WHERE hidden.id = s_todos.id AND hidden.c_title IS NOT NULL)
            AND (NOT json_valid(document)
                OR CAST(iif(json_valid(document), document ->> '$.id', NULL) AS TEXT) IS NOT server_id
                OR iif(json_valid(document), document ->> '$.title', NULL) IS NOT coalesce(
                    (SELECT title FROM todos AS shown WHERE shown.id = s_todos.id),
                    (SELECT c_title FROM d_todos AS hidden WHERE hidden.id = s_todos.id)));
        DELETE FROM s_todos
        WHERE NOT json_valid(document)
            OR CAST(iif(json_valid(document), document ->> '$.id', NULL) AS TEXT) IS NOT server_id
            OR iif(json_valid(document), json_type(document, '$.title'), NULL) IS NOT 'text';
        INSERT INTO todos (id, title, state, server_id)
        SELECT id, document ->> '$.title', 'synced', server_id FROM s_todos
        WHERE NOT EXISTS (SELECT 1 FROM todos AS shown WHERE shown.id = s_todos.id)
            AND NOT EXISTS (SELECT 1 FROM d_todos AS hidden WHERE hidden.id = s_todos.id);
        INSERT INTO todos (id, title, server_id, created_at)
        SELECT id, c_title, server_id, added_at FROM d_todos
        WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos'
            AND row_id = d_todos.id AND kind = 'delete' AND state <> 'rejected');
        DELETE FROM d_todos WHERE id IN (SELECT id FROM todos);
        INSERT INTO d_todos (id, c_title, server_id, added_at)
        SELECT id, title, server_id, created_at FROM todos
        WHERE id IN (SELECT row_id FROM operation
            WHERE resource = 'todos' AND kind = 'delete' AND state <> 'rejected');
        DELETE FROM todos WHERE id IN (SELECT id FROM d_todos);
        """

    /// A row shows what its operations say.
    private func mendStates() throws {
        let wrong = try new.all("SELECT offender FROM invariant_todos_state") { $0.integer(0) }
        for row in wrong {
            try new.run(CacheStore.mirrorOfTodo, .integer(row))
        }
    }

    private mutating func mendOperations() throws {
        let orphans = "SELECT offender FROM invariant_todos_row"
        for operation in try new.all(orphans, row: { $0.integer(0) }) {
            lose(operation: operation)
            try new.run("DELETE FROM operation WHERE seq = ?", .integer(operation))
        }
        // The server has the todo, so its create is done. Of a todo that it does not have there is
        // one, which may have been sent.
        try new.execute(
            script: """
                DELETE FROM operation WHERE kind = 'create'
                    AND row_id IN (SELECT offender FROM invariant_todos_synced);
                INSERT INTO operation (resource, kind, row_id, idempotency_key, queued_at)
                SELECT 'todos', 'create', offender, '', 0 FROM invariant_todos_create;
                """)
        try putInDoubt("seq IN (\(Self.unlawful))")
        // A delete waits behind a create only while that is being sent or in doubt. It has not been
        // sent itself: there is no id that it could have named.
        let waiting = "SELECT offender FROM invariant_delete_waits"
        try putInDoubt(
            """
            kind = 'create'
                AND row_id IN (SELECT row_id FROM operation WHERE seq IN (\(waiting)))
            """)
        try new.run(
            """
            UPDATE operation SET state = 'queued', undecided = 0, first_sent_boot = NULL,
                first_sent_ms = NULL WHERE seq IN (\(waiting))
            """)
    }

    /// The numbers of the operations that cannot be as they are: they break a law, bear a key that was
    /// never made here, or were sent, or wait for a moment, later than anything can.
    private static let unlawful = """
        SELECT offender FROM invariant_undecided UNION SELECT offender FROM invariant_first_attempt
        UNION SELECT offender FROM invariant_attempts UNION SELECT offender FROM invariant_wait
        UNION SELECT offender FROM invariant_reason
        UNION SELECT offender FROM invariant_operation_moments
        UNION SELECT seq FROM operation
        WHERE length(idempotency_key) <> 32 OR idempotency_key GLOB '*[^0-9a-f]*'
            OR sent_boot = ?1 AND sent_ms > ?2 OR first_sent_boot = ?1 AND first_sent_ms > ?2
            OR wait_boot = ?1 AND wait_ms > ?2 + 3600000
        """

    /// They may be under way at this moment. Their first attempt is of no boot at all, and their
    /// keys are new. So nobody relies on a server that knows the keys: pulls decide.
    private func putInDoubt(_ condition: String) throws {
        try new.run(
            """
            UPDATE operation SET state = 'in doubt', undecided = 1, attempts = max(attempts, 1),
                idempotency_key = lower(hex(randomblob(16))), sent_boot = ?1, sent_ms = ?2,
                first_sent_boot = 'before the damage', first_sent_ms = 0, wait_boot = NULL,
                wait_ms = NULL, wait_shown = NULL, wait_asked = 0, last_status = NULL,
                last_error = 'the cache was damaged, so that nobody knows whether this was sent'
            WHERE \(condition)
            """, .text(now.boot), .integer(now.milliseconds))
    }
}
