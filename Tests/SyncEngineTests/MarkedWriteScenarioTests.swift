import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Changes of rows that a list shows with a mark, and that the table does not have for it.
@Suite struct MarkedWriteScenarioTests {
    private static func world(more: String = "") async throws -> ListWorld {
        try await EditScenarioTests.world(
            more: #", "while": {"$.done": false, "$.size": [1, 2, null]}"# + more)
    }

    @Test func `an edit that marks its row arrives, and the row leaves`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        try await world.sync()
        #expect(world.atServer[1].contains(#""done":true"#))
        try await world.sync()
        #expect(try await world.written() == ["1|a|0|1|-|synced|1"])
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        #expect(world.world.count("PATCH") == 1)
    }

    @Test func `a create with a lost answer finds its row by its own mark although it is out`()
        async throws
    {
        let world = try await Self.world(more: #", "once": {"column": "key", "form": "hex"}"#)
        world.world.server.next("POST", .losesAnswer)
        try await world.write("INSERT INTO notes (title, done) VALUES ('c', 1)")
        for _ in 0..<3 { try await world.sync() }
        #expect(world.world.count("POST") == 1)
        #expect(try await world.written().count == 2)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `a create with a lost answer takes no marked row that only looks like it`()
        async throws
    {
        let world = try await Self.world()
        world.change { $0.rows.append(#"{"id":9,"title":"c","done":true,"size":null}"#) }
        try await world.sync()
        world.world.server.next("POST", .losesRequest)
        try await world.write("INSERT INTO notes (title) VALUES ('c')")
        for _ in 0..<4 { try await world.sync() }
        #expect(world.world.count("POST") == 2)
        #expect(try await world.rows("SELECT title FROM notes") == ["a", "b", "c"])
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `a marked row that no change is about stays out while a create is in doubt`()
        async throws
    {
        let world = try await Self.world(more: #", "once": {"column": "key", "form": "hex"}"#)
        world.world.server.next("POST", .losesRequest)
        world.change {
            $0.rows.append(#"{"id":9,"title":"z","done":true,"size":1,"key":"theirs"}"#)
        }
        try await world.write("INSERT INTO notes (title) VALUES ('c')")
        for _ in 0..<4 { try await world.sync() }
        #expect(world.world.count("POST") == 2)
        #expect(try await world.rows("SELECT title FROM notes") == ["a", "b", "c"])
        #expect(try await world.rows("SELECT change FROM changes WHERE title = 'z'").isEmpty)
    }

    @Test func `a row that comes back after a long time has its number again`() async throws {
        let world = try await Self.world()
        let numbers = "SELECT _id, title FROM notes ORDER BY _id"
        world.change { $0.rows[1] = #"{"id":2,"title":"b","done":true,"size":2}"# }
        for _ in 0..<5 { try await world.sync() }
        #expect(try await world.rows(numbers) == ["1|a"])
        world.change { $0.rows[1] = #"{"id":2,"title":"b","done":false,"size":2}"# }
        world.change { $0.rows.append(#"{"id":3,"title":"c","done":false,"size":2}"#) }
        try await world.sync()
        #expect(try await world.rows(numbers) == ["1|a", "2|b", "3|c"])
    }

    @Test func `an edit of a row that another client has marked is sent all the same`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'mine' WHERE _id = 2")
        world.change { $0.rows[1] = #"{"id":2,"title":"b","done":true,"size":2}"# }
        try await world.sync()
        #expect(world.atServer[1].contains("mine"))
        try await world.sync()
        #expect(try await world.written() == ["1|a|0|1|-|synced|1"])
    }

    @Test func `an edit that the server refuses to find is told, and its row leaves`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'mine' WHERE _id = 2")
        world.change { $0.rows[1] = #"{"id":2,"title":"b","done":true,"size":2}"# }
        world.world.server.always("PATCH", .status(404))
        for _ in 0..<4 { try await world.sync() }
        #expect(try await world.written() == ["1|a|0|1|-|synced|1"])
        #expect(try await world.rows("SELECT mine FROM conflicts") == ["mine"])
        #expect(world.world.count("PATCH") == 1)
    }

    @Test
    func `where rows can be read, a proxy that does not find a marked row does not end its edit`()
        async throws
    {
        let world = try await Self.world(more: #", "read": true"#)
        try await world.write("UPDATE notes SET title = 'mine' WHERE _id = 2")
        world.change { $0.rows[1] = #"{"id":2,"title":"b","done":true,"size":2}"# }
        world.world.server.next("PATCH", .status(404))
        for _ in 0..<4 { try await world.sync() }
        #expect(world.atServer[1].contains("mine"))
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        #expect(try await world.written() == ["1|a|0|1|-|synced|1"])
    }

    @Test(arguments: [false, true])
    func `a delete that marks its row is done once a list shows the mark`(isLost: Bool)
        async throws
    {
        let world = try await Self.world()
        try await world.declare(
            pages: #""none""#,
            columns: #""title": {"text": "$.title", "write": "both", "required": true}"#,
            more: #"""
                , "while": {"$.done": false}, "create": true, "update": true,
                "delete": {"method": "PATCH", "body": {"done": true}}
                """#)
        if isLost { world.world.server.next("PATCH", .losesAnswer) }
        try await world.write("DELETE FROM notes WHERE _id = 1")
        try await world.sync()
        #expect(world.atServer[0].contains(#""done":true"#))
        for _ in 0..<3 { try await world.sync() }
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.rows("SELECT title FROM notes") == ["b"])
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }
}
