import Declarations
import Rules
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// Marks of ours that a server does not keep. An answer comes at the second 2, the list 10 seconds later.
@Suite struct `marks that creates carry` {
    let cache: Cache
    let notes: ListTable

    init() async throws {
        cache = try Cache()
        notes = try await cache.store.table(
            of: DeclaredLists.list(
                "notes",
                """
                "id": "$.id", "create": true, "once": {"column": "key", "form": "hex"},
                "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                    "key": {"text": "$.key", "write": "create"}}
                """))
        try await cache.store.bind(notes.declaration.name, to: demo)
        try await show([])
    }

    @discardableResult
    private func show(_ rows: [String], at began: Int64 = 500) async throws -> Reconciled {
        try await cache.store.witness(
            "[\(rows.joined(separator: ","))]", of: notes, began: began)
    }

    private static func row(_ id: Int, _ title: String, _ key: String?) -> String {
        let member = key.map { #","key":\#($0)"# } ?? ""
        return #"{"id":\#(id),"title":"\#(title)"\#(member)}"#
    }

    /// The mark of a new row whose create is under way.
    private func send(_ title: String) async throws -> (OperationSequence, mark: String) {
        try await cache.write("INSERT INTO notes (title) VALUES ('\(title)')")
        let queued = try await cache.store.outbox().last { $0.state == "queued" }
        let operation = try #require(queued?.sequence)
        _ = try await cache.store.exchange(
            of: notes, settling: [], taking: [operation], for: demo, now: boot(1000),
            settlingTime: .seconds(20))
        let marks = try await cache.rows("SELECT key FROM notes WHERE title = '\(title)'")
        return (operation, try #require(marks.first))
    }

    private func settle(_ operation: OperationSequence, _ settlement: Settlement) async throws {
        _ = try await cache.store.exchange(
            of: notes, settling: [(operation, settlement)], taking: [], for: demo,
            now: boot(2000), settlingTime: .seconds(20))
    }

    private var marks: MarkKeeping? {
        get async throws {
            try await cache.store.status().first { $0.list == "notes" }?.marks
        }
    }

    /// What a server can make of a mark, as JSON.
    private static let kept: [(MarkKeeping, @Sendable (String) -> String?)] = [
        (.kept, { "\"\($0)\"" }), (.dropped, { _ in "null" }), (.dropped, { _ in "\"\"" }),
        (.cut, { "\"\($0.prefix(8))\"" }), (.altered, { "\"\($0.uppercased())\"" }),
        (.altered, { _ in "\"their own\"" }),
    ]

    @Test(arguments: kept.indices)
    func `are known by the first answer, and then rows are looked for`(kind: Int) async throws {
        let (keeping, stored) = Self.kept[kind]
        let (first, mark) = try await send("a")
        let one = Self.row(1, "a", stored(mark))
        try await settle(first, .answered(one))
        #expect(try await marks == keeping)
        #expect(try await cache.rows("SELECT title, _server_id FROM notes") == ["a|1"])
        // The answer to the second one is lost.
        let (second, other) = try await send("b")
        try await settle(second, .doubtful(wait(5), isOver: false))
        try await show([one, Self.row(2, "b", stored(other))], at: 62_000)
        #expect(try await cache.rows("SELECT title, _server_id FROM notes") == ["a|1", "b|2"])
        #expect(try await marks == keeping)
        try await cache.expectLawful()
    }

    @Test(arguments: kept.indices)
    func `are known by the first list, where the answer leaves them out`(kind: Int) async throws {
        let (keeping, stored) = Self.kept[kind]
        let (create, mark) = try await send("a")
        try await settle(create, .answered(Self.row(1, "a", nil)))
        #expect(try await marks == nil)
        try await show([Self.row(1, "a", stored(mark))], at: 12_000)
        #expect(try await marks == keeping)
    }

    @Test func `of a row whose answer was lost are known, too, but for those of somebody else`()
        async throws
    {
        let (create, mark) = try await send("a")
        try await settle(create, .doubtful(wait(5), isOver: false))
        try await show([Self.row(1, "a", "\"another\"")], at: 62_000)
        #expect(try await marks == nil)
        #expect(
            try await cache.rows("SELECT title, _state FROM notes WHERE key = '\(mark)'")
                == ["a|in doubt"])
        try await show([Self.row(1, "a", "\"another\""), Self.row(2, "a", nil)], at: 63_000)
        #expect(try await marks == .dropped)
        #expect(
            try await cache.rows("SELECT title, _server_id FROM notes ORDER BY _server_id")
                == ["a|1", "a|2"])
        try await cache.expectLawful()
    }

