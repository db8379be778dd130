import Foundation
import SQLite
import Store
import Testing

@Suite struct `the check` {
    private func filled(_ place: StorePlace = .file) async throws -> Cache {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "pulled")]))
        try await cache.store.pull(movies: [movies(1...30)])
        _ = try await cache.store.add("milk")
        return cache
    }

    /// What is found beyond notes, each as subject and problem.
    private func problems(_ store: CacheStore) async throws -> [String] {
        try await store.check().filter { $0.severity != .note }
            .map { "\($0.subject): \($0.problem)" }
    }

    @Test(arguments: StorePlace.allCases)
    func `a sound cache has no problem, and is not written to`(place: StorePlace) async throws {
        let cache = try await filled(place)
        let before = try cache.contents()
        #expect(try await problems(cache.store) == [])
        #expect(try cache.contents() == before)
        if place == .file {
            #expect(try await problems(try Cache.open(.readOnlyFile(cache.path))) == [])
            #expect(try cache.contents() == before)
        }
    }

    @Test func `an old library is a note with its version`() async throws {
        let version = Connection.libraryVersion
        let old = version.split(separator: ".").compactMap { Int($0) }
            .lexicographicallyPrecedes([3, 51, 3])
        let notes = try await Cache(.memory).store.check()
        #expect(notes.map(\.subject) == (old ? ["library"] : []))
        #expect(notes.allSatisfy { $0.severity == .note && $0.problem.contains(version) })
    }

    @Test(arguments: [
        ("DELETE FROM operation", "invariant_todos_create", "(2)"),
        ("INSERT INTO s_todos VALUES (2, 'x', '{}')", "invariant_todos_synced", "(2)"),
        (
            "DELETE FROM highest_id; INSERT INTO d_todos (id) VALUES (9)", "invariant_todos_ids",
            "(9)"
        ),
        ("UPDATE operation SET row_id = 77", "invariant_todos_row", "(1)"),
        ("INSERT INTO s_todos VALUES (3, 'x', '{}')", "invariant_todos_kept", "(3)"),
        ("INSERT INTO d_todos (id) VALUES (1)", "invariant_todos_hidden", "(1)"),
        (
            "UPDATE control SET applying = 'todos'; UPDATE todos SET state = 'queued'; UPDATE control SET applying = NULL",
            "invariant_todos_state", "(1)"
        ),
        (
            """
            INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
            VALUES ('todos', 'delete', 2, '', 0)
            """, "invariant_delete_waits", "(2)"
        ),
        (
            "UPDATE operation SET first_sent_boot = 'b', first_sent_ms = 1",
            "invariant_first_attempt", "(1)"
        ),
        (
            "UPDATE operation SET state = 'sending', sent_boot = 'b', sent_ms = 1",
            "invariant_attempts", "(1)"
        ),
        (
            "UPDATE operation SET state = 'rejected', last_error = 'x', wait_boot = 'b', wait_ms = 1, wait_shown = 1",
            "invariant_wait", "(1)"
        ),
        ("UPDATE operation SET state = 'rejected'", "invariant_reason", "(1)"),
        ("UPDATE operation SET wait_boot = 'b'", "invariant_operation_moments", "(1)"),
        ("UPDATE sync_state SET due_ms = 1", "invariant_list_moments", "(movies, todos)"),
        ("DELETE FROM sync_state WHERE list = 'movies'", "invariant_lists", "(movies)"),
        ("INSERT INTO held_row VALUES ('todos', 1)", "invariant_hold", "(todos)"),
        (
            "INSERT INTO held_delete (seq, list, held_at, of_rows) VALUES (7, 'todos', 0, 9)",
            "invariant_held_deletes", "(7)"
        ),
        (
            "INSERT INTO validator (url, list) VALUES ('u', 'todos')", "invariant_validators",
            "(u)"
        ),
        ("UPDATE control SET rewriting = 3", "invariant_change_log", "(control)"),
        ("DELETE FROM control", "invariant_change_log", "(missing row)"),
        ("UPDATE s_todos SET document = '[' WHERE id = 1", "invariant_todos", "(1)"),
        (
            "UPDATE control SET applying = 'movies'; UPDATE movies SET title = 'x' || id WHERE id < 9; UPDATE control SET applying = NULL",
            "invariant_movies",
            "(1, 2, 3, 4, 5 and 3 more)"
        ),
    ])
    func `a broken law is named with what breaks it`(
        sql: String, name: String, offenders: String
    ) async throws {
        let cache = try await filled()
        try await cache.execute(sql)
        let findings = try await cache.store.check()
        let finding = try #require(findings.first { $0.subject == name }, "\(findings)")
        #expect(finding.problem.hasSuffix(offenders))
        #expect(finding.severity == .error)
        #expect(finding.hint.hasSuffix("."))
        // What the queue and the documents tell of the todos brings them back to their laws.
        guard finding.remedy != nil else { return #expect(finding.hint.contains("backup")) }
        #expect(finding.remedy == .sweep(list: "todos"))
        try await cache.store.fix([finding])
        let left = try await cache.store.check()
        #expect(!left.contains { $0.subject == name })
    }

    @Test func `every law of the schema is broken by a test`() async throws {
        let cache = try Cache(.memory)
        let laws = try await cache.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'invariant_*'")
        // invariant_undecided alone cannot be broken: CHECKs of the table say the same.
        #expect(laws.count == 20)
    }

    @Test func `what another program added is a note, whatever its name`() async throws {
        let cache = try await filled()
        try await cache.execute(
            """
            CREATE TRIGGER todo AFTER DELETE ON movies BEGIN SELECT 1; END;
            CREATE INDEX "caf\u{e9}" ON movies (title);
            CREATE INDEX "cafe\u{301}" ON movies (title);
            CREATE VIEW invariant_mine AS SELECT 1 AS x;
            CREATE VIEW "invariant_""x" AS SELECT 'a' AS law, 'b' AS offender;
            """)
        #expect(try await problems(cache.store) == [])
        let notes = try await cache.store.check().filter { $0.subject == "schema" }
        #expect(notes.count == 5)
    }

    @Test(arguments: [
        "UPDATE control SET applying = 'movies'; UPDATE movies SET overview = 'more', document = json_set(document, '$.overview', 'more'); UPDATE control SET applying = NULL",
        "DELETE FROM movie_search WHERE rowid = 3",
        "DELETE FROM movie_search_data WHERE id > 10",
        "INSERT INTO movie_search (movie_search) VALUES ('delete-all')",
    ])
    func `a full text that is not the movies' is found, and made anew`(damage: String) async throws
    {
        let cache = try await filled()
        let ended = try run("/usr/bin/sqlite3", [cache.path, damage])
        try #require(ended.status == 0, "\(ended.errors)")
        let findings = try await cache.store.check().filter { $0.severity != .note }
        #expect(findings.map(\.remedy) == [.rebuildSearch], "\(findings)")
        let reader = try Cache.open(.readOnlyFile(cache.path))
        #expect(try await reader.check().filter { $0.severity != .note } == findings)
        try await cache.store.fix(findings)
        #expect(try await problems(cache.store) == [])
        let found = try await cache.store.searchMovies(text: "m3", from: nil, to: nil, limit: nil)
        #expect(found.first?.id == 3)
    }

    @Test(arguments: [
        ("DROP VIEW sync_requests", ["view sync_requests"], 4),
        ("DROP TRIGGER todos_delete", ["trigger todos_delete"], 1),
        ("DROP VIEW outbox; CREATE VIEW outbox AS SELECT 1", ["view outbox"], 4),
        ("DROP INDEX \"movies by release_date\"", ["index movies by release_date"], 1),
        ("DROP TRIGGER operation_removed; DROP VIEW invariant_hold", [], 2),
    ])
    func `what a program took from the schema is found, and made anew`(
        sql: String, named: [String], count: Int
    ) async throws {
        let cache = try await filled()
        let before = try await cache.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        try await cache.execute(sql)
        let findings = try await cache.store.check().filter { $0.severity != .note }
        #expect(findings.count == count, "\(findings)")
        for name in named { #expect(findings.contains { $0.problem.contains(name) }) }
        try await cache.store.fix(findings)
        #expect(try await problems(cache.store) == [])
        #expect(
            try await cache.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
                == before)
        _ = try await cache.store.add("bread")
        try await cache.store.removeTodos([TodoID(rawValue: 1)])
        try await cache.expectLawful()
    }

    @Test func `a full text that is missing is made anew`() async throws {
        let cache = try await filled()
        try await cache.execute("DROP TABLE movie_search")
        let findings = try await cache.store.check().filter { $0.severity != .note }
        #expect(Set(findings.map(\.remedy)) == [.rebuildSearch])
        try await cache.store.fix(findings)
        #expect(try await problems(cache.store) == [])
        let found = try await cache.store.searchMovies(text: "m3", from: nil, to: nil, limit: nil)
        #expect(found.first?.id == 3)
    }

    @Test func `a table that is not as it was cannot be mended`() async throws {
        let cache = try await filled()
        try await cache.execute("ALTER TABLE validator ADD COLUMN more TEXT")
        let findings = try await cache.store.check().filter { $0.severity != .note }
        #expect(findings.map(\.problem) == ["the table validator is not as syncd made it"])
        #expect(findings.map(\.remedy) == [nil])
    }

    @Test func `what other programs added is a note`() async throws {
        let cache = try await filled()
        try await cache.execute("CREATE VIEW mine AS SELECT 1; CREATE INDEX fast ON todos (title)")
        let notes = try await cache.store.check().filter { $0.subject == "schema" }
        #expect(
            notes.map(\.problem) == [
                "the index fast was added by another program",
                "the view mine was added by another program",
            ])
        #expect(notes.allSatisfy { $0.severity == .note && $0.remedy == nil })
    }

    @Test func `a damaged page is found, and does not end the check`() async throws {
        let cache = try await filled()
        _ = try await cache.store.addTodos((1...300).map { "todo \($0)" })
        let copy = cache.directory + "/copy.sqlite"
        try await cache.store.backup(to: copy)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
        for offset in try Self.pages(of: copy, named: "sqlite_autoindex_s_todos_1") {
            try handle.seek(toOffset: (offset - 1) * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 2000))
        }
        try handle.close()
        let store = try Cache.open(.readOnlyFile(copy))
        let problems = try await problems(store)
        #expect(problems.contains { $0.hasPrefix("integrity: the file is damaged") }, "\(problems)")
    }

    private static func pages(of path: String, named name: String) throws -> [UInt64] {
        let connection = try Connection(
            .file(path), access: .readOnly, busyTimeout: .zero)
        return try connection.all(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?", .text(name)
        ) { UInt64($0.integer(0)) }
    }

    @Test func `a log that a reader has kept long is found, and cut off when he is gone`()
        async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "a")]))
        let reader = try cache.script()
        try reader.run("BEGIN")
        _ = try reader.rows("SELECT * FROM todos")
        let script = try cache.script()
        try script.run("PRAGMA wal_autocheckpoint = 0")
        for _ in 0..<10 {
            try script.run(
                """
                INSERT INTO s_todos (server_id, document)
                VALUES (hex(randomblob(8)), json_object('t', printf('%.*c', 7000000, 'x')))
                """)
        }
        let findings = try await cache.store.check().filter { $0.subject == "wal" }
        #expect(findings.map(\.remedy) == [.checkpoint])
        #expect(findings.first?.severity == .warning)
        try await cache.store.fix(findings)
        #expect(try cache.walSize > 64 << 20)
        reader.rollBack()
        try await cache.store.fix(findings)
        #expect(try cache.walSize < 1 << 20)
        #expect(try await cache.store.check().filter { $0.subject == "wal" } == [])
    }
}
