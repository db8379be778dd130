import Declarations
import Foundation
import Rules
import SQLite
import Store
import Testing

@Suite struct `stock programs on the cache` {
    /// Todo 1 is synced, 2 has a rejected create, 3 one in doubt, 4 a rejected delete.
    private func prepared() async throws -> Cache {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "synced")]))
        _ = try await cache.store.create("refused", in: .rejected)
        _ = try await cache.store.create("unclear", in: .inDoubt)
        try await cache.store.pull(list([(1, "synced"), (4, "kept")]))
        let kept = try #require(try await cache.store.todos(search: "kept").first?.id)
        _ = try await cache.store.delete(kept, in: .rejected)
        return cache
    }

    @Test(arguments: ProgramSettings.all)
    func `the shell writes and reads every view`(settings: ProgramSettings) async throws {
        let cache = try await prepared()
        let script = """
            .timeout 5000
            \(settings.pragmas)
            BEGIN IMMEDIATE;
            INSERT INTO todos(title) VALUES ('milk'), ('brötchen');
            SELECT 'id', max(id) FROM todos WHERE title = 'milk';
            COMMIT;
            INSERT INTO todos(title) SELECT 'many' FROM json_each('[1,2,3]');
            BEGIN; INSERT INTO todos(title) VALUES ('undone'); DELETE FROM todos; ROLLBACK;
            DELETE FROM todos WHERE title = 'many';
            DELETE FROM todos WHERE title = 'synced';
            DELETE FROM todos WHERE title = 'unclear';
            UPDATE outbox SET state = 'queued' WHERE state = 'rejected' AND op = 'create';
            DELETE FROM outbox WHERE title = 'kept';
            INSERT INTO sync_requests(list) VALUES ('todos');
            INSERT INTO sync_requests(list) VALUES ('todos');
            SELECT id, title, state FROM todos ORDER BY id;
            SELECT op, title, state FROM outbox ORDER BY seq;
            SELECT list, length(requested_at) FROM sync_requests;
            SELECT list, state FROM sync_status ORDER BY list;
            SELECT count(*), count(fetched_at) FROM movies;
            """
        let ended = try run("/usr/bin/sqlite3", [cache.path], input: script)
        #expect(ended.errors == "")
        #expect(
            ended.output.split(separator: "\n") == [
                "id|5", "2|refused|queued", "4|kept|synced", "5|milk|queued", "6|brötchen|queued",
                "create|refused|queued", "create|unclear|in doubt", "create|milk|queued",
                "create|brötchen|queued", "delete|synced|queued", "delete|unclear|queued",
                "todos|24", "movies|waiting", "todos|waiting", "0|0",
            ])
        try await cache.expectLawful()
    }

    @Test(arguments: ProgramSettings.all)
    func `refusals reach the shell as sentences`(settings: ProgramSettings) async throws {
        let cache = try await prepared()
        let before = try await cache.rows("SELECT * FROM operation")
        for (sql, sentence) in [
            ("INSERT OR IGNORE INTO todos(title) VALUES ('')", "must not be empty"),
            ("INSERT OR REPLACE INTO todos(title) VALUES (x'61')", "cannot store BLOB value"),
            ("INSERT OR IGNORE INTO todos(title) VALUES (CAST(x'ff' AS TEXT))", "valid UTF-8"),
            ("INSERT OR IGNORE INTO todos(title) VALUES (printf('%.*c', 4097, 'x'))", "4096 bytes"),
            ("UPDATE OR IGNORE todos SET title = 'x'", "delete it and insert a new one"),
            ("DELETE FROM outbox WHERE state = 'in doubt'", "the next pull decides it"),
            ("UPDATE OR REPLACE outbox SET attempts = 0", "only the state of an operation"),
            (
                "INSERT INTO sync_requests(list) VALUES ('everything')",
                "for a list that sync_status names, or for all"
            ),
            (
                "INSERT INTO movies(id) VALUES (1)",
                "movies is read only: it shows what the server has"
            ),
            ("DELETE FROM sync_status", "cannot modify sync_status because it is a view"),
        ] {
            let ended = try run(
                "/usr/bin/sqlite3", [cache.path], input: settings.pragmas + sql + ";")
            #expect(ended.errors.contains(sentence), "\(sql): \(ended.errors)")
        }
        #expect(try await cache.rows("SELECT * FROM operation") == before)
        try await cache.expectLawful()
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: python)), arguments: ProgramSettings.all
    )
    func `python reads its own writes, and its rollback undoes them`(
        settings: ProgramSettings
    ) async throws {
        let cache = try await prepared()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], timeout=5)
            db.executescript('''\(settings.pragmas)''')
            with db:
                db.execute("INSERT INTO todos(title) VALUES (?)", ("milk",))
                print(db.execute("SELECT max(id) FROM todos WHERE title = ?", ("milk",)).fetchone()[0])
            try:
                with db:
                    db.execute("DELETE FROM todos")
                    raise KeyError
            except KeyError:
                pass
            for title in (None, 5, b"x", "", "a\\0b", "x" * 4097):
                try:
                    with db:
                        db.execute("INSERT OR IGNORE INTO todos(title) VALUES (?)", (title,))
                    print("taken")
                except sqlite3.IntegrityError as error:
                    print(error)
            with db:
                db.executemany("INSERT INTO todos(title) VALUES (?)", [("n%d" % n,) for n in range(50)])
            print(db.execute("SELECT count(*) FROM todos").fetchone())
            print([row[0] for row in db.execute("SELECT state FROM outbox ORDER BY seq LIMIT 4")])
            """
        let ended = try run(python, ["-c", script, cache.path])
        #expect(ended.errors == "")
        #expect(
            ended.output.split(separator: "\n") == [
                "5", "the title of a todo must be text", "taken",
                "cannot store BLOB value in TEXT column todos.title",
                "the title of a todo must not be empty",
                "the title of a todo must not hold a NUL character",
                "the title of a todo must not be longer than 4096 bytes", "(56,)",
                "['rejected', 'in doubt', 'rejected', 'queued']",
            ])
        try await cache.expectLawful()
    }

    @Test func `a shell's write while the daemon pulls is neither lost nor seen half`() async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list((1...20).map { ($0, "t\($0)") }))
        let path = cache.path
        async let written = Task.detached {
            try run(
                "/usr/bin/sqlite3", [path],
                input: (0..<40).map {
                    ".timeout 5000\nINSERT INTO todos(title) VALUES ('mine \($0)');\n"
                }.joined())
        }.value
        for round in 0..<40 {
            try await cache.store.pull(list((1...20).map { ($0, "t\($0 + round % 2)") }))
        }
        let ended = try await written
        #expect(ended.errors == "")
        #expect(try await cache.store.queueCounts().queued == 40)
        try await cache.expectLawful()
    }
}
