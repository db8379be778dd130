internal import SQLite
internal import Store
internal import Text

/// Reads tables of a damaged file as far as SQLite reads them.
struct TableScan {
    let connection: Connection

    /// The values of a row by the names of their columns.
    typealias Row = [String: Value]

    /// Which rows of a table could not be read.
    enum Gap: Hashable {
        case every
        case after(Int64)
        case before(Int64)
        case between(Int64, Int64)
        /// Nobody knows; what SQLite finds there.
        case some(String)
    }

    /// Hands over the rows of `table`, each with those of `columns` that the file has: from the
    /// table's beginning, and where SQLite does not go on, from its end up to there. A row that it does not read
    /// whole is handed over with the columns of `least`, if there are any and it reads them all.
    ///
    /// Returns which rows are missing; nil where none is.
    func missingRows(
        of table: String, _ columns: Set<String>, least: [String] = [],
        take: (Row) throws -> Void
    ) throws -> Gap? {
        let present = try readable { try Self.columns(of: table, in: connection) } ?? []
        let names = present.filter { columns.contains($0) }
        guard !names.isEmpty else { return .every }
        let list = names.map(Self.quoted).joined(separator: ", ")
        func query(after low: Int64) -> String {
            // Other numbers were never given, and none could be given after them.
            """
            SELECT rowid, \(list) FROM \(Self.quoted(table))
            WHERE rowid > \(low) AND rowid <= 1 << 60 ORDER BY rowid
            """
        }
        var low: Int64?
        while true {
            let up = try scan(
                query(after: low ?? 0), names, isNext: { last, row in row > last ?? .min }, take)
            if up.isWhole { return try doubt(about: table) }
            low = up.last ?? low
            guard let next = try row(of: table, after: low ?? 0, least) else { break }
            try take(next.values)
            low = next.number
        }
        let down = try scan(
            query(after: low ?? 0) + " DESC", names, isNext: { last, row in row < last ?? .max },
            take)
        return Self.gap(after: low, before: down.last)
    }

    /// The row behind `low`, with the columns of `names`; nil where SQLite does not read them all.
    private func row(
        of table: String, after low: Int64, _ names: [String]
    ) throws -> (number: Int64, values: Row)? {
        guard !names.isEmpty else { return nil }
        let list = names.map(Self.quoted).joined(separator: ", ")
        let row = try readable {
            try connection.first(
                """
                SELECT rowid, \(list) FROM \(Self.quoted(table))
                WHERE rowid > \(low) AND rowid <= 1 << 60 ORDER BY rowid LIMIT 1
                """
            ) { row in
                (row.integer(0), names.indices.map { (names[$0], row.value($0 + 1)) })
            }
        }
        guard let row = row ?? nil, row.0 > low else { return nil }
        return (row.0, Dictionary(row.1) { first, _ in first })
    }

    private static func gap(after low: Int64?, before high: Int64?) -> Gap? {
        switch (low, high) {
        case (nil, nil): .every
        case (let low?, nil): .after(low)
        case (nil, let high?): .before(high)
        case (let low?, let high?): high &- low == 1 ? nil : .between(low, high)
        }
    }

    /// The texts in the first column of the key of `table`, whose rows have no numbers: as many as SQLite reads
    /// from either end, in their order.
    func keys(_ column: String, of table: String) throws -> [String] {
        var found: Set<String> = []
        let query = "SELECT \(column) FROM \(table) ORDER BY \(column)"
        for query in [query, query + " DESC"] {
            var seen: Set<String> = []
            guard let statement = try readable({ try connection.prepare(query) }) else { break }
            // In a damaged tree a page can follow itself.
            while try readable({ try statement.step() }) == true,
                seen.insert(statement.text(0)).inserted
            {}
            found.formUnion(seen)
        }
        return found.sorted()
    }

    /// Goes on as long as SQLite does, and a row is the next one: in a damaged tree a page can follow
    /// itself. Tells the last row, and whether it was the table's.
    private func scan(
        _ query: String, _ names: [String], isNext: (Int64?, Int64) -> Bool,
        _ take: (Row) throws -> Void
    ) throws -> (last: Int64?, isWhole: Bool) {
        guard let statement = try readable({ try connection.prepare(query) }) else {
            return (nil, false)
        }
        var last: Int64?
        while let isRow = try readable({ try statement.step() }) {
            guard isRow else { return (last, true) }
            let row = statement.integer(0)
            guard isNext(last, row) else { break }
            last = row
            let values = names.indices.map { (names[$0], statement.value($0 + 1)) }
            try take(Dictionary(values) { first, _ in first })
        }
        return (last, false)
    }

    /// A table that was read to its end may lack rows all the same: then SQLite's check finds
    /// something.
    private func doubt(about table: String) throws -> Gap? {
        let query =
            "SELECT integrity_check FROM pragma_integrity_check(?) WHERE integrity_check <> 'ok'"
        let found = try readable { try connection.first(query, .text(table)) { $0.text(0) } }
        // No finding is no row.
        return (found ?? "it cannot be checked").map { .some($0) }
    }

    /// What `read` returns; nil where the file is damaged there.
    func readable<Result>(_ read: () throws -> Result) throws -> Result? {
        do {
            return try read()
        } catch let error as SQLiteError where error.isUnreadable {
            return nil
        }
    }

    /// A name in SQL.
    static func quoted(_ name: String) -> String {
        name.quoted(by: "\"", escaping: "\"\"")
    }

    /// The names of the columns of `table`; none where there is no such table.
    static func columns(of table: String, in connection: Connection) throws -> [String] {
        try connection.all("SELECT name FROM pragma_table_info(?)", .text(table)) { $0.text(0) }
    }
}

extension SQLiteError {
    /// Whether the file is damaged, and not the disk, a lock or the statement at fault.
    var isDamage: Bool { [.corrupt, .notADatabase].contains(code.primary) }

    /// The same in a file that is known to be damaged: a statement that does not fit its schema finds
    /// that to be damaged.
    var isUnreadable: Bool { isDamage || code.primary == .error }
}
