import APIClient
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Runs in which the simulation of edits has found a law broken, as short as they can be.
@Suite struct EditLawScenarioTests {
    @Test func `a row that is edited and then deleted, all of it offline, is deleted`() async throws
    {
        let world = try await EditScenarioTests.world()
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        try await world.write("DELETE FROM notes WHERE _id = 1")
        for _ in 1...2 {
            try await world.sync()
            #expect(world.world.count("PATCH") == 0)
            #expect(world.world.count("DELETE") == 1)
            #expect(world.atServer == [#"{"id":2,"title":"b","done":false,"size":2}"#])
        }
        #expect(try await world.rows("SELECT count(*) FROM operation") == ["0"])
    }

    @Test func `a delete that is dropped gives its edits their turn`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write(
            """
            UPDATE notes SET title = 'ours' WHERE _id = 1;
            DELETE FROM notes WHERE _id = 1;
            DELETE FROM outbox WHERE op = 'delete';
            """)
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
        #expect(world.atServer[0] == #"{"id":1,"title":"ours","done":false,"size":1}"#)
    }

    @Test func `an answer that shows another row under the id is not learned`() async throws {
        let world = try await EditScenarioTests.world(more: #", "identity": ["id", "tags"]"#)
        try await world.write(
            """
            CREATE TABLE ours (row);
            INSERT INTO ours SELECT _id FROM notes WHERE _server_id = '1';
            """)
        let other = #"{"id":1,"title":"z","done":true,"size":9,"tags":["another"]}"#
        // Another client deletes the row, and its id is used again before our edit arrives.
        world.world.server.next("PATCH /lists/notes/1", .body(other))
        try await world.write("UPDATE notes SET size = 9 WHERE _server_id = '1'")
        try await world.sync()
        #expect(
            try await world.rows("SELECT title, size FROM notes, ours WHERE _id = row") == ["a|9"])
        world.change { $0.rows[0] = other }
        try await world.sync()
        #expect(try await world.rows("SELECT title FROM notes, ours WHERE _id = row") == [])
        #expect(
            try await world.rows("SELECT title FROM notes WHERE _server_id = '1'") == ["z"])
    }

    @Test func `a refusal holds for what was sent, and not for what is left of it`() async throws {
        let world = try await EditScenarioTests.world()
        world.world.server.next(
            "PATCH /lists/notes/1", .body(#"{"error":"no"}"#, status: 422))
        try await world.write("UPDATE notes SET title = 'ours', size = 7 WHERE _id = 1")
        try await world.sync()
        try await world.sync()
        #expect(world.world.count("PATCH") == 1)
        world.change { $0.rows[0] = #"{"id":1,"title":"a","done":false,"size":7}"# }
        for _ in 1...2 { try await world.sync() }
        #expect(world.world.count("PATCH") == 2)
        #expect(world.atServer[0] == #"{"id":1,"title":"ours","done":false,"size":7}"#)
    }

    @Test func `edits and the delete over them are dropped by one statement`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write(
            """
            UPDATE notes SET title = 'ours' WHERE _id = 1;
            DELETE FROM notes WHERE _id = 1;
            DELETE FROM outbox;
            """)
        try await world.sync()
        #expect(try await world.written()[0] == "1|a|0|1|-|synced|1")
        #expect(world.world.server.lines.allSatisfy { $0.hasPrefix("GET") })
    }

    @Test func `a delete whose edits are dropped while it is refused shows its row again`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        let store = world.world.store
        world.world.server.next(
            "DELETE /lists/notes/1",
            .after(
                {
                    do {
                        try await store.withConnection {
                            try $0.execute(script: "DELETE FROM outbox WHERE op = 'update'")
                        }
                    } catch {
                        Issue.record(error)
                    }
                }, .body(#"{"error":"no"}"#, status: 422)))
        try await world.write(
            "UPDATE notes SET title = 'ours' WHERE _id = 1; DELETE FROM notes WHERE _id = 1")
        for _ in 1...2 { try await world.sync() }
        #expect(try await world.written()[0] == "1|a|0|1|-|rejected|1")
        #expect(world.world.count("PATCH") == 0)
    }

    @Test func `an edit of a row whose id a create of ours has got stands in conflicts`()
        async throws
    {
        let world = try await EditScenarioTests.world(more: #", "identity": ["id", "tags"]"#)
        try await world.write(
            "UPDATE notes SET size = 5 WHERE _id = 2; INSERT INTO notes (title) VALUES ('new')")
        world.world.server.next(
            "POST /lists/notes", .body(#"{"id":2,"title":"new","tags":[1]}"#, status: 201))
        world.world.server.next("PATCH /lists/notes/2", .losesRequest)
        try await world.sync()
        #expect(
            try await world.rows("SELECT row_id, field, why, mine FROM conflicts") == [
                "2|size|gone|5"
            ])
    }

    /// What a program does while a request is under way.
    private static func during(
        _ line: String, of world: ListWorld, _ sql: String, then act: ScriptedServer.Act
    ) {
        let store = world.world.store
        world.world.server.next(
            line,
            .after(
                {
                    await #expect(throws: Never.self) {
                        try await store.withConnection { try $0.execute(script: sql) }
                    }
                }, act))
    }

    @Test func `edits behind a create that are dropped before it is refused leave what was sent`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        Self.during(
            "POST /lists/notes", of: world,
            """
            UPDATE notes SET title = 'newer' WHERE title = 'new';
            DELETE FROM outbox WHERE op = 'update';
            """, then: .body(#"{"error":"no"}"#, status: 422))
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["create|rejected"])
        try await world.write("UPDATE outbox SET state = 'queued'")
        try await world.sync()
        #expect(world.atServer.last == #"{"id":1000001,"title":"new"}"#)
        #expect(try await world.written().last == "3|new|-|-|-|synced|1000001")
    }

    /// Before syncd has looked at what was dropped.
    @Test(arguments: ["UPDATE outbox SET state = 'queued'", ""])
    func `edits over one in doubt that are dropped before its doubt is ended leave what was sent`(
        retry: String
    ) async throws {
        let world = try await EditScenarioTests.world()
        world.world.server.next("PATCH /lists/notes/1", .losesRequest)
        world.world.server.next("POST /lists/notes", .losesRequest)
        try await world.write(
            """
            UPDATE notes SET title = 'ours' WHERE _id = 1; INSERT INTO notes (title) VALUES ('new');
            """)
        try await world.sync(then: .seconds(1))
        try await world.write(
            """
            UPDATE notes SET title = 'newer', size = 7 WHERE title IN ('new', 'ours');
            DELETE FROM outbox WHERE state = 'queued';
            UPDATE outbox SET state = 'rejected'; \(retry);
            """)
        if retry.isEmpty {
            try await world.sync()
            #expect(
                try await world.rows("SELECT op, state FROM outbox ORDER BY op") == [
                    "create|rejected", "update|rejected",
                ])
            try await world.write("UPDATE outbox SET state = 'queued'")
        }
        try await world.sync()
        #expect(world.atServer.first == #"{"id":1,"title":"ours","done":false,"size":1}"#)
        #expect(world.atServer.last == #"{"id":1000001,"title":"new"}"#)
        #expect(
            try await world.rows(
                "SELECT title, size, _state FROM notes WHERE _id <> 2 ORDER BY _id")
                == ["ours|1|synced", "new|-|synced"])
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    /// Nobody can drop them alone: the create would have lost its own values with them.
    @Test(arguments: ["UPDATE outbox SET state = 'queued'", ""])
    func `edits over a create in doubt are a part of it when its doubt is ended`(
        retry: String
    ) async throws {
        let world = try await EditScenarioTests.world()
        world.world.server.next("POST /lists/notes", .losesRequest)
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await world.sync(then: .seconds(1))
        try await world.write(
            """
            UPDATE notes SET title = 'newer', size = 7 WHERE title = 'new';
            UPDATE outbox SET state = 'rejected' WHERE op = 'create'; \(retry);
            """)
        #expect(try await world.rows("SELECT op FROM outbox") == ["create"])
        try await world.write("DELETE FROM outbox WHERE op = 'update'")
        try await world.sync()
        #expect(world.atServer.last == #"{"id":1000001,"title":"newer","size":7}"#)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `an edit in doubt that is dropped after the one over it leaves what the server has`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        world.world.server.next("PATCH /lists/notes/1", .losesRequest)
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        try await world.sync(then: .seconds(1))
        try await world.write(
            """
            UPDATE notes SET title = 'newer', size = 7 WHERE _id = 1;
            DELETE FROM outbox WHERE state = 'queued';
            UPDATE outbox SET state = 'rejected';
            DELETE FROM outbox;
            """)
        try await world.sync()
        #expect(try await world.written().first == "1|a|0|1|-|synced|1")
        #expect(world.world.count("PATCH") == 1)
    }

    /// What had been sent before was never there, though the server had said yes to it.
    @Test func `an edit that was refused, taken and dropped is told with what was there before`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        let server = world.world.server
        server.next("PATCH", .status(204), .status(503))
        try await world.write("UPDATE notes SET size = 11 WHERE _id = 1")
        try await world.sync()
        try await world.write("UPDATE notes SET size = 5 WHERE _id = 1")
        try await world.sync()
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        let no = HTTPResponse(status: 200, body: Array(#"{"ok":false,"error":"no"}"#.utf8))
        server.next("PATCH", .worksButAnswers(no))
        try await world.sync()
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|rejected"])
        try await world.write("DELETE FROM outbox")
        for _ in 1...2 { try await world.sync() }
        #expect(try await world.written()[0] == "1|a|0|5|-|synced|1")
        #expect(
            try await world.rows("SELECT field, why, mine, theirs FROM conflicts") == [
                "size|not taken|1|5"
            ])
    }

    /// A filter hides the new rows, or the server makes none.
    @Test
    func
        `a create that is answered without a row, and that no list shows, is not made again`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        world.world.server.always("POST /lists/notes", .status(204))
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        // The first of the two lists that have to lack it begins a minute after the answer.
        for _ in 1...2 {
            try await world.sync()
            #expect(try await world.rows("SELECT op, state FROM outbox") == ["create|acknowledged"])
        }
        for _ in 3...12 {
            try await world.sync()
            #expect(
                try await world.rows("SELECT op, state, last_status, last_error FROM outbox") == [
                    "create|rejected|-|the server said yes, and no list has shown the row since"
                ])
        }
        #expect(world.world.count("POST") == 1)
    }

    @Test func `what the answer to a create has beside what was sent is no change of another`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        Self.during(
            "POST /lists/notes", of: world,
            "UPDATE notes SET title = 'newer', size = 7 WHERE title = 'new'",
            then: .body(#"{"id":2000000,"title":"new","done":false,"size":0}"#, status: 201))
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        world.change { $0.rows.append(#"{"id":2000000,"title":"new","done":false,"size":0}"#) }
        try await world.sync()
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        #expect(
            world.atServer.last == #"{"id":2000000,"title":"newer","done":false,"size":7}"#)
    }

    @Test func `an update of the whole document has the row as this cycle has shown it`()
        async throws
    {
        let world = try await EditScenarioTests.world(
            update: #"{"method": "PUT", "body": "@document"}"#, more: #", "read": true"#)
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        world.change { list in
            list.rows[0] = #"{"id":1,"title":"theirs","done":false,"size":1,"more":2}"#
        }
        try await world.sync()
        #expect(world.world.count("PUT") == 1)
        #expect(world.atServer[0] == #"{"id":1,"title":"theirs","done":true,"size":1,"more":2}"#)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }
}