    @Test func `that a server keeps are the only thing that a row is looked for by`() async throws {
        let (first, mark) = try await send("a")
        let one = Self.row(1, "a", "\"\(mark)\"")
        try await settle(first, .answered(one))
        let (second, _) = try await send("b")
        try await settle(second, .doubtful(wait(5), isOver: false))
        try await show([one, Self.row(2, "b", nil)], at: 62_000)
        #expect(
            try await cache.rows("SELECT title, _state FROM notes ORDER BY _id")
                == ["a|synced", "b|in doubt", "b|synced"])
        #expect(try await marks == .kept)
        try await cache.expectLawful()
    }

    @Test func `that a row of somebody else has make it none of ours`() async throws {
        let (create, _) = try await send("a")
        try await show([Self.row(1, "a", "\"another\"")])
        try await settle(create, .answered(Self.row(1, "a", "\"another\"")))
        #expect(try await marks == nil)
        #expect(
            try await cache.rows("SELECT title, _state FROM notes ORDER BY _id")
                == ["a|acknowledged", "a|synced"])
    }

    /// An earlier request has made the row, and said no; then the row was written again.
    @Test func `find the row of a create that was refused, and what it does not show is told`()
        async throws
    {
        let (create, mark) = try await send("b")
        try await settle(create, .doubtful(wait(5, status: 409), isOver: true))
        try await show([Self.row(1, "a", "\"\(mark)\"")], at: 62_000)
        #expect(
            try await cache.rows("SELECT title, _state, _server_id FROM notes")
                == ["a|synced|1"])
        #expect(
            try await cache.rows("SELECT field, why, mine, theirs FROM conflicts")
                == ["title|not taken|b|a"])
        try await cache.expectLawful()
    }

    /// A replica that lags shows the row that had its id before.
    @Test func `are not judged by the row that had the id before`() async throws {
        let cards = try await cache.store.table(
            of: DeclaredLists.list(
                "cards",
                """
                "id": "$.id", "create": true, "delete": true,
                "once": {"column": "key", "form": "hex"}, "identity": ["id", "title"],
                "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                    "key": {"text": "$.key", "write": "create"}}
                """))
        try await cache.store.bind(cards.declaration.name, to: demo)
        let old = "[\(Self.row(1, "old", "\"theirs\""))]"
        _ = try await cache.store.witness(old, of: cards, began: 500)
        let steps = [
            ("DELETE FROM cards", Settlement.answered(status: 204)),
            ("INSERT INTO cards (title) VALUES ('new')", .answered(Self.row(1, "new", nil))),
        ]
        for (sql, answer) in steps {
            try await cache.write(sql)
            let queued = try await cache.store.outbox().last { $0.state == "queued" }
            let operation = try #require(queued?.sequence)
            for settling in [[], [(operation, answer)]] {
                _ = try await cache.store.exchange(
                    of: cards, settling: settling, taking: settling.isEmpty ? [operation] : [],
                    for: demo, now: boot(2000), settlingTime: .seconds(20))
            }
        }
        _ = try await cache.store.witness(old, of: cards, began: 12_000)
        #expect(
            try await cache.rows("SELECT title, _server_id FROM cards") == ["new|1"])
        #expect(
            try await cache.store.status().first { $0.list == "cards" }?.marks == nil)
        try await cache.expectLawful()
    }

    @Test func `that were lost once are not believed again`() async throws {
        let (first, _) = try await send("a")
        try await settle(first, .answered(Self.row(1, "a", "null")))
        let (second, mark) = try await send("b")
        try await settle(second, .answered(Self.row(2, "b", "\"\(mark)\"")))
        #expect(try await marks == .dropped)
    }

    @Test func `of equal rows let them go one after another until a server keeps one`()
        async throws
    {
        let sql = try #require(notes.queueStatements).waiting
        try await cache.write("INSERT INTO notes (title) VALUES ('a'), ('a')")
        let turns = try await cache.store.withConnection { connection in
            try connection.all(sql) { $0.text(0) }
        }
        #expect(Set(turns).count == 1)
        try await cache.write("UPDATE sync_state SET marks = 'kept' WHERE list = 'notes'")
        let own = try await cache.store.withConnection { connection in
            try connection.all(sql) { $0.text(0) }
        }
        #expect(Set(own).count == 2)
    }
}
