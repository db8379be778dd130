import Foundation
import Host
import Migrations
import Rules
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// Where a test's cache is: the contract is the same in both.
enum StorePlace: CaseIterable, Sendable {
    case memory
    case file
}

extension Migration {
    /// One more, which takes long enough to be told of while it works.
    static let slow = Migration(
        version: all.count + 1, name: "count_far",
        text: """
            CREATE TABLE far AS
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT 99999)
            SELECT count(*) AS n FROM number;
            """)
}

/// A cache of one test, its file in a new directory that is removed with the value.
final class Cache: Sendable {
    let store: CacheStore
    let place: StorePlace
    private let folder: TemporaryDirectory
    var directory: String { folder.path }
    var path: String { directory + "/cache.sqlite" }

    init(
        _ place: StorePlace = .file, migrations: [Migration]? = nil, maxBodyBytes: Int = 8 << 20
    ) throws {
        self.place = place
        folder = try TemporaryDirectory(in: TemporaryDirectory.inMemory)
        let path = folder.path(of: "cache.sqlite")
        if place == .file {
            let bytes = try migrations == nil ? Self.migrated.get() : Data()
            try Self.makeFile(path, bytes)
        }
        store = try Self.open(
            place == .memory ? .memory : .file(path),
            migrations: migrations ?? Migration.all, maxBodyBytes: maxBodyBytes)
    }

    /// The file of a new cache: to make its schema takes longer than most tests.
    private static let migrated = Result {
        let folder = try TemporaryDirectory(in: TemporaryDirectory.inMemory)
        let path = try folder.write("cache.sqlite")
        let store = try open(.file(path))
        let emptied = try run("/usr/bin/sqlite3", [path, "PRAGMA wal_checkpoint(TRUNCATE)"])
        try #require(emptied.status == 0, "\(emptied.errors)")
        return try withExtendedLifetime((store, folder)) {
            try Data(contentsOf: URL(filePath: path))
        }
    }

    static func makeEmptyFile(_ path: String) throws { try makeFile(path, Data()) }

    private static func makeFile(_ path: String, _ bytes: Data) throws {
        let attributes = [FileAttributeKey.posixPermissions: 0o600]
        try #require(
            FileManager.default.createFile(atPath: path, contents: bytes, attributes: attributes))
    }

    static func open(
        _ place: CacheStore.Place, migrations: [Migration] = Migration.all,
        maxBodyBytes: Int = 8 << 20, examined: sending Connection? = nil,
        whileMigrating: @Sendable () -> Void = {}
    ) throws(StoreError) -> CacheStore {
        try CacheStore(
            place, migrations: migrations, maxBodyBytes: maxBodyBytes,
            executor: QueueExecutor(label: "store tests"), patience: .seconds(2), now: noon,
            examined: examined, whileMigrating: whileMigrating
        )
    }

    /// Another store on the same file, as another process has it.
    func reopened(migrations: [Migration] = Migration.all) throws(StoreError) -> CacheStore {
        try Self.open(.file(path), migrations: migrations)
    }

    /// Another program's connection to the file.
    func script() throws -> Connection {
        try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
    }

    /// What another program writes: on a connection of its own where there is a file.
    func write(_ sql: String, _ values: Value...) async throws {
        guard place == .file else {
            _ = try await store.withConnection { try $0.run(sql, values) }
            return
        }
        try script().run(sql, values)
    }

    /// Fails the test unless another program's write is refused with `sentence`, and changes nothing.
    func expectRefusal(
        _ sentence: String, of sql: String, _ value: Value? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let state =
            "SELECT (SELECT count(*) FROM \(EveryTodo.rows)), (SELECT count(*) FROM operation),"
            + " (SELECT group_concat(state) FROM operation), (SELECT count(*) FROM sync_request)"
        let before = try await rows(state)
        do {
            if let value { try await write(sql, value) } else { try await write(sql) }
            Issue.record("not refused", sourceLocation: sourceLocation)
        } catch let error as SQLiteError {
            #expect(error.message == sentence, sourceLocation: sourceLocation)
            #expect(error.code == .constraintTrigger, sourceLocation: sourceLocation)
        } catch let error as StoreError {
            #expect(error == .refused(sentence), sourceLocation: sourceLocation)
        }
        #expect(try await rows(state) == before, sourceLocation: sourceLocation)
    }

    /// Runs SQL as it stands on the store's own connection, where a test has to make a state that
    /// takes many calls.
    func execute(_ sql: String) async throws {
        try await store.withConnection { try $0.execute(script: sql) }
    }

    /// The rows of a query, each as its values between bars; NULL is `-`.
    func rows(_ sql: String) async throws -> [String] {
        try await store.withConnection { connection in try connection.rows(sql) }
    }

    /// Fails the test where a law of the cache is broken.
    func expectLawful(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [], sourceLocation: sourceLocation)
    }

    /// The bytes of the file and of its WAL.
    func contents() throws -> [Data] {
        try [path, path + "-wal"].map { name in
            guard FileManager.default.fileExists(atPath: name) else { return Data() }
            return try Data(contentsOf: URL(fileURLWithPath: name))
        }
    }

    var walSize: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
            return try #require(attributes[.size] as? Int)
        }
    }
}

