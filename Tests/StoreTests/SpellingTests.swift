import Declarations
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// Servers that spell the same values in another way each time: members in the order of a hash, `1` and `1.0`, `ü` and
/// `\u00fc`.
@Suite struct `a list that is spelt anew` {
    private static let first = #"""
        [{"id":1,"title":"ü","size":5,"extra":{"a":1,"b":[2,{"x":0.10,"y":"ü"}]},"more":{"m":1,"n":2}},
         {"id":2,"title":"b","size":1.5,"extra":null,"more":1}]
        """#
    private static let anew = #"""
        [{"more":{"n":2,"m":1.0},"extra":{"b":[2.0,{"y":"\u00fc","x":1e-1}],"a":1.0},"id":1,"size":5.0,"title":"\u00fc"},
         {"id":2,"more":1e0,"title":"b","size":15e-1,"extra":null}]
        """#
    /// The first row with another value where no column reads, and the second one with another value in a column.
    private static let changed = #"""
        [{"id":1,"title":"ü","size":5,"extra":{"b":[2,{"y":"ü","x":0.10}],"a":1},"more":{"m":1,"n":3}},
         {"id":2,"title":"b","size":1.5,"extra":{"b":1,"a":2},"more":1}]
        """#

    private static let columns = #"""
        "title": {"text": "$.title", "write": "both"}, "size": {"real": "$.size", "write": "both"},
        "extra": {"json": "$.extra", "write": "both"}
        """#
    private static let written = #"""
        "id": "$.id", "create": true, "update": true, "delete": true, "columns": {\#(columns)}
        """#
    private static let read = #"""
        "id": "$.id", "columns": {"title": "text $.title", "size": "real $.size", "extra": "json $.extra"}
        """#

    private func cache(_ declared: String) async throws -> (Cache, ListTable) {
        let cache = try Cache()
        let notes = try await cache.store.table(of: DeclaredLists.list("notes", declared))
        if !notes.declaration.isReadOnly {
            try await cache.store.bind(notes.declaration.name, to: demo)
        }
        try await cache.store.pull(Self.first, of: notes)
        return (cache, notes)
    }

    @Test(arguments: [Self.written, Self.read])
    func `is the list that it was, and writes nothing`(declared: String) async throws {
        let (cache, notes) = try await cache(declared)
        let (rows, revision) = (
            try await cache.rows("SELECT * FROM notes"), try await cache.store.lastRevision()
        )
        let before = try cache.contents()
        try await cache.store.pull(Self.anew, of: notes)
        #expect(try await cache.rows("SELECT * FROM notes") == rows)
        #expect(try await cache.store.lastRevision() == revision)
        if !notes.declaration.isReadOnly { #expect(try cache.contents() == before) }
        try await cache.expectLawful()
    }

    @Test(arguments: [(Self.written, ["2"]), (Self.read, ["1", "2"])])
    func `tells of the rows with another value`(declared: String, told: [String]) async throws {
        let (cache, notes) = try await cache(declared)
        let revision = try await cache.store.lastRevision()
        try await cache.store.pull(Self.changed, of: notes)
        #expect(
            try await cache.rows(
                "SELECT id FROM changes WHERE list = 'notes' AND rev > \(revision) ORDER BY id"
            ) == told)
        #expect(
            try await cache.rows("SELECT extra -> 'a' FROM notes ORDER BY _server_id") == [
                "1", "2",
            ])
        try await cache.expectLawful()
    }

    @Test func `gives another place to a row that stays as it is spelt`() async throws {
        let (cache, notes) = try await cache(Self.read)
        let rows = "SELECT title, extra, _document, _fetched_at FROM notes ORDER BY _server_id"
        let (before, revision) = (
            try await cache.rows(rows), try await cache.store.lastRevision()
        )
        try await cache.store.pull(
            #"[{"id":2,"more":1.0,"title":"b","size":1.5,"extra":null},"#
                + #"{"id":1,"title":"\u00fc","size":5,"extra":{"b":[2,{"x":0.10,"y":"ü"}],"a":1},"more":{"n":2,"m":1}}]"#,
            of: notes)
        #expect(try await cache.rows("SELECT _server_id FROM notes ORDER BY _rank") == ["2", "1"])
        #expect(try await cache.rows(rows) == before)
        #expect(try await cache.store.lastRevision() == revision)
        try await cache.expectLawful()
    }

    @Test func `D6: two rows of one id that are spelt differently are one`() async throws {
        let (cache, notes) = try await cache(Self.written)
        try await cache.store.pull(
            #"[{"id":3,"title":"c","extra":{"a":1,"b":2}},{"extra":{"b":2.0,"a":1},"title":"c","id":3}]"#,
            of: notes)
        #expect(try await cache.rows("SELECT title FROM notes WHERE _server_id = '3'") == ["c"])
    }

    @Test func `a value that a program only spells anew is no edit`() async throws {
        let (cache, notes) = try await cache(Self.written)
        try await cache.execute(
            #"""
            UPDATE notes SET extra = '{"b":[2,{"y":"ü","x":0.1}],"a":1.0}' WHERE _id = 1;
            UPDATE notes SET extra = '[]' WHERE _id = 2;
            """#)
        _ = try await cache.store.openCycle(of: notes, now: boot(0))
        #expect(try await cache.rows("SELECT row_id FROM operation") == ["2"])
        #expect(
            try await cache.rows("SELECT _state FROM notes ORDER BY _id") == ["synced", "queued"])
        try await cache.expectLawful()
    }
}
