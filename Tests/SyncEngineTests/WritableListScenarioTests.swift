import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Declared lists that programs write to: every promise of the todos, for rows of several columns.
@Suite struct WritableListScenarioTests {
    private static let columns = #"""
        "title": {"text": "$.title", "write": "create", "required": true},
        "done": {"boolean": "$.meta.done", "write": "create"},
        "size": {"integer": "$.size", "write": "create"},
        "tags": {"json": "$.tags", "write": "create"}, "mark": "text $.mark"
        """#

    private static func world(
        _ rows: String..., more: String = "", pages: String = #""none""#,
        paging: ReferenceList.Paging = .none, size: Int = 100
    ) async throws -> ListWorld {
        var list = ReferenceList(rows: rows, paging: paging, size: size)
        list.isWritable = true
        return try await ListWorld(
            list, pages: pages, columns: columns,
            more: #", "create": true, "delete": true"# + more)
    }

    @Test func `rows of several columns arrive once, as they were given`() async throws {
        let world = try await Self.world()
        try await world.write(
            """
            INSERT INTO notes (title, done, size, tags) VALUES ('milk', 1, 7, '["a", "b"]');
            INSERT INTO notes (title) VALUES ('tea');
            """)
        try await world.sync()
        #expect(
            world.atServer == [
                #"{"id":1000001,"title":"milk","meta":{"done":true},"size":7,"tags":["a","b"]}"#,
                #"{"id":1000002,"title":"tea"}"#,
            ])
        #expect(
            try await world.written() == [
                "1|milk|1|7|[\"a\",\"b\"]|synced|1000001", "2|tea|-|-|-|synced|1000002",
            ])
        try await world.sync()
        #expect(world.world.count("POST") == 2)
    }

    @Test func `one whose answer was lost is found by all that was sent`() async throws {
        let world = try await Self.world(#"{"id":1,"title":"milk","size":1}"#)
        try await world.sync()
        try await world.write("INSERT INTO notes (title, size) VALUES ('milk', 2)")
        // Another client adds one of the same title, which comes first in the list.
        world.change { $0.rows.append(#"{"id":2,"title":"milk","size":3}"#) }
        world.world.server.next("POST /lists/notes", .losesAnswer)
        try await world.sync()
        #expect(try await world.written().contains("2|milk|-|2|-|in doubt|-"))
        try await world.sync()
        try await world.sync()
        #expect(
            try await world.written() == [
                "1|milk|-|1|-|synced|1", "2|milk|-|2|-|synced|1000001", "3|milk|-|3|-|synced|2",
            ])
        #expect(world.world.count("POST") == 1)
    }

    @Test func `D4: a row with JSON that one wrong list did not show is no effect of a create`()
        async throws
    {
        let old = #"{"id":1,"title":"milk","size":1,"tags":["a"]}"#
        let world = try await Self.world(
            old, #"{"id":2,"title":"tea"}"#, more: #", "identity": ["id", "title", "tags"]"#)
        try await world.sync()
        world.change { $0.rows.removeFirst() }
        try await world.sync(then: .seconds(1))
        #expect(try await world.rows("SELECT title FROM notes") == ["tea"])
        world.change { $0.rows.insert(old, at: 0) }
        // Its title and size are those of the row that is back.
        try await world.write("INSERT INTO notes (title, size) VALUES ('milk', 1)")
        world.world.server.next("POST /lists/notes", .losesRequest)
        try await world.sync(because: .localWrite, then: .seconds(1))
        for _ in 1...4 { try await world.sync() }
        #expect(
            try await world.written() == [
                "1|milk|-|1|[\"a\"]|synced|1", "2|tea|-|-|-|synced|2",
                "3|milk|-|1|-|synced|1000001",
            ])
    }

    @Test func `one that did not arrive is sent again`() async throws {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title, size) VALUES ('milk', 2)")
        world.world.server.next("POST /lists/notes", .losesRequest)
        for _ in 1...4 { try await world.sync() }
        #expect(try await world.written() == ["1|milk|-|2|-|synced|1000001"])
        #expect(world.atServer.count == 1)
    }

    @Test func `a key tells a create from all others`() async throws {
        let world = try await Self.world(more: #", "once": {"header": "Idempotency-Key"}"#)
        world.world.server.withServer { $0.behaviour.honoursIdempotencyKeys = true }
        try await world.write("INSERT INTO notes (title, size) VALUES ('milk', 2), ('milk', 2)")
        world.world.server.next("POST /lists/notes", .losesAnswer)
        for _ in 1...3 { try await world.sync() }
        #expect(world.atServer.count == 2)
        #expect(
            try await world.written() == [
                "1|milk|-|2|-|synced|1000001", "2|milk|-|2|-|synced|1000002",
            ])
    }

    @Test func `a mark tells a create from all others`() async throws {
        let world = try await Self.world(more: #", "once": {"column": "mark", "form": "uuid"}"#)
        try await world.write("INSERT INTO notes (title) VALUES ('milk'), ('milk')")
        let marks = try await world.rows("SELECT mark FROM notes")
        #expect(Set(marks).count == 2)
        #expect(marks.allSatisfy { $0.count == 36 })
        for _ in 1...2 { world.world.server.next("POST /lists/notes", .losesAnswer) }
        // Another client's row of that title is none of them.
        world.change { $0.rows.append(#"{"id":1,"title":"milk"}"#) }
        for _ in 1...3 { try await world.sync() }
        #expect(world.atServer.count == 3)
        #expect(
            try await world.rows("SELECT _id, title, mark, _state FROM notes ORDER BY _id") == [
                "1|milk|\(marks[0])|synced", "2|milk|\(marks[1])|synced", "3|milk|-|synced",
            ])
    }

    @Test func `a delete goes to the row, and comes back where it is refused`() async throws {
        let world = try await Self.world(
            #"{"id":1,"title":"milk","size":1}"#, #"{"id":"a/b","title":"tea"}"#)
        try await world.sync()
        try await world.write("DELETE FROM notes")
        world.world.server.next("DELETE /lists/notes/1", .body("{}", status: 422))
        try await world.sync()
        #expect(world.atServer == [#"{"id":1,"title":"milk","size":1}"#])
        #expect(try await world.written() == ["1|milk|-|1|-|rejected|1"])
        #expect(world.world.server.lines.contains("DELETE /lists/notes/a%2Fb"))
    }

    @Test func `a delete of an old version goes again with the one that the next list shows`()
        async throws
    {
        let list = ReferenceList(
            rows: [#"{"id":1,"title":"milk","v":1}"#], paging: .none, size: 100)
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #""title": "text $.title", "v": "integer $.v""#,
            more:
                #", "delete": {"version": "$.v", "path": "/lists/notes/{id}?v={version}", "stale": [412]}"#
        )
        world.change { $0.isWritable = true }
        try await world.sync()
        try await world.write("DELETE FROM notes")
        world.world.server.next("DELETE /lists/notes/1", .body("{}", status: 412))
        try await world.sync()
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["delete|queued"])
        world.change { $0.rows = [#"{"id":1,"title":"milk","v":2}"#] }
        try await world.sync()
        #expect(world.atServer == [])
        #expect(
            world.world.server.lines.filter { $0.hasPrefix("DELETE") } == [
                "DELETE /lists/notes/1?v=1", "DELETE /lists/notes/1?v=2",
            ])
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `what is no JSON is rejected where it is sent`() async throws {
        let world = try await Self.world()
        try await world.write(
            "INSERT INTO notes (title, tags) VALUES ('milk', '[1,]'), ('tea', '[ 1 ]')")
        try await world.sync()
        #expect(world.atServer == [#"{"id":1000001,"title":"tea","tags":[1]}"#])
        #expect(
            try await world.written() == [
                "1|milk|-|-|[1,]|rejected|-", "2|tea|-|-|[1]|synced|1000001",
            ])
        let error = try await world.rows("SELECT _error FROM notes WHERE _id = 1").first
        #expect(
            error?.contains("the value of tags is neither an object nor a list of JSON") == true)
    }

    @Test(arguments: ["[no json]", "[[1]", "[1 2]", "{\"a\"}", "{\"a\":1,\"a\":2}"])
    func `what is no JSON within its brackets is rejected, in an edit too`(
        text: String
    ) async throws {
        var list = ReferenceList(
            rows: [#"{"id":1,"title":"milk","tags":[1]}"#], paging: .none, size: 9)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both"}, "tags": {"json": "$.tags", "write": "both"}
                """#,
            more: #", "create": true, "update": true"#)
        try await world.sync()
        try await world.write(
            """
            INSERT INTO notes (title, tags) VALUES ('tea', '\(text)');
            UPDATE notes SET tags = '\(text)' WHERE title = 'milk';
            """)
        try await world.sync()
        #expect(world.atServer == [#"{"id":1,"title":"milk","tags":[1]}"#])
        // What was written stays for the person.
        #expect(
            try await world.rows("SELECT title, tags, _state FROM notes ORDER BY title")
                == ["milk|\(text)|rejected", "tea|\(text)|rejected"])
        #expect(
            try await world.rows("SELECT op, state FROM outbox ORDER BY op")
                == ["create|rejected", "update|rejected"])
    }

    @Test func `what the server changes in a row changes it where it stands`() async throws {
        let world = try await Self.world(#"{"id":1,"title":"milk","size":1}"#)
        try await world.sync()
        world.change { $0.rows = [#"{"id":1,"title":"cream","size":2,"meta":{"done":false}}"#] }
        try await world.sync()
        #expect(try await world.written() == ["1|cream|0|2|-|synced|1"])
        #expect(
            try await world.rows("SELECT change, id, title FROM changes WHERE list = 'notes'")
                == ["added|1|milk", "changed|1|cream"])
    }

    @Test func `a row that a delete hides follows the server, too`() async throws {
        let world = try await Self.world(#"{"id":1,"title":"milk","size":1}"#)
        try await world.sync()
        try await world.write("DELETE FROM notes")
        world.change { $0.rows = [#"{"id":1,"title":"milk","size":1,"mark":"theirs"}"#] }
        world.world.server.next("DELETE /lists/notes/1", .body("{}", status: 422))
        try await world.sync()
        #expect(
            try await world.rows("SELECT _id, title, size, mark, _state, _server_id FROM notes")
                == [
                    "1|milk|1|theirs|rejected|1"
                ])
    }

    @Test func `a delete gives way to another's change of what a new row can have`() async throws {
        let world = try await Self.world(#"{"id":1,"title":"milk","size":1}"#)
        try await world.sync()
        try await world.write("DELETE FROM notes")
        world.change { $0.rows = [#"{"id":1,"title":"cream","size":2}"#] }
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
        #expect(try await world.written() == ["1|cream|-|2|-|synced|1"])
        #expect(
            try await world.rows("SELECT row_id, field, why, mine, theirs FROM conflicts") == [
                "1|title|delete|-|cream"
            ])
    }

    @Test(arguments: [
        (#""link""#, ReferenceList.Paging.link), (#"{"next": "$.next"}"#, .next),
        (#"{"cursor": "$.next_cursor", "as": "cursor"}"#, .cursor),
        (#"{"offset": "offset", "limit": ["limit", 2], "rows": "header X-Total-Count"}"#, .offset),
    ])
    func `a list in pages keeps the promises`(
        pages: String, paging: ReferenceList.Paging
    ) async throws {
        let world = try await Self.world(
            #"{"id":1,"title":"a"}"#, #"{"id":2,"title":"b"}"#, #"{"id":3,"title":"c"}"#,
            pages: pages, paging: paging, size: 2)
        try await world.sync()
        #expect(try await world.rows("SELECT title FROM notes") == ["a", "b", "c"])
        try await world.write(
            "INSERT INTO notes (title) VALUES ('d'); DELETE FROM notes WHERE title = 'b'")
        world.world.server.next("POST /lists/notes", .losesAnswer)
        for _ in 1...3 { try await world.sync() }
        #expect(
            try await world.rows("SELECT title, _state FROM notes")
                == ["a|synced", "c|synced", "d|synced"])
        #expect(world.atServer.count == 3)
        world.change { $0.rows.removeFirst() }
        for _ in 1...3 { try await world.sync() }
        #expect(try await world.rows("SELECT title FROM notes") == ["c", "d"])
    }

    /// The reading of its eight pages takes longer than a list is good for, and so does the turn of the delete.
    @Test(arguments: [nil, 1] as [Int64?])
    func `D8: deletes by a list that a server lets be read slowly go all the same`(
        retryAfter: Int64?
    ) async throws {
        let world = try await Self.world(
            #"{"id":1,"title":"a"}"#, #"{"id":2,"title":"b"}"#, #"{"id":3,"title":"c"}"#,
            #"{"id":4,"title":"d"}"#, #"{"id":5,"title":"e"}"#, #"{"id":6,"title":"f"}"#,
            #"{"id":7,"title":"g"}"#, #"{"id":8,"title":"h"}"#,
            pages: #"{"cursor": "$.next_cursor", "as": "cursor"}"#, paging: .cursor, size: 1)
        try await world.sync()
        try await world.write("DELETE FROM notes WHERE title = 'b'")
        world.world.server.withServer {
            $0.behaviour.rateLimit = RateLimit(perSecond: 1, retryAfter: retryAfter)
        }
        let report = try await world.sync()
        #expect(report.replay.done == 1)
        #expect(world.atServer.count == 7)
    }

    @Test func `rows of another account are neither pulled over nor sent`() async throws {
        let world = try await Self.world(#"{"id":1,"title":"milk"}"#)
        try await world.sync()
        try await world.write("INSERT INTO notes (title) VALUES ('tea')")
        world.world.account = Account(baseURL: "http://127.0.0.1:9090", email: "")
        try await world.declare(
            pages: #""none""#, columns: Self.columns, more: #", "create": true, "delete": true"#)
        let before = world.world.server.lines.count
        let report = try await world.sync()
        #expect(report.state == .misconfigured)
        #expect(
            report.error
                == "the rows of notes are those of demo@example.com at http://127.0.0.1:8080, "
                + "but the configuration names http://127.0.0.1:9090, and a change waits")
        #expect(world.world.server.lines.count == before)
        #expect(try await world.written().last == "2|tea|-|-|-|queued|-")
    }

    @Test func `ids that are used again are other rows where the declaration says so`() async throws
    {
        let world = try await Self.world(
            #"{"id":1,"title":"milk"}"#, more: #", "identity": ["id", "title"]"#)
        try await world.sync()
        world.change { $0.rows = [#"{"id":1,"title":"tea"}"#] }
        try await world.sync()
        #expect(try await world.written() == ["2|tea|-|-|-|synced|1"])
    }
}
