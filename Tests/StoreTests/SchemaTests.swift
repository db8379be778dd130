import Declarations
import Foundation
import Migrations
import SQLite
import Store
import Synchronization
import Tables
import TestSupport
import Testing

@Suite struct `opening a cache` {
    @Test(arguments: StorePlace.allCases)
    func `a new cache has the schema, our number and nothing else`(place: StorePlace) async throws {
        let cache = try Cache(place)
        #expect(try await cache.rows("PRAGMA application_id") == ["1937337956"])
        #expect(
            try await cache.rows("SELECT version, name, applied_at FROM migration")
                == [
                    "1|create_cache|1700000000000",
                    "2|add_changes_history_and_checks|1700000000000",
                ])
        #expect(
            try await cache.rows("SELECT * FROM todos UNION ALL SELECT 1,2,3,4,5,6 WHERE false")
                == [])
        #expect(
            try await cache.rows(
                "SELECT list, state, failures FROM sync_status ORDER BY list")
                == ["movies|waiting|0", "todos|waiting|0"])
        try await cache.expectLawful()
    }

    @Test func `a second opening finds everything and writes nothing`() async throws {
        let cache = try Cache()
        let id = try await cache.store.add("milk")
        let before = try cache.contents()
        let again = try cache.reopened()
        #expect(try await again.todos(search: nil).map(\.id) == [id])
        #expect(try cache.contents() == before)
    }

    @Test func `opening an up-to-date cache waits for no writer`() async throws {
        let cache = try Cache()
        let writer = try cache.script()
        try writer.transaction {
            try writer.run("INSERT INTO todos (title) VALUES ('under way')")
            _ = try cache.reopened()
        }
    }

    @Test(arguments: [
        "CREATE TABLE theirs (a)", "CREATE TABLE migration (version, done)",
        "CREATE TABLE migration (version, name, text, applied_at)",
        "PRAGMA application_id = 77; CREATE TABLE theirs (a)",
        "PRAGMA application_id = 77",
    ])
    func `a database of another program is refused untouched`(sql: String) throws {
        let directory = try ScratchDirectory()
        try directory.sqlite(sql)
        let before = try directory.contents()
        #expect(throws: StoreError.foreignDatabase(path: directory.database)) {
            try Cache.open(.file(directory.database))
        }
        #expect(try directory.contents() == before)
        #expect(directory.names == ["cache.sqlite"])
    }

    @Test func `a file that is no database is refused untouched`() throws {
        let directory = try ScratchDirectory()
        let text = Data(String(repeating: "dear diary, ", count: 400).utf8)
        try text.write(to: URL(fileURLWithPath: directory.database))
        #expect(throws: StoreError.notADatabase(path: directory.database)) {
            try Cache.open(.file(directory.database))
        }
        #expect(try directory.contents() == text)
        #expect(directory.names == ["cache.sqlite"])
    }

    @Test func `a file of zero length is made anew`() async throws {
        let directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        let store = try Cache.open(.file(directory.database))
        #expect(try await store.todos(search: nil).isEmpty)
    }

    @Test func `a missing file, directory or a link is an error that names it`() throws {
        let directory = try ScratchDirectory()
        for name in ["/missing.sqlite", "/none/cache.sqlite", "/link.sqlite"] {
            let path = directory.path + name
            if name == "/link.sqlite" {
                try Cache.makeEmptyFile(directory.database)
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: directory.database)
            }
            let error = #expect(throws: StoreError.self) { try Cache.open(.file(path)) }
            guard case .cannotOpen(path: path, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `a newer schema is refused untouched, by writers and readers`() throws {
        let cache = try Cache(migrations: Migration.all + [later])
        let before = try cache.contents()
        let refusal = StoreError.newerSchema(path: cache.path, found: 3, known: 2)
        #expect(throws: refusal) { try cache.reopened() }
        #expect(throws: refusal) { try Cache.open(.readOnlyFile(cache.path)) }
        #expect(try cache.contents() == before)
    }

    @Test func `an edited migration is refused untouched`() throws {
        let cache = try Cache()
        let before = try cache.contents()
        var edited = Migration.all
        edited[0] = Migration(
            version: 1, name: "create_cache", text: Migration.all[0].text + "-- once more")
        #expect(throws: StoreError.editedMigration(version: 1, name: "create_cache")) {
            try cache.reopened(migrations: edited)
        }
        #expect(try cache.contents() == before)
    }

    @Test func `a migration that fails applies nothing and keeps the old version`() async throws {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        let broken = Migration(
            version: Migration.all.count + 1, name: "break_something",
            text: "CREATE TABLE half (a); INSERT INTO nowhere VALUES (1);")
        #expect(throws: StoreError.self) {
            try cache.reopened(migrations: Migration.all + [broken])
        }
        #expect(try await cache.rows("SELECT name FROM sqlite_schema WHERE name = 'half'") == [])
        let again = try cache.reopened()
        #expect(try await again.todos(search: nil).map(\.title) == ["milk"])
    }

    @Test func `a whole copy is kept before a second migration, private as the cache`() async throws
    {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        let migrated = try cache.reopened(migrations: Migration.all + [later])
        #expect(try await migrated.todos(search: nil).map(\.title) == ["milk"])
        let names = try FileManager.default.contentsOfDirectory(atPath: cache.directory).sorted()
        #expect(
            names == [
                "cache.sqlite", "cache.sqlite-shm", "cache.sqlite-wal",
                "cache.sqlite.before-3",
            ])
        let attributes = try FileManager.default.attributesOfItem(atPath: cache.path + ".before-3")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let copy = try Cache.open(.file(cache.path + ".before-3"))
        #expect(try await copy.todos(search: nil).map(\.title) == ["milk"])
    }

    @Test func `a new cache needs no copy`() throws {
        let cache = try Cache(migrations: Migration.all + [later])
        #expect(!FileManager.default.fileExists(atPath: cache.path + ".before-3"))
    }

    @Test func `several who open a new cache at once agree`() async throws {
        for _ in 0..<100 {
            let directory = try ScratchDirectory()
            try Cache.makeEmptyFile(directory.database)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let store = try Cache.open(.file(directory.database))
                        return try await store.status().count
                    }
                }
                for try await count in group { #expect(count == 2) }
            }
        }
    }

    @Test func `a cache restored from a dump is still ours, and never uses an id again`()
        async throws
    {
        let cache = try Cache()
        _ = try await cache.store.addTodos(["milk", "bread"])
        try await cache.store.removeTodos([TodoID(rawValue: 2)])
        let directory = try ScratchDirectory()
        let dump = try run("/usr/bin/sqlite3", [cache.path, ".dump"])
        try #require(dump.status == 0)
        let restored = try run("/usr/bin/sqlite3", [directory.database], input: dump.output)
        #expect(restored.status == 0, "\(restored.errors)")
        let store = try Cache.open(.file(directory.database))
        #expect(try await store.todos(search: nil).map(\.title) == ["milk"])
        #expect(try await store.add("eggs") == TodoID(rawValue: 3))
        #expect(try await store.outbox().map(\.title) == ["milk", "eggs"])
    }

    @Test func `a cache that is only read is checked, and never written`() async throws {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        let reader = try Cache.open(.readOnlyFile(cache.path))
        #expect(try await reader.todos(search: nil).map(\.title) == ["milk"])
        await #expect(throws: StoreError.self) { try await reader.add("bread") }
        let missing = cache.directory + "/none.sqlite"
        #expect(throws: StoreError.missing(path: missing)) {
            try Cache.open(.readOnlyFile(missing))
        }
        try Cache.makeEmptyFile(missing)
        #expect(throws: StoreError.missing(path: missing)) {
            try Cache.open(.readOnlyFile(missing))
        }
    }

    @Test func `a long migration tells that it goes on, an opening without one does not`() throws {
        let cache = try Cache()
        let signs = Mutex(0)
        func open() throws {
            _ = try Cache.open(.file(cache.path), migrations: Migration.all + [.slow]) {
                signs.withLock { $0 += 1 }
            }
        }
        try open()
        let first = signs.withLock { $0 }
        #expect(first > 0)
        try open()
        #expect(signs.withLock { $0 } == first)
    }

    private var later: Migration {
        Migration(
            version: Migration.all.count + 1, name: "add_later",
            text: "CREATE TABLE later (a) STRICT".replacing(
                "(a)", with: "(a TEXT)"))
    }
}

