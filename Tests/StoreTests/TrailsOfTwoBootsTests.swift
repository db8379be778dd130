import Declarations
import Host
import Rules
import Store
import Tables
import TestSupport
import Testing

/// What was acknowledged before and after the machine started anew.
@Suite struct `trails of two boots` {
    let cache: Cache
    let notes: ListTable
    static let before = [#"{"id":1,"title":"a","size":1}"#, #"{"id":2,"title":"b","size":2}"#]

    init() async throws {
        cache = try Cache()
        notes = try await cache.store.table(
            of: DeclaredLists.list(
                "notes",
                """
                "id": "$.id", "update": true,
                "columns": {"title": {"text": "$.title", "write": "update"},
                    "size": {"integer": "$.size", "write": "update"}}
                """))
        try await cache.store.bind(notes.declaration.name, to: demo)
        try await show(Self.before, at: 500, ofBoot: "first")
    }

    private func show(_ rows: [String], at began: Int64, ofBoot boot: String) async throws {
        _ = try await cache.store.witness(
            "[\(rows.joined(separator: ","))]", of: notes, began: began, ofBoot: boot)
    }

    /// An update that the server acknowledges without a word.
    private func update(_ change: String, at moment: Int64, ofBoot boot: String) async throws {
        try await cache.write("UPDATE notes SET \(change)")
        let now = BootTime(boot: boot, milliseconds: moment)
        let queued = try await cache.store.outbox().last { $0.state == "queued" }
        let update = try #require(queued?.sequence)
        for settling in [[], [(update, Settlement.accepted(Acceptance(at: now)))]] {
            _ = try await cache.store.exchange(
                of: notes, settling: settling, taking: settling.isEmpty ? [update] : [], for: demo,
                now: now, settlingTime: .seconds(20))
        }
    }

    private func rows() async throws -> [String] {
        try await cache.rows("SELECT title, size FROM notes ORDER BY _id")
    }

    /// Both orders of the columns, and whatever order a dictionary has.
    @Test func `tell echoes in the second boot by the answers of that one`() async throws {
        try await update("title = 'c' WHERE _id = 1", at: 90_000, ofBoot: "first")
        try await update("size = 3 WHERE _id = 2", at: 90_000, ofBoot: "first")
        try await update("size = 4 WHERE _id = 1", at: 5000, ofBoot: "second")
        try await update("title = 'd' WHERE _id = 2", at: 5000, ofBoot: "second")
        let between = [#"{"id":1,"title":"c","size":1}"#, #"{"id":2,"title":"b","size":3}"#]
        try await show(between, at: 64_999, ofBoot: "second")
        #expect(try await rows() == ["c|4", "d|3"])
        #expect(try await cache.rows("SELECT * FROM conflicts") == [])
        try await show(between, at: 65_000, ofBoot: "second")
        #expect(try await rows() == ["c|1", "b|3"])
        #expect(
            try await cache.rows("SELECT row_id, field, why, mine, theirs FROM conflicts")
                == ["1|size|not taken|4|1", "2|title|not taken|d|b"])
        try await cache.expectLawful()
    }
}
