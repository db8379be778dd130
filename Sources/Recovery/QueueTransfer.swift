internal import Host
internal import SQLite
internal import Store

/// Takes what SQLite can read of the queue of a damaged cache to a new one, with the rows of every list that
/// programs write to.
///
/// Rows are copied as they are, with every column that both files have. A row of the queue that the
/// new cache refuses, or that breaks a law of it, is in doubt: it may have been sent, and the next
/// pulls decide that before anything is sent again. What cannot be copied is named in ``losses``.
struct QueueTransfer {
    let old: TableScan
    let new: Connection
    let now: BootTime
    /// Every list of the old cache whose name could be read, and those that each cache has.
    var names = Set(SalvagedList.presets)
    /// Those whose declaration is known.
    var declared = Set(SalvagedList.presets)
    /// Those among them that programs write to.
    var lists = [SalvagedList.todos]
    /// Those that programs only read, and to whose rows others refer: no row of theirs is copied.
    private var readOnly: [SalvagedList] = []
    /// One part of a sentence each; empty where everything was read.
    var losses: [String] = []

    init(from old: Connection, to new: Connection, now: BootTime) {
        self.old = TableScan(connection: old)
        self.new = new
        self.now = now
    }

    /// Copies the accounts, the rows of lists and their operations, in one transaction of the caller.
    mutating func run() throws {
        try findLists()
        try SalvagedList.make(lists + readOnly, in: new)
        try copy("account", told: { _ in Self.nameOfAccount }) { transfer, row in
            guard try !transfer.insert(row, into: "account") else { return }
            transfer.lose(Self.nameOfAccount)
        }
        for list in lists {
            try new.beginApplying(to: list.name)
            try copy(list)
        }
        try new.endApplying()
        try copy("operation", least: Self.least, told: Gap.tell("operation")) { transfer, row in
            try transfer.takeOperation(row)
        }
        try copy("conflict", told: Gap.tell("conflict")) { transfer, row in
            _ = try transfer.insert(row, into: "conflict")
        }
        try keepNumbers()
        try mend()
        for sql in lists.flatMap(\.noteReferences) { try new.run(sql) }
        // Who follows the log reads everything anew, under numbers that go on.
        try new.run("DELETE FROM change")
        for name in names.sorted() + ["outbox"] {
            try new.run("INSERT INTO change (list, change) VALUES (?, 'reset')", .text(name))
        }
    }

    mutating func lose(_ part: String) {
        if !losses.contains(part) { losses.append(part) }
    }

    // MARK: Lists

    /// A declaration whose columns the table does not have is not the one that it was made from.
    private mutating func findLists() throws {
        var found = lists
        for name in try old.keys("name", of: "declared_list") {
            names.insert(name)
            guard !declared.contains(name), let list = try list(name) else { continue }
            declared.insert(name)
            found.append(list)
        }
        let known = found.map { $0.referring(to: found) }
        lists = known.filter(\.isWritable)
        readOnly = known.filter { list in
            !list.isWritable && known.contains { $0.refers(to: list) }
        }
    }

    private func list(_ name: String) throws -> SalvagedList? {
        let query = "SELECT declaration FROM declared_list WHERE name = ?"
        let text = try old.readable {
            try old.connection.first(query, .text(name)) { $0.text(0) }
        }
        guard let text = text ?? nil, let list = SalvagedList(name: name, declaration: text) else {
            return nil
        }
        let columns = try old.readable {
            try TableScan.columns(of: list.shown, in: old.connection)
        }
        // Of a table that cannot be read, no row is copied.
        guard let columns, !columns.isEmpty else { return list }
        return list.ownColumns.isSubset(of: columns) ? list : nil
    }

    private mutating func copy(_ list: SalvagedList) throws {
        // A person knows no other table of a list than one.
        let told =
            list.name == SalvagedList.todos.name
            ? Gap.tell("todo") : Gap.tell("row", of: list.name)
        try copy(list.known, told: told) { transfer, row in try transfer.takeKnown(row, of: list) }
        try copy(list.shown, told: told) { transfer, row in try transfer.takeShown(row, of: list) }
        try copy(list.hidden, told: told) { transfer, row in
            _ = try transfer.insert(row, into: list.hidden)
        }
    }

    private typealias Gap = TableScan.Gap

    private mutating func copy(
        _ table: String, least: [String] = [], told: (Gap) -> String,
        _ take: (inout QueueTransfer, TableScan.Row) throws -> Void
    ) throws {
        let columns = Set(try TableScan.columns(of: table, in: new))
        if let gap = try old.missingRows(
            of: table, columns, least: least, take: { try take(&self, $0) })
        {
            lose(told(gap))
        }
    }

    private static let nameOfAccount = "the name of its account"