@Suite struct `the schema` {
    @Test func `the folder, the list and the package name the same migrations`() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = try FileManager.default
            .contentsOfDirectory(atPath: root.appendingPathComponent("Migrations").path)
            .filter { $0.hasSuffix(".sql") }.sorted()
        #expect(
            files
                == Migration.all.map { migration in
                    let number = String(migration.version)
                    return String(repeating: "0", count: 4 - number.count) + number
                        + "_\(migration.name).sql"
                })
        let package = try String(
            contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        for (file, migration) in zip(files, Migration.all) {
            #expect(package.contains(".embedInCode(\"\(file)\")"))
            let text = try String(
                contentsOf: root.appendingPathComponent("Migrations/\(file)"), encoding: .utf8)
            #expect(migration.text == text)
            #expect(text.split(separator: "\n").prefix(3).allSatisfy { $0.hasPrefix("-- ") })
        }
        #expect(Migration.all.map(\.version) == Array(1...Migration.all.count))
    }

    @Test func `its own code uses no JSON function and no full text`() async throws {
        let cache = try Cache(.memory)
        let code = try await cache.rows(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'movie_search*'")
        #expect(code.count > 50)
        for word in ["json_", "json(", "->", "movie_search"] {
            #expect(!code.contains { $0.lowercased().contains(word) }, "\(word)")
        }
    }

    @Test func `every statement of pulled JSON prepares against it`() async throws {
        let cache = try Cache(.memory)
        let pull = try #require(todosTable.writePull)
        let reconciliation = try #require(todosTable.writeReconciliation)
        let queue = try #require(todosTable.queueStatements)
        try await cache.store.beginPull(of: todosTable)
        let statements =
            pull.clear + pull.compareRows + reconciliation.countMisses + reconciliation.withdraw + [
                todosTable.pull.envelope, todosTable.pull.countRows, pull.stage, pull.countUsable,
                pull.nameSkipped, pull.nameFields,
                pull.countNew, pull.forgetPage, pull.countPulled, pull.placesOfDiffering,
                pull.removeDiffering, pull.countEqual, pull.countKnown, pull.compareKnown,
                reconciliation.rememberDeparted + " true", reconciliation.forgetDeparted,
                reconciliation.countArriving, reconciliation.unowned, reconciliation.lastID,
                reconciliation.nameArriving, reconciliation.addKnown, reconciliation.addShown,
                reconciliation.tellAdded, reconciliation.updateDocuments, reconciliation.echoes,
                reconciliation.endWitnessed, reconciliation.noteShown, reconciliation.newRows,
                reconciliation.unconfirmed, reconciliation.openOperations, queue.waiting,
                queue.outgoing, queue.answered, queue.named, queue.laidOver, queue.isSameRow,
                queue.owner, queue.cut ?? "", queue.compared ?? "",
            ]
        try await cache.store.withConnection { connection in
            for sql in statements { _ = try connection.prepare(sql) }
        }
    }

    @Test func `a todo's queries look nothing up by scanning`() async throws {
        let cache = try Cache(.memory)
        for sql in ["SELECT * FROM todos WHERE id = 1", "SELECT * FROM outbox WHERE seq = 1"] {
            let plan = try await cache.rows("EXPLAIN QUERY PLAN \(sql)")
            #expect(!plan.contains { $0.contains("SCAN") }, "\(plan)")
        }
    }
}
