import ReferenceAPI
import TestSupport
import Testing

/// Rows whose id at the server is made of what programs change: a name, a title.
@Suite struct MovedRowTests {
    private static let first = #"{"id":"first","title":"First","done":false,"size":1}"#
    private static let named = #"{"id":"new-name","title":"New name","done":false,"size":1}"#

    private static func world() async throws -> ListWorld {
        let world = try await EditScenarioTests.world()
        world.change {
            $0.rows = [first, #"{"id":"second","title":"Second","done":false,"size":2}"#]
        }
        try await world.sync()
        try await world.write("DELETE FROM conflicts")
        #expect(
            try await world.rows("SELECT _id, _server_id FROM notes") == ["3|first", "4|second"])
        return world
    }

    @Test func `a row that an answer shows under another id has moved there`() async throws {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/first", .body(Self.named))
        try await world.write("UPDATE notes SET title = 'New name' WHERE _id = 3")
        try await world.sync()
        #expect(
            try await world.written()[0] == "3|New name|0|1|-|synced|new-name")
        world.change { $0.rows[0] = Self.named }
        // A later edit of it goes there.
        try await world.write("UPDATE notes SET size = 7 WHERE _id = 3")
        try await world.sync()
        #expect(world.world.server.lines.contains { $0.hasPrefix("PATCH /lists/notes/new-name") })
        #expect(try await world.written()[0] == "3|New name|0|7|-|synced|new-name")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    /// The answer is lost, and the list shows the row under its new id.
    @Test func `a row that a list shows under another id after a lost answer has moved there`()
        async throws
    {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/first", .losesRequest)
        try await world.write("UPDATE notes SET title = 'New name' WHERE _id = 3")
        try await world.sync()
        world.change { $0.rows[0] = Self.named }
        for _ in 1...3 { try await world.sync() }
        #expect(try await world.written()[0] == "3|New name|0|1|-|synced|new-name")
        #expect(world.world.count("PATCH") == 1)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    /// Another row has the id, the answer lacks what was sent, another column is otherwise, or the id is a number.
    @Test(
        arguments: [
            #"{"id":"second","title":"New name","done":false,"size":1}"#,
            #"{"id":"new-name","title":"Other","done":false,"size":1}"#,
            #"{"id":"new-name","title":"New name","done":true,"size":1}"#,
            #"{"id":5,"title":"New name","done":false,"size":1}"#,
        ])
    func `an answer that shows another row moves none`(answer: String) async throws {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/first", .body(answer))
        try await world.write("UPDATE notes SET title = 'New name' WHERE _id = 3")
        try await world.sync()
        #expect(
            try await world.rows("SELECT _id, _server_id FROM notes") == ["3|first", "4|second"])
    }

    @Test func `of two rows that a lost update can have made none is taken`() async throws {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/first", .losesRequest)
        try await world.write("UPDATE notes SET title = 'New name' WHERE _id = 3")
        try await world.sync()
        let other = #"{"id":"new-name-2","title":"New name","done":false,"size":1}"#
        world.change { $0.rows = [Self.named, other] }
        for _ in 1...4 { try await world.sync() }
        #expect(try await world.rows("SELECT _id FROM notes WHERE _id = 3").isEmpty)
    }
}
