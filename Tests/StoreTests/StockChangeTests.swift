import Foundation
import Rules
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `stock programs on the log and the full text` {
    private func prepared() async throws -> Cache {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "synced"), (2, "kept")]))
        _ = try await cache.store.delete(TodoID(rawValue: 2), in: .rejected)
        try await cache.store.pull(
            movies: [#"{"id":7,"title":"Amélie"},{"id":8,"title":"X","overview":"amelie"}"#])
        return cache
    }

    @Test(arguments: ProgramSettings.all)
    func `the shell's own writes are told, in order and once`(
        settings: ProgramSettings
    ) async throws {
        let cache = try await prepared()
        let before = try await cache.store.lastRevision()
        let script = """
            .timeout 5000
            \(settings.pragmas)
            INSERT INTO todos(title) VALUES ('milk'), ('bread');
            DELETE FROM todos WHERE title IN ('milk', 'synced');
            UPDATE outbox SET state = 'queued' WHERE title = 'kept';
            DELETE FROM outbox WHERE title = 'kept';
            BEGIN; INSERT INTO todos(title) VALUES ('undone'); DELETE FROM todos; ROLLBACK;
            INSERT OR REPLACE INTO todos(title) VALUES ('replaced');
            INSERT OR IGNORE INTO todos(title) VALUES ('ignored');
            SELECT list, change, title, state, op FROM changes WHERE rev > \(before) ORDER BY rev;
            SELECT count(*) FROM changes WHERE length(at) = 24;
            SELECT law, offender FROM invariant_change_log;
            SELECT rowid FROM movie_search WHERE movie_search MATCH '"ame"*' ORDER BY rank;
            SELECT * FROM movie_changes;
            """
        let ended = try run("/usr/bin/sqlite3", [cache.path], input: script)
        #expect(ended.errors == "")
        #expect(
            ended.output.split(separator: "\n") == [
                "todos|added|milk|queued|", "outbox|added|milk|queued|create",
                "todos|added|bread|queued|", "outbox|added|bread|queued|create",
                "todos|removed|synced||", "outbox|added|synced|queued|delete",
                "outbox|removed|milk||create", "todos|removed|milk||",
                "outbox|changed|kept|queued|delete", "todos|removed|kept||",
                "outbox|removed|kept||delete", "todos|added|kept|synced|",
                "todos|added|replaced|queued|", "outbox|added|replaced|queued|create",
                "todos|added|ignored|queued|", "outbox|added|ignored|queued|create",
                "\(before + 16)", "7", "8",
            ])
        try await cache.expectLawful()
        #expect(try await cache.store.check().filter { $0.severity != .note } == [])
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: python)), arguments: ProgramSettings.all
    )
    func `python follows the log while the daemon writes it`(settings: ProgramSettings) async throws
    {
        let cache = try await prepared()
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1], timeout=5)
            db.executescript('''\(settings.pragmas)''')
            last = db.execute("SELECT max(rev) FROM changes").fetchone()[0]
            with db:
                db.executemany("INSERT INTO todos(title) VALUES (?)", [("n%d" % n,) for n in range(500)])
            rows = db.execute("SELECT rev, list FROM changes WHERE rev > ? ORDER BY rev", (last,)).fetchall()
            print(len(rows), rows[0][0] - last, rows[-1][0] - last)
            print([title for (title,) in db.execute(
                "SELECT title FROM movie_search WHERE movie_search MATCH ? ORDER BY rank", ('"amelie"',))])
            try:
                with db:
                    db.execute("DELETE FROM changes")
            except sqlite3.OperationalError as error:
                print(error)
            """
        let ended = try run(python, ["-c", script, cache.path])
        #expect(ended.errors == "")
        #expect(
            ended.output.split(separator: "\n") == [
                "1000 1 1000", "['Amélie', 'X']", "cannot modify changes because it is a view",
            ])
        try await cache.expectLawful()
    }
}
