internal import CSQLite

/// Prepared statements, kept for the next time: so many bytes of those that were used last.
///
/// A statement holds the programs of all triggers that it may fire, those too whose condition never holds for it. So
/// the largest has many times the memory of the smallest.
struct StatementCache {
    private struct Entry {
        let statement: Statement
        let bytes: Int
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var bytes = 0
    private var uses: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The statement that was kept for `sql`; nil where there is none.
    mutating func statement(for sql: String) -> Statement? {
        guard let place = entries.index(forKey: sql) else { return nil }
        uses += 1
        entries.values[place].lastUse = uses
        return entries.values[place].statement
    }

    /// Keeps a statement that was just prepared, in the place of those that were used longest ago.
    mutating func keep(_ statement: Statement) {
        uses += 1
        let entry = Entry(statement: statement, bytes: statement.memory, lastUse: uses)
        entries[statement.sql] = entry
        bytes += entry.bytes
        // Down to half of it, so that not every statement has to look through all.
        if bytes > capacity { shrink(to: capacity / 2) }
    }

    /// Lets go of those that were used longest ago, but for the last. Whoever is at work on one of these still has it.
    mutating func shrink(to most: Int) {
        guard bytes > most else { return }
        for (sql, old) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
        where bytes > most && old.lastUse != uses {
            entries[sql] = nil
            bytes -= old.bytes
        }
    }

    mutating func removeAll() {
        entries.removeAll()
        bytes = 0
    }
}
