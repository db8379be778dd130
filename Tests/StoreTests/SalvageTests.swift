import CFaultVFS
import Foundation
import Glibc
import Migrations
import Recovery
import Rules
import SQLite
import Store
import TestSupport
import Testing

/// A cache with a queue in every state, closed, as a test damages it.
struct DamagedCache {
    let directory: ScratchDirectory
    var path: String { directory.database }

    /// With `inTheLog`, the queue stands in the write-ahead log; else all is in the file.
    init(inTheLog: Bool = false, todos count: Int = 4) async throws {
        directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        let store = try Cache.open(.file(directory.database))
        try await store.bind(to: demo)
        try await store.pull(list((1...6).map { ($0, "pulled \($0)") }))
        try await store.pull(movies: [movies(1...3)])
        if inTheLog { try directory.sqlite("PRAGMA wal_checkpoint(TRUNCATE)") }
        _ = try await store.create("rejected", in: .rejected)
        _ = try await store.create("under way", in: .sending)
        _ = try await store.create("lost", in: .inDoubt)
        _ = try await store.delete(TodoID(rawValue: 2), in: .queued)
        for number in 1...count { _ = try await store.add("new \(number)") }
        if !inTheLog { try directory.sqlite("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// One as an older syncd left it, after a script has written to it.
    init(ofVersion version: Int, _ sql: String) async throws {
        directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        _ = try Cache.open(
            .file(directory.database), migrations: Array(Migration.all.prefix(version)))
        try directory.sqlite(sql + "; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Another one with these bytes.
    init(copyOf file: [UInt8], log: [UInt8]) throws {
        directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        try write(file)
        try write(log, "-wal")
    }

    func bytes(_ suffix: String = "") throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + suffix)))
    }

    func write(_ bytes: [UInt8], _ suffix: String = "") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + suffix))
    }

    func salvage(isSuspicious: Bool = true) throws(StoreError) -> SalvageReport? {
        try Salvage(of: path, migrations: Migration.all, wall: noon, now: boot(9000))
            .run(isSuspicious: isSuspicious).report
    }

    /// Flips bits at the beginning of the first page of a table, past the log.
    func spoil(_ table: String) throws {
        let start = (try root(of: table) - 1) * 4096
        var bytes = try bytes()
        for offset in start..<start + 8 { bytes[offset] ^= 0x55 }
        try write(bytes)
    }

    /// The first page of a table, counted from 1.
    func root(of table: String) throws -> Int {
        let connection = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
        connection.keepWALOnClose()
        return Int(
            try connection.count(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?", .text(table)))
    }
}

/// The queue as a person sees it.
let queueQuery = """
    SELECT op, outbox.title, outbox.state, idempotency_key FROM outbox ORDER BY seq
    """

extension CacheStore {
    fileprivate func queue() throws(StoreError) -> [String] {
        try withConnection { try $0.rows(queueQuery) }
    }
}

@Suite struct `a damaged cache` {
    @Test func `a sound one is left alone`() async throws {
        let cache = try await DamagedCache()
        let before = try cache.bytes()
        #expect(try cache.salvage() == nil)
        #expect(try cache.bytes() == before)
        #expect(try DamagedCacheFiles(cache).corrupt == [])
    }

    /// The kernel says EIO once, and the disk has the page all the same.
    @Test func `D1: a read that failed once is no damage`() async throws {
        try #require(fault_vfs_install() == 0)
        let cache = try await DamagedCache()
        // A machine that no other test uses, and both its owners.
        let owners: [Int32] = [8, 9]
        fault_vfs_watch(8, cache.path)
        defer { for owner in owners { fault_vfs_calm(owner) } }
        for number in 1...60 {
            for owner in owners { fault_vfs_fail_read(owner, number) }
            #expect((try? cache.salvage()) == nil, "read \(number)")
        }
        for owner in owners { fault_vfs_calm(owner) }
        #expect(try DamagedCacheFiles(cache).corrupt == [])
        #expect(try cache.salvage() == nil)
    }

    @Test func `D3: what can be read of the queue is kept column by column`() async throws {
        let cache = try await DamagedCache()
        let query = "SELECT * FROM operation ORDER BY seq"
        let queue = try await Cache.open(.file(cache.path)).withConnection { try $0.rows(query) }
        let todos = try await Cache.open(.file(cache.path)).withConnection {
            try $0.rows("SELECT * FROM \(EveryTodo.rows) ORDER BY id")
        }
        try cache.directory.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        try cache.spoil("movies")
        let report = try #require(try cache.salvage())
        #expect(report.losses == [])
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.withConnection { try $0.rows(query) } == queue)
        let saved = try await store.withConnection {
            try $0.rows("SELECT * FROM \(EveryTodo.rows) ORDER BY id")
        }
        #expect(saved == todos)
    }

    @Test(arguments: [false, true])
    func `it is moved aside, and the queue is whole`(inTheLog: Bool) async throws {
        let cache = try await DamagedCache(inTheLog: inTheLog)
        let before = try await Cache.open(.file(cache.path)).queue()
        try cache.spoil("movies")
        let damaged = try cache.bytes()
        let report = try #require(try cache.salvage())
        #expect(report.losses == [])
        #expect(report.isClosed)
        #expect(report.operations == before.count)
        #expect(report.movedTo == cache.path + ".corrupt-2023-11-14T221320Z")
        // Untouched: what closes it to writers stands in its log.
        #expect(try Data(contentsOf: URL(fileURLWithPath: report.movedTo)) == Data(damaged))
        #expect(
            try String(contentsOfFile: report.movedTo + ".txt", encoding: .utf8)
                == "\(report)\n")
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.queue() == before)
        #expect(try await store.account() == demo)
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [])
        let next = try await store.add("next")
        #expect(next == TodoID(rawValue: 14))
        #expect(try cache.salvage() == nil)
    }
}

