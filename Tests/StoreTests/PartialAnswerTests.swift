import Declarations
import Rules
import Store
import Tables
import TestSupport
import Testing

/// An answer that shows a part of its row.
@Suite struct `an answer that lacks a member` {
    let cache: Cache
    let notes: ListTable

    init() async throws {
        cache = try Cache()
        notes = try await cache.store.table(
            of: DeclaredLists.list(
                "notes",
                """
                "id": "$.id", "update": true,
                "columns": {"title": {"text": "$.title", "write": "update"},
                    "shape": {"json": "$.shape", "write": "update"},
                    "place": {"json": "$.meta.place", "write": "update"}}
                """))
        try await cache.store.bind(notes.declaration.name, to: demo)
        _ = try await cache.store.witness(
            """
            [{"id":1,"title":"a","shape":{"a":2,"b":"x"},"meta":{"place":{"n":1},"by":"me"}}]
            """, of: notes, began: 500)
    }

    @Test(arguments: [
        (#""shape":{"b":"y"}"#, #"{"b":"y"}|{"n":1}"#),
        (#""shape":null"#, #"-|{"n":1}"#),
        (#""meta":{"place":{"s":2}}"#, #"{"b":"y"}|{"s":2}"#),
        (#""meta":{"by":"you"}"#, #"{"b":"y"}|{"n":1}"#),
    ])
    func `takes the value of a JSON column whole, and keeps what it does not show`(
        answer: (member: String, rows: String)
    ) async throws {
        try await cache.write(#"UPDATE notes SET shape = '{"b":"y"}'"#)
        let update = try #require(try await cache.store.outbox().last?.sequence)
        _ = try await cache.store.exchange(
            of: notes, settling: [], taking: [update], for: demo, now: boot(1000),
            settlingTime: .seconds(20))
        _ = try await cache.store.exchange(
            of: notes, settling: [(update, .answered("{\"id\":1,\(answer.member)}"))], taking: [],
            for: demo, now: boot(2000), settlingTime: .seconds(20))
        #expect(
            try await cache.rows("SELECT title, shape, place FROM notes") == ["a|\(answer.rows)"])
        try await cache.expectLawful()
    }
}
