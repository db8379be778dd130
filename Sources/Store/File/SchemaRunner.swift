internal import Host
package import Migrations
package import SQLite

/// Brings a database to the newest schema, or says why it must not be touched.
package struct SchemaRunner {
    /// `synd` in ASCII, in the file's header (https://www.sqlite.org/fileformat.html#application_id).
    package static let applicationID: Int64 = 0x7379_6e64

    let path: String
    let migrations: [Migration]

    /// Of the file at `path`; empty where no copy of an older schema is to be kept.
    package init(path: String, migrations: [Migration]) {
        self.path = path
        self.migrations = migrations
    }

    /// What stands in the file, read without changing it.
    package enum Finding: Sendable, Equatable {
        case empty
        /// Ours; so many of the known migrations are applied.
        case ours(applied: Int)

        var applied: Int {
            switch self {
            case .empty: 0
            case .ours(let applied): applied
            }
        }
    }

    /// Reads whose file this is; throws where it is not ours, newer, or edited.
    package func inspect(_ connection: Connection) throws -> Finding {
        let objects = try connection.count("SELECT count(*) FROM sqlite_schema")
        let application = try connection.count("PRAGMA application_id")
        if objects == 0, application == 0 || application == Self.applicationID { return .empty }
        // A database restored from a dump has lost the number in its header, but not the table.
        let columns = try connection.count(
            """
            SELECT count(*) FROM pragma_table_info('migration')
            WHERE name IN ('version', 'name', 'text', 'applied_at')
            """)
        guard columns == 4, application == 0 || application == Self.applicationID else {
            throw StoreError.foreignDatabase(path: path)
        }
        let applied = try connection.all(
            "SELECT version, name, text FROM migration ORDER BY version"
        ) { Migration(version: Int($0.integer(0)), name: $0.text(1), text: $0.text(2)) }
        guard let newest = applied.last?.version else {
            throw StoreError.foreignDatabase(path: path)
        }
        if newest > migrations.count {
            throw StoreError.newerSchema(path: path, found: newest, known: migrations.count)
        }
        for (known, found) in zip(migrations, applied) where known != found {
            throw StoreError.editedMigration(version: found.version, name: found.name)
        }
        return .ours(applied: applied.count)
    }

    /// Applies what is missing, each migration in a transaction of its own, after a copy of a
    /// file that holds data already, and with the first one the tables of the presets. `wallMilliseconds` is
    /// written beside each.
    package func migrate(_ connection: Connection, from finding: Finding, wallMilliseconds: Int64)
        throws
    {
        if finding.applied > 0, finding.applied < migrations.count {
            try keepSnapshot(connection, of: finding.applied)
        }
        // What is applied needs no look under the write lock: opening waits for no writer.
        for migration in migrations.dropFirst(finding.applied) {
            try connection.transaction {
                try apply(migration, to: connection, wallMilliseconds: wallMilliseconds)
                // Nobody is to see a cache without the lists that ship with it.
                try makePresets(connection)
            }
        }
    }

    private func makePresets(_ connection: Connection) throws {
        // The first migration has them made; another process may have come first.
        guard try connection.count("SELECT EXISTS (SELECT 1 FROM declared_list)") == 0 else {
            return
        }
        try ListSchema(connection: connection).bring(to: ListSchema.presets)
    }

    private func apply(
        _ migration: Migration, to connection: Connection, wallMilliseconds: Int64
    ) throws {
        // Another process may have come first while this one waited for the lock.
        guard try inspect(connection).applied < migration.version else { return }
        if migration.version == 1 {
            try connection.execute(script: Self.migrationTable)
        }
        try connection.execute(script: migration.text)
        try connection.run(
            "INSERT INTO migration (version, name, text, applied_at) VALUES (?, ?, ?, ?)",
            .integer(migration.version), .text(migration.name), .text(migration.text),
            .integer(wallMilliseconds))
    }

    /// The pragma writes the file's header inside the transaction of the first migration.
    private static let migrationTable = """
        PRAGMA application_id = 0x73796e64;
        CREATE TABLE migration (
            version INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            text TEXT NOT NULL,
            applied_at INTEGER NOT NULL
        ) STRICT;
        """

    private func keepSnapshot(_ connection: Connection, of applied: Int) throws {
        guard !path.isEmpty else { return }
        // A copy from an earlier try of the same migration stands already; it is as good.
        let copy = DraftedFile("\(path).before-\(applied + 1)")
        guard !copy.exists else { return }
        try copy.write(mode: PathStatus.mode(path), replaces: true) { draft in
            try connection.run("VACUUM INTO ?", .text(draft))
        }
    }
}
