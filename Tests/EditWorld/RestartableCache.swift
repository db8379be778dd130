import Declarations
import Host
import Migrations
import SQLite
import Store
import Tables
import TestSupport

/// A cache in memory that is used again: making one takes longer than a run.
///
/// When syncd dies, what is committed then is kept, and comes back when it starts again, whatever its process has
/// gone on to do. What only the process knew is gone. Only what the store keeps of the last list's bytes stays,
/// and no two lives get the same bytes.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
class RestartableCache: @unchecked Sendable {
    let store: CacheStore
    let tables: [ListTable]
    private let blank: [Content]
    /// What a process that died has left.
    private var left: [Content]?
    /// How many runs it has had.
    private(set) var runs = 0

    /// What a table holds.
    private struct Content: Sendable, Hashable {
        let name: String
        let rows: [[Value]]
    }

    init(_ tables: [ListTable], executor: QueueExecutor) throws {
        self.tables = tables
        store = try CacheStore(
            .memory, migrations: Migration.all, maxBodyBytes: 1 << 20, executor: executor,
            patience: .seconds(2), now: WallTime(milliseconds: 0), whileMigrating: {})
        blank = try store.assumeIsolated { store in
            try store.bring(to: tables)
            return try store.withConnection { try Self.contents(of: $0) }
        }
    }

    /// Every table but those of the movies, which stay empty. An operation comes before its row, so that the triggers
    /// on it find none; what they write into the change log is replaced after that, and so is what they derive from
    /// documents.
    private static func contents(of connection: Connection) throws -> [Content] {
        let names = try connection.all(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT GLOB '*movie*'
                AND (name NOT GLOB 'sqlite_*' OR name = 'sqlite_sequence')
            ORDER BY name = 'sqlite_sequence', name IN ('change', 'row_change'),
                name GLOB 'r_*' OR name GLOB 'touched_*', name <> 'operation'
            """
        ) { $0.text(0) }
        return try names.filter { $0 != "control" }.map { name in
            Content(
                name: name,
                rows: try connection.all("SELECT * FROM \"\(name)\"") { row in
                    (0..<row.columnCount).map { row.value($0) }
                })
        }
    }

    /// What stands in the cache, with the store's own connection.
    func with<Result: Sendable>(
        _ body: @Sendable (Connection) throws -> Result
    ) throws -> Result {
        try store.assumeIsolated { try $0.withConnection(body) }
    }

    /// A new cache. The store keeps the last list's bytes, which no other run gets.
    func empty() throws {
        left = nil
        runs += 1
        try become(blank)
    }

    /// Whether syncd is dead now: not while a commit is under way, which is made or not.
    func die() throws -> Bool {
        left = try with { connection in
            connection.isInTransaction ? nil : try Self.contents(of: connection)
        }
        return left != nil
    }

    /// A new process opens what the last one has left.
    func reopen() throws {
        guard let left else { return }
        try become(left)
        let found = try with { try Self.contents(of: $0) }
        if let other = zip(found, left).first(where: { $0 != $1 }) {
            throw RestartableCacheError.differs(other.0.name)
        }
        self.left = nil
    }

    private func become(_ contents: [Content]) throws {
        let lists = Set(tables.map { $0.declaration.name.text })
        try with { connection in
            try connection.transaction {
                for content in contents {
                    if lists.contains(content.name) { try Self.apply(content.name, connection) }
                    try connection.run("DELETE FROM \"\(content.name)\"")
                }
                for content in contents {
                    if lists.contains(content.name) { try Self.apply(content.name, connection) }
                    // What triggers have written meanwhile.
                    try connection.run("DELETE FROM \"\(content.name)\"")
                    for row in content.rows {
                        let places = row.map { _ in "?" }.joined(separator: ", ")
                        try connection.run(
                            "INSERT INTO \"\(content.name)\" VALUES (\(places))", row)
                    }
                }
                for table in tables where table.touchedStatements?.words != nil {
                    for sql in table.fullTextStatements?.rebuild ?? [] { try connection.run(sql) }
                    // A noted row was not in it as it is.
                    let name = table.declaration.name
                    try connection.run(
                        "DELETE FROM \(name)_search WHERE rowid IN (SELECT key FROM touched_\(name))"
                    )
                }
                try connection.run(
                    """
                    UPDATE control SET applying = NULL, paused = NULL, rewriting = NULL, returning_row = NULL
                    """)
            }
            let names = try connection.all(
                "SELECT name FROM temp.sqlite_schema WHERE type = 'table'"
            ) { $0.text(0) }
            for name in names { try connection.run("DELETE FROM temp.\"\(name)\"") }
        }
    }

    /// What is written to this list from now on is syncd's, and no program's.
    private static func apply(_ list: String, _ connection: Connection) throws {
        try connection.run("UPDATE control SET applying = ?", [.text(list)])
    }
}

/// The cache could not be brought to what a process has left.
enum RestartableCacheError: Error {
    case differs(String)
}
