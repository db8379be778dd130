import Declarations
import Host
import Rules
import Store
import Tables
import TestSupport
import Testing

/// Which row an answer to a create names, and which one a list shows by it.
@Suite struct `the row that an answer names` {
    let cache: Cache
    let notes: ListTable

    init() async throws {
        cache = try Cache()
        notes = try await cache.store.table(
            of: DeclaredLists.list(
                "notes",
                """
                "id": "$.id", "create": true, "update": true, "delete": true,
                "identity": ["id", "title"],
                "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                    "size": {"integer": "$.size", "write": "both"}}
                """))
        try await cache.store.bind(notes.declaration.name, to: demo)
        try await show([#"{"id":1,"title":"a","size":1}"#], at: 500)
    }

    private func show(_ rows: [String], at began: Int64) async throws {
        _ = try await cache.store.witness(
            "[\(rows.joined(separator: ","))]", of: notes, began: began)
    }

    /// Takes the newest operation that is queued.
    private func take(at moment: BootTime = boot(1000)) async throws -> [OperationSequence] {
        let queued = try await cache.store.outbox().last { $0.state == "queued" }
        return try await cache.store.exchange(
            of: notes, settling: [], taking: [try #require(queued?.sequence)], for: demo,
            now: moment, settlingTime: .seconds(20)
        ).outgoing.map(\.sequence)
    }

    private func answer(
        _ sql: String, _ body: String, status: Int = 201, named: String? = nil
    ) async throws {
        try await cache.write(sql)
        let operation = try #require(try await take().first)
        let answer = Settlement.answered(body, status: status, named: named)
        _ = try await cache.store.exchange(
            of: notes, settling: [(operation, answer)], taking: [], for: demo, now: boot(2000),
            settlingTime: .seconds(20))
    }

    private func rows() async throws -> [String] {
        try await cache.rows(
            "SELECT _id, title, size, _state, _server_id FROM notes ORDER BY _id")
    }

    @Test func `a row that an id alone named is known in the form that the server gave it`()
        async throws
    {
        try await answer(
            "INSERT INTO notes (title, size) VALUES (' b ', 2)", "", named: "2")
        #expect(try await rows() == ["1|a|1|synced|1", "2| b |2|acknowledged|2"])
        try await show(
            [#"{"id":1,"title":"a","size":1}"#, #"{"id":2,"title":"b","size":2}"#], at: 10_000)
        #expect(try await rows() == ["1|a|1|synced|1", "2|b|2|synced|2"])
        #expect(try await cache.rows("SELECT * FROM conflicts") == [])
        try await cache.expectLawful()
    }

    /// A cache tells that its list is older than the answer. The title of the row that has gone is a form of the new
    /// one's.
    @Test func `a list from before the answer shows the row that had the id before`() async throws {
        let one = #"{"id":1,"title":"a","size":1}"#
        let former = #"{"id":2,"title":"b","size":5}"#
        try await show([one, former], at: 600)
        try await show([one], at: 700)
        try await answer(
            "INSERT INTO notes (title, size) VALUES (' b ', 2)", "", named: "2")
        try await show([one, former], at: 1000)
        #expect(try await rows() == ["1|a|1|synced|1", "3| b |2|acknowledged|2"])
        try await show([one, #"{"id":2,"title":" b ","size":2}"#], at: 10_000)
        #expect(try await rows() == ["1|a|1|synced|1", "3| b |2|synced|2"])
        try await cache.expectLawful()
    }

    @Test func `a row of its id that is not what was sent is another one`() async throws {
        try await answer(
            "INSERT INTO notes (title, size) VALUES ('b', 2)", "", named: "2")
        try await show(
            [#"{"id":1,"title":"a","size":1}"#, #"{"id":2,"title":"c","size":2}"#], at: 10_000)
        #expect(try await rows() == ["1|a|1|synced|1", "3|c|2|synced|2"])
        try await cache.expectLawful()
    }

    /// Of two replicas, one lags. Nothing of the row is remembered but that the server made it.
    @Test func `a new row stays where a list of the first minute lacks it after one has shown it`()
        async throws
    {
        try await answer(
            "INSERT INTO notes (title) VALUES ('b')", #"{"id":2,"title":"b","size":null}"#)
        let one = #"{"id":1,"title":"a","size":1}"#
        for began: Int64 in [10_000, 20_000] {
            try await show([one, #"{"id":2,"title":"b","size":null,"v":\#(began)}"#], at: began)
        }
        try await show([one], at: 61_999)
        #expect(try await rows() == ["1|a|1|synced|1", "2|b|-|synced|2"])
        try await show([one], at: 62_000)
        #expect(try await rows() == ["1|a|1|synced|1"])
        #expect(try await cache.rows("SELECT row_id FROM trail") == [])
        try await cache.expectLawful()
    }

    /// The list is from a replica that lags.
    @Test func `a new row stays where a list still shows the row that had its id before`()
        async throws
    {
        try await answer("DELETE FROM notes", "", status: 204)
        try await answer(
            "INSERT INTO notes (title, size) VALUES ('c', 2)", #"{"id":1,"title":"c","size":2}"#)
        try await cache.write("UPDATE notes SET size = 3")
        for began: Int64 in [10_000, 61_999] {
            try await show([#"{"id":1,"title":"a","size":1}"#], at: began)
            #expect(try await rows() == ["2|c|3|queued|1"])
        }
        // Nothing is sent before a list shows it.
        #expect(try await take(at: boot(62_000)) == [])
        try await show([#"{"id":1,"title":"c","size":2}"#], at: 62_000)
        #expect(try await rows() == ["2|c|3|queued|1"])
        #expect(try await take(at: boot(62_000)).count == 1)
        #expect(try await cache.rows("SELECT * FROM conflicts") == [])
        try await cache.expectLawful()
    }

    @Test func `a list a minute after the answer says whose the id is`() async throws {
        try await answer("DELETE FROM notes", "", status: 204)
        try await answer(
            "INSERT INTO notes (title, size) VALUES ('c', 2)", #"{"id":1,"title":"c","size":2}"#)
        try await show([#"{"id":1,"title":"a","size":1}"#], at: 62_000)
        #expect(try await rows() == ["1|a|1|synced|1"])
        try await cache.expectLawful()
    }

    @Test func `a third row under the id of a new one has come since`() async throws {
        try await answer("DELETE FROM notes", "", status: 204)
        try await answer(
            "INSERT INTO notes (title, size) VALUES ('c', 2)", #"{"id":1,"title":"c","size":2}"#)
        try await show([#"{"id":1,"title":"d","size":1}"#], at: 10_000)
        #expect(try await rows() == ["3|d|1|synced|1"])
        try await cache.expectLawful()
    }

    @Test(arguments: [(1, "2|a|1|synced|1", "0"), (5, "2|a|5|acknowledged|-", "1")])
    func `one that is to be deleted here is that of a create only if it equals all that was sent`(
        size: Int, row: String, deletes: String
    ) async throws {
        try await cache.write("DELETE FROM notes")
        try await answer(
            "INSERT INTO notes (title, size) VALUES ('a', \(size))",
            #"{"id":1,"title":"a","size":1}"#)
        #expect(try await rows() == [row])
        #expect(
            try await cache.rows("SELECT count(*) FROM outbox WHERE op = 'delete'") == [deletes])
        try await cache.expectLawful()
    }

    @Test func `what a server does later holds the next edit for a minute of the next boot, too`()
        async throws
    {
        try await answer("UPDATE notes SET size = 2", "", status: 202)
        try await cache.write("UPDATE notes SET size = 3")
        let next = { BootTime(boot: "second", milliseconds: $0) }
        #expect(try await take(at: next(59_999)) == [])
        #expect(try await take(at: next(60_000)).count == 1)
    }
}
