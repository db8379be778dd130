internal import Glibc
internal import Host
internal import SQLite

/// What a damaged file gives back, read from a copy of it.
struct SalvageReading {
    let file: DamagedFile
    /// The path of the copy, which SQLite reads.
    let copy: String
    let now: BootTime

    /// The parts of a cache that are kept.
    struct Found {
        var queue: SalvagedQueue
        var account: [Value]?
        /// The last numbers that were given, by table.
        var sequences: [String: Int64]
        var losses: [String]

        /// Writes it all to a new cache, in one transaction of the caller.
        func insert(into connection: Connection) throws(SQLiteError) {
            if let account {
                try connection.run(
                    "INSERT INTO account (id, base_url, email) VALUES (1, ?, ?)", account)
            }
            try queue.insert(into: connection)
            // Who follows the log reads everything anew, under numbers that go on.
            try connection.run("DELETE FROM change")
            for (name, number) in sequences.sorted(by: { $0.key < $1.key }) {
                let before = try connection.count(
                    "SELECT seq FROM sqlite_sequence WHERE name = ?", .text(name))
                try connection.run("DELETE FROM sqlite_sequence WHERE name = ?", .text(name))
                try connection.run(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(name),
                    .integer(max(before, number)))
            }
            for resource in ["movies", "todos", "outbox"] {
                try connection.run(
                    "INSERT INTO change (resource, change) VALUES (?, 'reset')", .text(resource))
            }
        }
    }

    /// Where no last number can be read, so many are left out: a local id is never used again.
    private static let skippedNumbers: Int64 = 100_000

    /// Reads by the schema of the file; where that is damaged, by the one that a cache begins with.
    func read() throws -> Found {
        try file.write(to: copy)
        if let found = try read(by: .own) { return found }
        try file.write(to: copy, firstPage: firstPage())
        if let found = try read(by: .standard) { return found }
        let nothing = SalvagedQueue(
            todos: [:], operations: [:], isDoubtful: true, lastOperation: 0, now: now)
        return Found(
            queue: nothing, account: nil, sequences: Self.skipping([:], nothing),
            losses: ["the whole queue"])
    }

    private enum Schema: String {
        case own = "sqlite_sequence"
        case standard = "given_number"
    }

    private func read(by schema: Schema) throws -> Found? {
        let connection = try Connection(.file(copy), access: .readOnly, busyTimeout: .zero)
        let reader = SalvageReader(connection: connection)
        let given = reader.rows(of: schema.rawValue, "name, seq", upTo: 10)
        var sequences: [String: Int64] = [:]
        for row in given.values.values {
            guard let name = row[0].string, ["todo", "operation", "change"].contains(name),
                let number = row[1].number, number > 0, number < 1 << 60
            else { continue }
            sequences[name] = max(sequences[name] ?? 0, number)
        }
        let todos = reader.rows(of: "todo", SalvagedQueue.todoColumns, upTo: sequences["todo"])
        let operations = reader.rows(
            of: "operation", SalvagedOperation.columns, upTo: sequences["operation"])
        guard todos.isTableReadable, operations.isTableReadable else { return nil }
        let queue = SalvagedQueue(
            todos: todos.values, operations: operations.values, isDoubtful: file.isPatched,
            lastOperation: sequences["operation"] ?? Self.skippedNumbers, now: now)
        let account = reader.rows(of: "account", "base_url, email", upTo: 1).values[1]
        return Found(
            queue: queue, account: account?.allSatisfy { $0.string != nil } == true ? account : nil,
            sequences: Self.skipping(sequences, queue),
            losses: Self.losses(todos.gaps, "todo") + Self.losses(operations.gaps, "operation")
                + Self.losses(queue.orphans.map { $0...$0 }, "the content of operation"))
    }

    private static func skipping(
        _ sequences: [String: Int64], _ queue: SalvagedQueue
    ) -> [String: Int64] {
        let newest = [
            "todo": queue.todos.keys.max() ?? 0, "operation": queue.operations.keys.max() ?? 0,
            "change": 0,
        ]
        return newest.reduce(into: [:]) { all, entry in
            all[entry.key] = max(
                sequences[entry.key] ?? (entry.value + skippedNumbers), entry.value)
        }
    }

    private static func losses(_ gaps: [ClosedRange<Int64>], _ what: String) -> [String] {
        let named = gaps.prefix(10).map { gap in
            gap.count == 1
                ? "\(what) \(gap.lowerBound)" : "\(what)s \(gap.lowerBound) to \(gap.upperBound)"
        }
        return gaps.count > 10 ? named + ["\(what)s of \(gaps.count - 10) more places"] : named
    }

    /// A first page that finds the tables where the first migration has put them: they keep their
    /// places for the life of the file.
    private func firstPage() throws -> [UInt8] {
        let path = copy + ".schema"
        defer { unlink(path) }  // What stays of it is overwritten at the next time.
        unlink(path)
        let made = retryingInterrupts {
            open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard made >= 0 else { throw Snapshot.failure(path) }
        defer { close(made) }
        do {
            let connection = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
            try connection.execute(script: "PRAGMA page_size = 4096")
            for table in Self.tables {
                try connection.execute(script: "CREATE TABLE \(table)")
            }
        }
        var page = [UInt8](repeating: 0, count: WriteAheadLog.pageSize)
        let count = retryingInterrupts {
            page.withUnsafeMutableBytes { pread(made, $0.baseAddress, $0.count, 0) }
        }
        guard count == page.count else { throw Snapshot.failure(path) }
        return page
    }

    /// In the order of their first pages, from page 2 on; those that are not read have one column.
    /// A test compares them with the first migration.
    package static let tables = [
        "migration (a)", "account (id INTEGER PRIMARY KEY, base_url, email)",
        "todo (id INTEGER PRIMARY KEY, title, server_id, created_at, document)", "unread (a)",
        "given_number (name, seq)",
        """
        operation (seq INTEGER PRIMARY KEY, kind, todo_id, state, attempts, idempotency_key,
            queued_at, sent_boot, sent_ms, first_sent_boot, first_sent_ms, undecided, wait_boot,
            wait_ms, wait_shown, wait_asked, last_status, last_error)
        """,
    ]
}
