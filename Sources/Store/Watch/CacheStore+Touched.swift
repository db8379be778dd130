internal import Declarations
internal import Host
internal import SQLite
internal import Tables

/// The full text and the history of lists that programs write to follow in every commit of syncd.
extension CacheStore {
    /// The lists that have something to follow. Another process can have made a table.
    private func touchable() throws -> [(list: ListName, statements: TouchedStatements)] {
        let version = try connection.count("PRAGMA schema_version")
        if let touching, touching.version == version { return touching.lists }
        let count = try connection.countTables(like: "touched_*")
        let made = count == 0 ? [] : try ListSchema(connection: connection).made()
        let lists = made.compactMap { table in
            table.touchedStatements.map { (table.declaration.name, $0) }
        }
        touching = (version, lists)
        return lists
    }

    private func touched() throws -> [(list: ListName, statements: TouchedStatements)] {
        try touchable().filter { try connection.count($0.statements.exists) == 1 }
    }

    /// Inside a transaction that writes.
    func followTouched() throws {
        for (list, statements) in try touched() {
            if let words = statements.words {
                try ListIndex(connection: connection, statements: words).update()
            }
            if let remember = statements.remember, try hasPulled(list) {
                let now = try connection.count(
                    "SELECT CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)")
                try ListHistory(connection: connection, listName: list)
                    .add(remember, now: WallTime(milliseconds: now))
            }
            try connection.run(statements.clear)
        }
    }

    /// What programs have written is found, and told of, though no server be there. If one of them is writing, the
    /// next look does it.
    func followWritesOfOthers() throws(StoreError) {
        do throws(StoreError) {
            guard try read({ try !touched().isEmpty }) else { return }
            try write(.normal) {}
        } catch {
            guard error == .busy || error == .diskFull else { throw error }
        }
    }

    /// Before the first list, every row would have come.
    private func hasPulled(_ list: ListName) throws -> Bool {
        try connection.count(
            "SELECT EXISTS (SELECT 1 FROM sync_state WHERE list = ? AND pulled_boot IS NOT NULL)",
            .text(list.text)) == 1
    }
}