    // MARK: Rows

    /// Whether the new cache takes the row.
    private func insert(_ row: TableScan.Row, into table: String) throws -> Bool {
        let names = row.keys.sorted()
        let list = names.map(TableScan.quoted).joined(separator: ", ")
        let places = names.map { _ in "?" }.joined(separator: ", ")
        do throws(SQLiteError) {
            try new.run(
                "INSERT INTO \(TableScan.quoted(table)) (\(list)) VALUES (\(places))",
                names.map { row[$0] ?? .null })
            return true
        } catch {
            guard error.code.primary == .constraint else { throw error }
            return false
        }
    }

    /// Where the row is not taken, what the server sent of it is left out: ``mend()`` makes that
    /// anew. An operation of a row that is not taken at all is named later.
    private func takeKnown(_ row: TableScan.Row, of list: SalvagedList) throws {
        guard try !insert(row, into: list.known) else { return }
        var rest = row.filter { ["id", "server_id"].contains($0.key) }
        rest["document"] = .text("null")
        _ = try insert(rest, into: list.known)
    }

    private func takeShown(_ row: TableScan.Row, of list: SalvagedList) throws {
        guard try !insert(row, into: list.shown) else { return }
        _ = try insert(row.filter { list.ownColumns.contains($0.key) }, into: list.shown)
    }

    private mutating func takeOperation(_ row: TableScan.Row) throws {
        guard hasList(row) else { return lose(operation: row) }
        guard try !insert(row, into: "operation") else { return }
        var rest = row.filter { (Self.least + ["settling_ms"]).contains($0.key) }
        // Its key is not usable, which puts it in doubt.
        rest["idempotency_key"] = .text("")
        rest["queued_at"] = .integer(0)
        // Of an update that may have been sent, pulls show what arrived: each column may be an edit.
        if rest["kind"] == .text("update") { rest["fields"] = .integer(-1) }
        guard try !insert(rest, into: "operation") else { return }
        lose(operation: row)
    }

    /// What of an operation tells whose it is.
    private static let least = ["seq", "list", "kind", "row_id"]

    /// Whether the new cache has a table with rows of the operation's list. What is no name is refused later.
    private mutating func hasList(_ operation: TableScan.Row) -> Bool {
        guard case .text(let name) = operation["list"] else { return true }
        if !declared.contains(name) { lose("the declaration of \(name)") }
        return lists.contains { $0.name == name }
    }

    private mutating func lose(operation: TableScan.Row) {
        if case .integer(let sequence) = operation["seq"] { lose(operation: sequence) }
    }

    mutating func lose(operation: Int64) {
        losses.append("the content of operation \(operation)")
    }

    /// A number is never given twice. Where the last one cannot be read, so many are left out.
    private static let skippedNumbers: Int64 = 100_000

    private func keepNumbers() throws {
        let given = try old.readable {
            try old.connection.all(
                """
                SELECT name, seq FROM sqlite_sequence WHERE seq < 1 << 60
                UNION ALL SELECT list, id FROM highest_id WHERE id < 1 << 60
                """
            ) { (table: $0.text(0), number: $0.integer(1)) }
        }
        let tables = try new.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
        ) { $0.text(0) }
        for table in tables {
            let highest = "SELECT max(rowid) FROM \(TableScan.quoted(table))"
            let list = lists.first { $0.shown == table }
            let newest = try new.count(list?.lastID ?? highest)
            let last = given?.filter { $0.table == table }.map(\.number).max() ?? 0
            let floor = given == nil ? newest + Self.skippedNumbers : newest
            try new.run("DELETE FROM sqlite_sequence WHERE name = ?", .text(table))
            try new.run(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(table),
                .integer(max(last, floor)))
            if list != nil {
                try new.run(
                    """
                    INSERT INTO highest_id (list, id) VALUES (?1, ?2)
                    ON CONFLICT (list) DO UPDATE SET id = max(id, ?2)
                    """, .text(table), .integer(max(last, floor)))
            }
        }
    }
}

extension TableScan.Gap {
    /// As a part of a sentence; one row is a `word` of `list`.
    fileprivate static func tell(_ word: String, of list: String? = nil) -> (Self) -> String {
        let of = list.map { " of \($0)" } ?? ""
        return { gap in
            switch gap {
            case .every: "every \(word)\(of)"
            case .after(let low): "each \(word)\(of) after \(low)"
            case .before(let high): "each \(word)\(of) before \(high)"
            case .between(let low, let high):
                high - low == 2
                    ? "\(word) \(low + 1)\(of)" : "\(word)s \(low + 1) to \(high - 1)\(of)"
            case .some(let finding):
                "perhaps some rows of \(list ?? word), where SQLite finds: \(finding)"
            }
        }
    }
}
