import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Rows that programs change, at the reference server.
@Suite struct EditScenarioTests {
    static func world(update: String = "true", more: String = "") async throws -> ListWorld {
        var list = ReferenceList(
            rows: [
                #"{"id":1,"title":"a","done":false,"size":1}"#,
                #"{"id":2,"title":"b","done":false,"size":2}"#,
            ],
            paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "done": {"boolean": "$.done", "write": "both"},
                "size": {"integer": "$.size", "write": "both"},
                "tags": "json $.tags"\#(more.contains("\"key\"") ? #", "key": "text $.key""# : "")
                """#, more: #", "create": true, "update": \#(update), "delete": true"# + more)
        try await world.sync()
        return world
    }

    @Test func `an edit shows at once, and reaches the server as what changed`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        #expect(try await world.written()[1] == "2|b|1|2|-|queued|2")
        try await world.sync()
        #expect(world.atServer[1] == #"{"id":2,"title":"b","done":true,"size":2}"#)
        #expect(world.world.server.lines.contains { $0.hasPrefix("PATCH /lists/notes/2") })
        #expect(try await world.written()[1] == "2|b|1|2|-|synced|2")
        try await world.sync()
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    /// A server that closes what it has, and creates nothing closed.
    private static func closing() async throws -> ListWorld {
        var list = ReferenceList(rows: [], paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "done": {"boolean": "$.done", "write": "update"},
                "size": "integer $.size", "tags": "json $.tags"
                """#, more: #", "create": true, "update": true, "delete": true"#)
        try await world.sync()
        return world
    }

    @Test(arguments: [
        "INSERT INTO notes (title, done) VALUES ('a', 1)",
        "INSERT INTO notes (title) VALUES ('a'); UPDATE notes SET done = 1",
    ])
    func `what a create cannot give goes right after it`(sql: String) async throws {
        let world = try await Self.closing()
        try await world.write(sql)
        try await world.sync()
        try await world.sync()
        #expect(world.world.count("POST") == 1)
        #expect(world.world.count("PATCH") == 1)
        #expect(world.atServer.count == 1 && world.atServer[0].contains(#""done":true"#))
        #expect(try await world.written() == ["1|a|1|-|-|synced|1000001"])
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `an edit to NULL is sent as null, and one back to what was there is none`()
        async throws
    {
        let world = try await Self.world()
        try await world.write(
            """
            UPDATE notes SET size = NULL WHERE _id = 1;
            UPDATE notes SET title = 'x' WHERE _id = 2;
            UPDATE notes SET title = 'b' WHERE _id = 2;
            """)
        try await world.sync()
        #expect(
            world.atServer == [
                #"{"id":1,"title":"a","done":false,"size":null}"#,
                #"{"id":2,"title":"b","done":false,"size":2}"#,
            ])
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `another's change of another field stays`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        world.change { $0.rows[0] = #"{"id":1,"title":"theirs","done":false,"size":1}"# }
        try await world.sync()
        #expect(world.atServer[0] == #"{"id":1,"title":"theirs","done":true,"size":1}"#)
        #expect(try await world.written()[0] == "1|theirs|1|1|-|synced|1")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `P36: an edit that meets another's change is taken back, and both are on record`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours', size = 5 WHERE _id = 1")
        world.change { $0.rows[0] = #"{"id":1,"title":"theirs","done":false,"size":1}"# }
        try await world.sync()
        #expect(world.atServer[0] == #"{"id":1,"title":"theirs","done":false,"size":5}"#)
        #expect(try await world.written()[0] == "1|theirs|0|5|-|synced|1")
        #expect(
            try await world.rows("SELECT row_id, field, why, mine, theirs FROM conflicts") == [
                "1|title|edited|ours|theirs"
            ])
        try await world.write("DELETE FROM conflicts")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `where ours win, the edit is sent, and the other value is on record`() async throws {
        let world = try await Self.world(more: #", "conflict": "mine""#)
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        world.change { $0.rows[0] = #"{"id":1,"title":"theirs","done":false,"size":1}"# }
        try await world.sync()
        #expect(world.atServer[0] == #"{"id":1,"title":"ours","done":false,"size":1}"#)
        #expect(
            try await world.rows("SELECT row_id, field, why, mine, theirs FROM conflicts") == [
                "1|title|overwritten|ours|theirs"
            ])
    }

    @Test func `a row that is new is edited in its create`() async throws {
        let world = try await Self.world()
        try await world.write(
            "INSERT INTO notes (title) VALUES ('new'); UPDATE notes SET size = 9 WHERE title = 'new'"
        )
        try await world.sync()
        try await world.sync()
        #expect(world.world.count("POST") == 1)
        #expect(world.world.count("PATCH") == 0)
        #expect(world.atServer.last == #"{"id":1000001,"title":"new","size":9}"#)
    }

    @Test func `an edit of a row that is gone stands in conflicts`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        world.change { $0.rows.removeFirst() }
        for _ in 1...3 { try await world.sync() }
        #expect(try await world.written() == ["2|b|0|2|-|synced|2"])
        #expect(
            try await world.rows("SELECT row_id, field, why, mine, theirs FROM conflicts") == [
                "1|title|gone|ours|-"
            ])
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `a dropped edit gives back what lies beneath`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1; DELETE FROM outbox")
        try await world.sync()
        #expect(try await world.written()[0] == "1|a|0|1|-|synced|1")
        #expect(world.world.count("PATCH") == 0)
    }

    @Test func `a delete gives way to another's change`() async throws {
        let world = try await Self.world()
        try await world.write("DELETE FROM notes WHERE _id = 1")
        world.change { $0.rows[0] = #"{"id":1,"title":"theirs","done":false,"size":1}"# }
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
        #expect(try await world.written()[0] == "1|theirs|0|1|-|synced|1")
        #expect(
            try await world.rows("SELECT row_id, field, why, theirs FROM conflicts") == [
                "1|title|delete|theirs"
            ])
    }

    // MARK: Lost answers

    private static let patch = "PATCH /lists/notes/1"

    /// An edit of row 1 whose answer is lost, after or before the server took it.
    private static func lost(
        _ event: ScriptedServer.Act, edit: String = "title = 'ours'",
        then passing: Duration = .seconds(60)
    ) async throws -> ListWorld {
        let world = try await Self.world()
        world.world.server.next(patch, event)
        try await world.write("UPDATE notes SET \(edit) WHERE _id = 1")
        try await world.sync(then: passing)
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|in doubt"])
        #expect(try await world.rows("SELECT title FROM notes WHERE _id = 1") == ["ours"])
        return world
    }

    @Test func `an edit that arrived is not sent again`() async throws {
        let world = try await Self.lost(.losesAnswer)
        for _ in 1...2 { try await world.sync() }
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.written()[0] == "1|ours|0|1|-|synced|1")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `P35: an edit that did not arrive is sent again`() async throws {
        let world = try await Self.lost(.losesRequest)
        for _ in 1...2 { try await world.sync() }
        #expect(world.world.count("PATCH") == 2)
        #expect(world.atServer[0] == #"{"id":1,"title":"ours","done":false,"size":1}"#)
        #expect(try await world.written()[0] == "1|ours|0|1|-|synced|1")
    }

    @Test func `what may have arrived is not sent over another's value`() async throws {
        let world = try await Self.lost(.losesAnswer)
        world.change { $0.rows[0] = #"{"id":1,"title":"theirs","done":false,"size":1}"# }
        for _ in 1...2 { try await world.sync() }
        #expect(world.world.count("PATCH") == 1)
        #expect(world.atServer[0] == #"{"id":1,"title":"theirs","done":false,"size":1}"#)
        #expect(
            try await world.rows("SELECT row_id, field, why, mine, theirs FROM conflicts") == [
                "1|title|doubt|ours|theirs"
            ])
    }

    @Test func `an edit over one in doubt waits, and goes after it`() async throws {
        let world = try await Self.lost(.losesAnswer)
        try await world.write("UPDATE notes SET title = 'newer', size = 3 WHERE _id = 1")
        #expect(
            try await world.rows("SELECT op, state FROM outbox ORDER BY seq") == [
                "update|in doubt", "update|queued",
            ])
        for _ in 1...3 { try await world.sync() }
        #expect(world.atServer[0] == #"{"id":1,"title":"newer","done":false,"size":3}"#)
        #expect(world.world.count("PATCH") == 2)
        #expect(try await world.written()[0] == "1|newer|0|3|-|synced|1")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    /// Set back to the base while the first edit may be at the server.
    @Test(arguments: [true, false])
    func `an edit back to the old value is one while another is undecided`(
        arrives: Bool
    ) async throws {
        let world = try await Self.lost(arrives ? .losesAnswer : .losesRequest)
        try await world.write("UPDATE notes SET title = 'a' WHERE _id = 1")
        for _ in 1...3 { try await world.sync() }
        #expect(world.atServer[0] == #"{"id":1,"title":"a","done":false,"size":1}"#)
        #expect(try await world.written()[0] == "1|a|0|1|-|synced|1")
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `a delete goes over an edit that waits`() async throws {
        let world = try await Self.world()
        try await world.write(
            "UPDATE notes SET title = 'ours' WHERE _id = 1; DELETE FROM notes WHERE _id = 1")
        try await world.sync()
        #expect(world.atServer.count == 1)
        // Until a list shows that the server took the delete, the edit can be wanted again.
        let waiting = "SELECT kind, state FROM operation ORDER BY kind"
        #expect(try await world.rows(waiting) == ["delete|acknowledged", "update|queued"])
        try await world.sync()
        #expect(try await world.rows(waiting).isEmpty)
        #expect(world.world.count("PATCH") == 0)
        #expect(world.world.count("DELETE") == 1)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `a delete goes over an edit that did not arrive`() async throws {
        let world = try await Self.lost(.losesRequest)
        try await world.write("DELETE FROM notes WHERE _id = 1")
        for _ in 1...3 { try await world.sync() }
        #expect(world.atServer.count == 1)
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    /// Until two timeouts have passed, it may still be on its way.
    @Test(arguments: [
        "UPDATE notes SET title = 'newer' WHERE _id = 1", "DELETE FROM notes WHERE _id = 1",
    ])
    func `while an edit is undecided, nothing else is sent for its row`(sql: String) async throws {
        let world = try await Self.lost(.losesRequest, then: .seconds(19))
        try await world.write(sql)
        try await world.sync()
        #expect(world.world.count("PATCH") + world.world.count("DELETE") == 1)
        for _ in 1...3 { try await world.sync() }
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
        #expect(
            world.atServer.first == #"{"id":1,"title":"newer","done":false,"size":1}"#
                || world.atServer.count == 1)
    }

    @Test func `a delete waits for the edit before it`() async throws {
        let world = try await Self.lost(.losesAnswer)
        try await world.write("DELETE FROM notes WHERE _id = 1")
        for _ in 1...4 { try await world.sync() }
        #expect(world.atServer.count == 1)
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.written().count == 1)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `an edit behind a create with a lost answer goes over the row that is found`()
        async throws
    {
        let world = try await Self.world()
        world.world.server.next("POST /lists/notes", .losesAnswer)
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        try await world.write("UPDATE notes SET title = 'newer' WHERE title = 'new'")
        for _ in 1...3 { try await world.sync() }
        #expect(world.world.count("POST") == 1)
        #expect(world.atServer.last == #"{"id":1000001,"title":"newer"}"#)
        #expect(try await world.written().last == "3|newer|-|-|-|synced|1000001")
    }

    @Test func `a create waits for an equal one in doubt whose row has been edited`() async throws {
        let world = try await Self.world()
        world.world.server.next("POST /lists/notes", .losesRequest)
        try await world.write("INSERT INTO notes (title, size) VALUES ('new', 1)")
        try await world.sync()
        try await world.write(
            """
            UPDATE notes SET title = 'newer' WHERE title = 'new';
            INSERT INTO notes (title, size) VALUES ('new', 2);
            """)
        try await world.sync()
        #expect(world.world.count("POST") == 1)
        for _ in 1...3 { try await world.sync() }
        #expect(world.world.count("POST") == 3)
        let rows = try await world.rows(
            "SELECT title, size, _state FROM notes WHERE _id > 2 ORDER BY _id")
        #expect(rows == ["newer|1|synced", "new|2|synced"])
    }

    @Test func `an edit behind a create that did not arrive goes with it`() async throws {
        let world = try await Self.world()
        world.world.server.next("POST /lists/notes", .losesRequest)
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        try await world.write("UPDATE notes SET title = 'newer' WHERE title = 'new'")
        for _ in 1...3 { try await world.sync() }
        #expect(world.atServer.last == #"{"id":1000001,"title":"newer"}"#)
        #expect(world.atServer.count == 3)
        #expect(world.world.count("PATCH") == 0)
    }

    @Test func `a refused edit waits for the person, and goes when it is changed`() async throws {
        let world = try await Self.world()
        world.world.server.next(Self.patch, .body(#"{"error":"no"}"#, status: 422))
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        try await world.sync()
        #expect(try await world.written()[0] == "1|ours|0|1|-|rejected|1")
        try await world.sync()
        #expect(world.world.count("PATCH") == 1)
        try await world.write("UPDATE notes SET title = 'better' WHERE _id = 1")
        for _ in 1...2 { try await world.sync() }
        #expect(world.atServer[0] == #"{"id":1,"title":"better","done":false,"size":1}"#)
        #expect(try await world.written()[0] == "1|better|0|1|-|synced|1")
    }
}