extension Connection {
    /// The rows of a query, each as its values between bars; NULL is `-`.
    func rows(_ sql: String) throws -> [String] {
        try all(sql) { row in
            (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }.joined(separator: "|")
        }
    }
}

let noon = WallTime(milliseconds: 1_700_000_000_000)
let demo = Account(baseURL: "http://127.0.0.1:8080", email: "demo@example.com")

func boot(_ milliseconds: Int64) -> BootTime {
    BootTime(boot: "first", milliseconds: milliseconds)
}

func wait(_ milliseconds: Int64, status: Int? = nil, _ error: String = "why") -> Postponement {
    Postponement(
        until: boot(milliseconds), shown: WallTime(milliseconds: noon.milliseconds + milliseconds),
        askedUntil: nil, status: status, error: error)
}

extension Settlement {
    /// A success with this answer, which came at the second 2 unless another moment is given.
    static func answered(
        _ body: String = "", status: Int = 200, named: String? = nil, at moment: Int64 = 2000,
        refusal: Postponement? = nil
    ) -> Settlement {
        .accepted(
            Acceptance(
                status: status, body: Array(body.utf8), named: named, at: boot(moment),
                refusal: refusal))
    }
}

extension CacheStore {
    /// Adds one todo.
    func add(_ title: String) async throws -> TodoID {
        try #require(try addTodos([title]).first)
    }

    /// Pulls `body` with the rules of a plain cycle: what vanished leaves, the rest is added.
    /// Operations are up to `decide`.
    @discardableResult
    func pull(
        _ body: String, entityTag: String? = nil, began: BootTime = boot(1000),
        decide: (@Sendable (RowsPull) throws -> Void)? = nil
    ) async throws(StoreError) -> Reconciled {
        try await reconcileTodos(
            body: Array(body.utf8), url: "http://127.0.0.1:8080/todos",
            validators: StoredValidators(entityTag: entityTag, lastModified: nil), now: noon
        ) { staged in
            var pull = staged.judged()
            try pull.passOverEchoes(began: began)
            try pull.removeVanished(pullBegan: began)
            try decide?(pull)
            try pull.endWitnessed(began: began)
            try pull.addRows()
            return pull.reconciled()
        }
    }

    /// Pulls `body` as a cycle does whose list began at that moment, with all its rules.
    @discardableResult
    func witness(
        _ body: String, of list: ListTable = todosTable, beside rows: [ReadRow] = [], began: Int64,
        ofBoot name: String = "first"
    ) async throws(StoreError) -> Reconciled {
        try beginPull(of: list)
        let facts = try await stage(Array(body.utf8), page: 1, of: list)
        let page = PublishedPage(
            number: 1, url: todosURL,
            validators: StoredValidators(entityTag: nil, lastModified: nil), facts: facts)
        return try reconcile(
            [page], of: list, beside: RowsBeside(shown: rows), now: noon,
            guardedBy: WipeGuard(
                pullBegan: BootTime(boot: name, milliseconds: began), interval: .seconds(900),
                isAccepted: true),
            settlingTime: .seconds(20))
    }

    /// The operations that may be taken, in their order.
    func take(_ operations: [OperationSequence]) throws(StoreError) -> [OutgoingOperation] {
        try exchange(
            settling: [], taking: operations, for: demo, now: boot(1000), settlingTime: .seconds(20)
        ).outgoing
    }

    /// Settles one attempt.
    func settle(
        _ operation: OperationSequence, _ settlement: Settlement
    ) throws(StoreError) -> Settled? {
        try exchange(
            settling: [(operation, settlement)], taking: [], for: demo, now: boot(2000),
            settlingTime: .seconds(20)
        ).settled.first
    }
}

extension RowsPull {
    /// The pull, complete where every row could be told apart.
    func judged() -> RowsPull {
        var pull = self
        pull.reach = facts().unidentified == 0 ? .complete : .partial
        return pull
    }

    func reconciled(isHeld: Bool = false) -> Reconciled {
        var reconciled = Reconciled(rows: rows, skipped: skipped, isComplete: isComplete)
        reconciled.isHeld = isHeld
        return reconciled
    }
}

let todosURL = "http://127.0.0.1:8080/todos"

/// A body with these rows.
func list(_ rows: [(Int, String)]) -> String {
    "[" + rows.map { #"{"id":\#($0.0),"title":"\#($0.1)"}"# }.joined(separator: ",") + "]"
}
