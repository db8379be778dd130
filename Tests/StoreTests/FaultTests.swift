import CFaultVFS
import Declarations
import Foundation
import Glibc
import Migrations
import Rules
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `when the disk or another program is in the way` {
    @Test(arguments: StorePlace.allCases)
    func `P5: a full disk refuses the write, reads go on, and so does work when there is space`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        _ = try await cache.store.add("accepted")
        try await cache.execute("PRAGMA max_page_count = 1")  // Stays at what there is.
        let titles = (0..<2000).map { "title \($0) \(String(repeating: "x", count: 100))" }
        await #expect(throws: StoreError.diskFull) { try await cache.store.addTodos(titles) }
        let body = list(titles.enumerated().map { ($0.offset, $0.element) })
        await #expect(throws: StoreError.diskFull) { try await cache.store.pull(body) }
        #expect(try await cache.store.todos(search: nil).map(\.title) == ["accepted"])
        #expect(try await cache.store.outbox().count == 1)
        try await cache.execute("PRAGMA max_page_count = 1000000")
        try await cache.expectLawful()
        #expect(try await cache.store.addTodos(titles).count == 2000)
        #expect(try await cache.store.pull(body).rows == 2000)
        try await cache.expectLawful()
    }

    @Test func `a writer that holds the lock makes others busy, and readers not`() async throws {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        try await cache.store.withConnection { $0.setBusyTimeout(.zero) }
        let script = try cache.script()
        try script.run("BEGIN IMMEDIATE")
        await #expect(throws: StoreError.busy) { try await cache.store.add("bread") }
        await #expect(throws: StoreError.busy) { try await cache.store.pull("[]") }
        #expect(try await cache.store.todos(search: nil).map(\.title) == ["milk"])
        // What is staged aside locks nobody out and waits for nobody.
        _ = try await cache.store.stage(envelope(movies(1...3)), page: 1)
        try await cache.store.confirmTodos()
        script.rollBack()
        _ = try await cache.store.add("bread")
        #expect(try await cache.store.todos(search: nil).map(\.title) == ["milk", "bread"])
    }

    @Test func `S6: a lock that others keep taking makes it busy, and no more`() async throws {
        try #require(fault_vfs_install() == 0)
        let scratch = try ScratchDirectory()
        try Cache.makeEmptyFile(scratch.database)
        fault_vfs_watch(10, scratch.database)
        let store = try Cache.open(.file(scratch.database))
        // SQLITE_PROTOCOL, as SQLite itself says after ten seconds of it; to either owner of the machine.
        for owner: Int32 in [10, 11] { fault_vfs_refuse_lock(owner, 15) }
        let error = await #expect(throws: StoreError.self) { try await store.todos(search: nil) }
        #expect(error == .busy)
        for owner: Int32 in [10, 11] { fault_vfs_calm(owner) }
        #expect(try await store.todos(search: nil) == [])
    }

    @Test func `a read-only file refuses writes and is read`() async throws {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        try await cache.execute("PRAGMA query_only = ON")
        let error = await #expect(throws: StoreError.self) { try await cache.store.add("bread") }
        guard case .readOnly = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await cache.store.todos(search: nil).map(\.title) == ["milk"])
    }

    @Test func `flipped bytes are damage, not another answer`() async throws {
        let directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        do {
            let store = try Cache.open(.file(directory.database))
            _ = try await store.addTodos((0..<500).map { "todo \($0)" })
        }
        try directory.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
        let root = try #require(
            Int(
                try run(
                    "/usr/bin/sqlite3",
                    [
                        directory.database,
                        "SELECT rootpage FROM sqlite_schema WHERE name = 'todos'",
                    ]
                ).output.trimmingCharacters(in: .whitespacesAndNewlines)))
        var bytes = try directory.contents()
        for offset in 0..<16 { bytes[(root - 1) * 4096 + offset] ^= 0x5a }
        try bytes.write(to: URL(fileURLWithPath: directory.database))
        let store = try Cache.open(.file(directory.database))
        let error = await #expect(throws: StoreError.self) { try await store.todos(search: nil) }
        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["deleted", "renamed", "replaced", "without its WAL"])
    func `a file that is another one now ends the cycle before it writes`(how: String) async throws
    {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        _ = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        try await cache.store.beginMoviesPull()
        let files = FileManager.default
        switch how {
        case "deleted": try files.removeItem(atPath: cache.path)
        case "renamed": try files.moveItem(atPath: cache.path, toPath: cache.path + ".old")
        case "replaced":
            try files.moveItem(atPath: cache.path, toPath: cache.path + ".old")
            try Cache.makeEmptyFile(cache.path)
        default: try files.removeItem(atPath: cache.path + "-wal")
        }
        let error = StoreError.replaced(path: cache.path)
        await #expect(throws: error) {
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        }
        await #expect(throws: error) { try await cache.store.beginMoviesPull() }
        await #expect(throws: error) { try await cache.store.pull(list([(1, "milk")])) }
        // What an answer says is written to what nobody reads.
        _ = try await cache.store.exchange(
            settling: [], taking: [], for: demo, now: boot(1000), settlingTime: .seconds(20))
        await #expect(throws: error) { try await cache.store.checkpointIfDue() }
        #expect(error.hint.hasPrefix("Start syncd again"))
        #expect(error.description.contains(cache.path))
    }

    @Test func `a file that is replaced while it is being opened is another one, too`() async throws
    {
        let cache = try Cache()
        let path = cache.path
        let store = try Cache.open(.file(path), migrations: Migration.all + [.slow]) {
            // It is told more than once.
            guard access(path + ".old", F_OK) != 0 else { return }
            rename(path, path + ".old")
            close(open(path, O_CREAT | O_WRONLY, 0o600))
        }
        await #expect(throws: StoreError.replaced(path: path)) {
            try await store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        }
        #expect(await !store.hasSameDatabase())
    }

    @Test func `a newer syncd that migrates the file ends the cycles of the old one`() async throws
    {
        let cache = try Cache()
        _ = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        let known = Migration.all.count
        let later = Migration(
            version: known + 1, name: "later", text: "CREATE TABLE later (a TEXT) STRICT")
        _ = try cache.reopened(migrations: Migration.all + [later])
        let error = StoreError.newerSchema(path: cache.path, found: known + 1, known: known)
        await #expect(throws: error) {
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        }
        await #expect(throws: error) { try await cache.store.beginMoviesPull() }
    }

    @Test func `a database in memory is never another one`() async throws {
        let cache = try Cache(.memory)
        _ = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        try await cache.store.beginMoviesPull()
    }

    @Test func `every error names what to do, and none holds a value`() {
        let errors: [StoreError] = [
            .missing(path: "/p"), .cannotOpen(path: "/p", reason: "r"), .notADatabase(path: "/p"),
            .foreignDatabase(path: "/p"), .newerSchema(path: "/p", found: 2, known: 1),
            .editedMigration(version: 1, name: "n"), .replaced(path: "/p"),
            .otherAccount(cached: demo, configured: demo), .busy, .diskFull, .inputOutput("x"),
            .corrupt("x"), .readOnly("x"), .refused("x"), .unusableBody("x"),
            .unknownRow(1, of: .todos), .unknownRow(1, of: .movies),
            .unknownOperation(OperationSequence(rawValue: 1)), .unknownConflict(1),
            .occupied(path: "/p"),
            .statement("x"), .stopped,
        ]
        for error in errors {
            #expect(error.hint.hasSuffix("."))
            #expect(!error.description.isEmpty)
            #expect(!error.description.hasSuffix("."))
        }
    }
}