/// Rows of a queue that no damage has made unreadable, but that nobody could work with.
@Suite struct `a queue with rows that cannot be` {
    private let cache: DamagedCache

    init() async throws { cache = try await DamagedCache() }

    private func salvaged(_ sql: String) async throws -> (SalvageReport, Connection) {
        try cache.directory.sqlite(sql + "; PRAGMA wal_checkpoint(TRUNCATE)")
        try cache.spoil("movies")
        let report = try #require(try cache.salvage())
        let store = try Cache.open(.file(cache.path))
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [])
        return (
            report, try Connection(.file(cache.path), access: .readWrite, busyTimeout: .zero)
        )
    }

    @Test func `P27: the delete of a todo without a title is kept`() async throws {
        let (report, connection) = try await salvaged(
            """
            UPDATE d_todos SET c_title = '' WHERE server_id = '2';
            UPDATE s_todos SET document = '{"id":2,"title":""}' WHERE server_id = '2'
            """)
        #expect(report.losses == [])
        #expect(
            try connection.rows("SELECT op, title FROM outbox WHERE op = 'delete'") == ["delete|"])
    }

    @Test(arguments: [
        "idempotency_key = char(16) || substr(idempotency_key, 2)",
        "idempotency_key = upper(idempotency_key) || 'x'",
    ])
    func `a key that is none is made anew, and the create is in doubt`(change: String) async throws
    {
        let (_, connection) = try await salvaged(
            "UPDATE operation SET \(change) WHERE seq = (SELECT max(seq) FROM operation)")
        #expect(
            try connection.rows(
                """
                SELECT state, idempotency_key GLOB '*[^0-9a-f]*', length(idempotency_key)
                FROM operation ORDER BY seq DESC LIMIT 1
                """) == ["in doubt|0|32"])
    }

    /// The stock program writes what the cache's own rules would refuse.
    private static let careless = "PRAGMA ignore_check_constraints = ON;"

    @Test func `one in a state that there is not is in doubt, with its settling time`() async throws
    {
        let (report, connection) = try await salvaged(
            Self.careless + "UPDATE operation SET state = 'lost' WHERE state = 'in doubt'")
        #expect(
            report.losses == [
                "perhaps some rows of operation, where SQLite finds: CHECK constraint failed in operation"
            ])
        #expect(
            try connection.rows(
                """
                SELECT state, attempts, sent_ms, settling_ms FROM operation
                WHERE row_id = (SELECT id FROM \(EveryTodo.rows) WHERE title = 'lost')
                """) == ["in doubt|1|9000|20000"])
    }

    @Test func `one that nobody can read is named, and its todo is in doubt`() async throws {
        let (report, connection) = try await salvaged(
            Self.careless
                + "UPDATE operation SET kind = 'x' WHERE seq = (SELECT max(seq) FROM operation)")
        let named = report.losses.contains { $0.hasPrefix("the content of operation ") }
        #expect(named, "\(report.losses)")
        #expect(
            try connection.rows("SELECT title, state FROM todos ORDER BY id DESC LIMIT 1")
                == ["new 4|in doubt"])
    }

    @Test func `a refused delete that may be under way by now hides its row`() async throws {
        let (_, connection) = try await salvaged(
            """
            UPDATE control SET applying = 'todos';
            INSERT INTO todos (id, title, server_id, state, error)
            SELECT id, c_title, server_id, 'rejected', 'no' FROM d_todos;
            DELETE FROM d_todos;
            UPDATE operation SET state = 'rejected', last_error = 'no', attempts = 1,
                idempotency_key = 'none' WHERE kind = 'delete';
            UPDATE control SET applying = NULL
            """)
        #expect(
            try connection.rows("SELECT todo_id, state FROM outbox WHERE op = 'delete'")
                == ["2|in doubt"])
        #expect(try connection.rows("SELECT id FROM todos WHERE id = 2") == [])
        #expect(try connection.rows("SELECT * FROM invariant_todos_hidden") == [])
    }

    @Test func `a delete waits behind a create that is in doubt`() async throws {
        let (report, connection) = try await salvaged(
            """
            INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
            SELECT 'todos', 'delete', id, lower(hex(randomblob(16))), 0 FROM \(EveryTodo.rows) WHERE title = 'new 1'
            """)
        #expect(report.losses == [])
        #expect(
            try connection.rows("SELECT op, state FROM outbox WHERE title = 'new 1' ORDER BY op")
                == ["create|in doubt", "delete|queued"])
    }

    @Test func `of todos without a usable title the operations go, and are named`() async throws {
        let (report, connection) = try await salvaged(
            """
            UPDATE control SET applying = 'todos'; UPDATE todos SET title = '' WHERE title = 'new 2';
            UPDATE control SET applying = NULL
            """)
        #expect(report.losses == ["the title of todo 11"])
        #expect(try connection.rows("SELECT count(*) FROM outbox WHERE title = ''") == ["0"])
    }

    @Test(arguments: [
        "sent_ms = 1 << 50 WHERE state = 'in doubt'",
        "first_sent_ms = 1 << 50 WHERE state = 'in doubt'",
        "wait_boot = 'first', wait_ms = 1 << 50 WHERE state IN ('queued', 'in doubt')",
    ])
    func `no moment of this boot lies further ahead than one can`(change: String) async throws {
        let (_, connection) = try await salvaged("UPDATE operation SET \(change)")
        #expect(
            try connection.rows(
                """
                SELECT seq, kind, state, sent_ms, first_sent_ms, wait_ms FROM operation
                WHERE sent_boot = 'first' AND sent_ms > 9000
                    OR first_sent_boot = 'first' AND first_sent_ms > 9000
                    OR wait_boot = 'first' AND wait_ms > 9000 + 3600000
                """) == [])
    }
}

/// What lies beside a cache.
struct DamagedCacheFiles {
    let names: [String]
    init(_ cache: DamagedCache) throws { names = cache.directory.names }
    var corrupt: [String] { names.filter { $0.contains("corrupt") } }
}
