import Host
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// The full text and the history of a list that programs write to.
@Suite struct FollowedListScenarioTests {
    private static let followers = #", "search": ["title"], "history": "size""#

    private static func world() async throws -> ListWorld {
        try await EditScenarioTests.world(more: followers)
    }

    private func found(_ world: ListWorld, _ word: String) async throws -> [String] {
        try await world.rows(
            """
            SELECT notes.title FROM notes_search JOIN notes ON notes._id = notes_search.rowid
            WHERE notes_search MATCH '\(word)' ORDER BY notes._id
            """)
    }

    private func history(_ world: ListWorld) async throws -> [String] {
        try await world.rows(
            "SELECT change, id, title, old_size, new_size FROM notes_changes ORDER BY seq")
    }

    /// What a daemon does when somebody has written.
    private func look(_ world: ListWorld) async throws {
        _ = try await world.world.store.look(
            for: WriteQuestion(since: nil, asksForWriter: false, asksForWork: true),
            now: BootTime(boot: "b", milliseconds: 1))
        #expect(try await StoreInvariants.violations(in: world.world.store) == [])
        #expect(try await world.rows("SELECT * FROM touched_notes") == [])
    }

    @Test func `a search finds what others and what programs have written`() async throws {
        let world = try await Self.world()
        #expect(try await found(world, "a") == ["a"])
        world.change {
            $0.rows[0] = #"{"id":1,"title":"pear","done":false,"size":1}"#
            $0.rows.append(#"{"id":3,"title":"plum","done":false,"size":3}"#)
        }
        try await world.write("INSERT INTO notes (title) VALUES ('apple pie')")
        try await world.sync()
        #expect(try await found(world, "a") == [])
        #expect(try await found(world, "p*") == ["pear", "apple pie", "plum"])
        #expect(try await world.rows("SELECT * FROM touched_notes") == [])
        #expect(try await world.world.store.check().filter { $0.severity != .note } == [])
    }

    @Test func `no server is needed, only a look`() async throws {
        let world = try await Self.world()
        try await world.write(
            "PRAGMA trusted_schema = OFF; INSERT INTO notes (title) VALUES ('apple')")
        try await world.write("UPDATE notes SET title = 'berry', size = 7 WHERE _id = 2")
        try await world.write("DELETE FROM notes WHERE _id = 1; PRAGMA trusted_schema = ON")
        // The row is gone, and its words are not yet: nothing looks damaged meanwhile.
        #expect(try await found(world, "a") == [])
        #expect(try await world.world.store.check().filter { $0.severity != .note } == [])
        try await look(world)
        #expect(
            try await world.rows("SELECT rowid FROM notes_search ORDER BY rowid") == ["2", "3"])
        #expect(try await found(world, "apple") == ["apple"])
        #expect(try await found(world, "b") == [])
        #expect(
            try await history(world) == [
                "changed|2|berry|2|7", "appeared|3|apple|-|-", "vanished|1|a|1|-",
            ])
        let before = try await world.rows("SELECT total_changes()")
        try await look(world)
        #expect(try await world.rows("SELECT total_changes()") == before)
    }

    @Test func `the history tells each change once, whoever made it`() async throws {
        let world = try await Self.world()
        #expect(try await history(world) == [])
        try await world.write("INSERT INTO notes (title, size) VALUES ('mine', 5)")
        try await world.write("UPDATE notes SET size = 11 WHERE _id = 1")
        try await world.write("UPDATE notes SET title = 'other' WHERE _id = 2")
        for _ in 0..<3 { try await world.sync() }
        let told = ["changed|1|a|1|11", "appeared|3|mine|-|5"]
        #expect(try await history(world) == told)
        world.change {
            $0.rows[0] = #"{"id":1,"title":"a","done":true,"size":12}"#
            $0.rows.remove(at: 1)
        }
        try await world.sync()
        #expect(try await history(world) == told + ["changed|1|a|11|12", "vanished|2|other|2|-"])
    }

    @Test func `what came to nothing before a look is not told`() async throws {
        let world = try await Self.world()
        try await world.write(
            """
            INSERT INTO notes (title, size) VALUES ('brief', 1);
            DELETE FROM notes WHERE title = 'brief';
            UPDATE notes SET size = 9 WHERE _id = 1;
            UPDATE notes SET size = 1 WHERE _id = 1;
            DELETE FROM notes WHERE _id = 2;
            INSERT INTO notes (_id, title, size) VALUES (2, 'b', 2);
            """)
        try await look(world)
        #expect(try await history(world) == [])
        #expect(try await found(world, "brief") == [])
        #expect(try await found(world, "b") == ["b"])
    }

    @Test(arguments: ["ON", "OFF"])
    func `a row that is written over is one that changed`(recursive: String) async throws {
        let world = try await Self.world()
        try await world.write("PRAGMA recursive_triggers = \(recursive)")
        try await world.write(
            "INSERT OR REPLACE INTO notes (_id, title, size) VALUES (1, 'anew', 4)")
        try await world.write("INSERT OR IGNORE INTO notes (_id, title) VALUES (2, 'ignored')")
        try await look(world)
        #expect(try await history(world) == ["changed|1|anew|1|4"])
        #expect(try await found(world, "a") == [])
        #expect(try await found(world, "anew") == ["anew"])
        #expect(try await found(world, "ignored") == [])
    }

    @Test func `an edit that is refused is told as taken back`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET size = 5 WHERE _id = 1")
        try await look(world)
        try await world.write("DELETE FROM outbox WHERE list = 'notes'")
        for _ in 0..<2 { try await world.sync() }
        #expect(try await history(world) == ["changed|1|a|1|5", "changed|1|a|5|1"])
    }

    @Test func `a full text that is declared later has the words of every row`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write("INSERT INTO notes (title) VALUES ('apple')")
        for _ in 0..<2 { try await world.sync() }
        let columns = #"""
            "title": {"text": "$.title", "write": "both", "required": true},
            "done": {"boolean": "$.done", "write": "both"},
            "size": {"integer": "$.size", "write": "both"}, "tags": "json $.tags"
            """#
        let calls = #", "create": true, "update": true, "delete": true"#
        try await world.declare(
            pages: #""none""#, columns: columns, more: calls + Self.followers)
        #expect(try await found(world, "apple") == ["apple"])
        try await world.write("UPDATE notes SET title = 'plum' WHERE title = 'apple'")
        try await world.sync()
        #expect(try await found(world, "plum") == ["plum"])
        #expect(try await history(world) == [])
        // And one that is declared no more leaves nothing.
        try await world.declare(pages: #""none""#, columns: columns, more: calls)
        #expect(
            try await world.rows(
                """
                SELECT name FROM sqlite_schema WHERE name GLOB 'notes_search*'
                    OR name GLOB 'touched_*' OR name = 'notes_changes'
                """) == [])
    }

    @Test(arguments: [
        "DELETE FROM notes_search WHERE rowid = 1",
        "UPDATE notes_search SET title = 'x' WHERE rowid = 1",
        "INSERT INTO notes_search (rowid, title) VALUES (77, 'x')",
    ])
    func `a full text with other words is found, and made anew`(damage: String) async throws {
        let world = try await Self.world()
        try await world.write(damage)
        let store = world.world.store
        #expect(
            try await store.check().filter { $0.severity != .note }.map(\.problem) == [
                "the full text of the notes does not match the notes"
            ])
        try await store.fix(try await store.check())
        #expect(try await store.check().filter { $0.severity != .note } == [])
        #expect(try await found(world, "a") == ["a"])
    }
}
