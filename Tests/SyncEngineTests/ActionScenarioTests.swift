import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Changes that have a call of their own.
@Suite struct ActionScenarioTests {
    private static let calls = #"""
        [{"when": {"done": true}, "path": "/lists/notes/{id}/close"},
         {"when": {"done": false}, "path": "/lists/notes/{id}/open"}, true]
        """#

    private static func world(_ calls: String = calls) async throws -> ListWorld {
        try await EditScenarioTests.world(update: calls)
    }

    /// The server does what the path says, and answers without the row.
    private static func act(_ world: ListWorld, _ path: String, _ row: String, loses: Bool = false)
    {
        let server = world.world.server
        server.next(
            "POST /lists/notes/\(path)",
            .after(
                {
                    server.withServer { $0.declaredLists["notes"]?.rows[0] = row }
                }, loses ? .losesRequest : .status(204)))
    }

    private func calls(_ world: ListWorld) -> [String] {
        world.world.server.lines.filter { !$0.hasPrefix("GET") }.map {
            $0.split(separator: " ").prefix(2).joined(separator: " ")
        }
    }

    @Test func `a change of two columns goes by two calls, one after the other`() async throws {
        let world = try await Self.world()
        Self.act(world, "1/close", #"{"id":1,"title":"a","done":true,"size":1}"#)
        try await world.write("UPDATE notes SET done = 1, title = 'b' WHERE _id = 1")
        for _ in 0..<3 { try await world.sync() }
        #expect(calls(world) == ["POST /lists/notes/1/close", "PATCH /lists/notes/1"])
        #expect(world.world.server.requests.first { $0.method == .post }?.body == nil)
        #expect(world.atServer[0] == #"{"id":1,"title":"b","done":true,"size":1}"#)
        #expect(try await world.written()[0] == "1|b|1|1|-|synced|1")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `a call whose answer was lost is sent again only if the server shows the old value`()
        async throws
    {
        let world = try await Self.world()
        Self.act(world, "1/close", #"{"id":1,"title":"a","done":true,"size":1}"#, loses: true)
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        for _ in 0..<3 { try await world.sync() }
        #expect(calls(world) == ["POST /lists/notes/1/close"])
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test(arguments: [false, true])
    func `a call that turns a value is sent only if a read shows the old one`(isTurned: Bool)
        async throws
    {
        let world = try await EditScenarioTests.world(
            update:
                #"[{"for": ["done"], "path": "/lists/notes/{id}/turn", "toggle": true}, true]"#,
            more: #", "read": true"#)
        let server = world.world.server
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        if isTurned {
            // Between the list and the call, another client turns it.
            server.next(
                "GET /lists/notes/1",
                .after(
                    {
                        server.withServer {
                            $0.declaredLists["notes"]?.rows[0] =
                                #"{"id":1,"title":"a","done":true,"size":1}"#
                        }
                    }, .works))
        } else {
            Self.act(world, "1/turn", #"{"id":1,"title":"a","done":true,"size":1}"#, loses: true)
        }
        for _ in 0..<4 { try await world.sync() }
        #expect(calls(world) == (isTurned ? [] : ["POST /lists/notes/1/turn"]))
        #expect(try await world.written()[0] == "1|a|1|1|-|synced|1")
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `a refused call leaves what another one takes, and is not sent again for it`()
        async throws
    {
        let world = try await Self.world()
        world.world.server.always("POST /lists/notes/1/close", .status(422))
        try await world.write("UPDATE notes SET done = 1, title = 'b' WHERE _id = 1")
        for _ in 0..<4 { try await world.sync() }
        #expect(calls(world) == ["POST /lists/notes/1/close"])
        #expect(try await world.written()[0] == "1|b|1|1|-|rejected|1")
        // What else a person does to the row is sent with what was refused.
        try await world.write("UPDATE notes SET done = 0 WHERE _id = 1")
        for _ in 0..<2 { try await world.sync() }
        #expect(world.atServer[0].contains(#""title":"b""#))
        #expect(try await world.written()[0] == "1|b|0|1|-|synced|1")
    }

    @Test func `what no call makes of a column is refused at the statement`() async throws {
        let world = try await Self.world(
            #"""
            [{"when": {"done": true}, "path": "/lists/notes/{id}/close"},
             {"for": ["title", "size"], "body": "@changed"}]
            """#)
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        await #expect(throws: (any Error).self) {
            try await world.write(
                "UPDATE notes SET done = 0 WHERE _id = 2; UPDATE notes SET done = NULL")
        }
        #expect(
            await world.complaint("UPDATE notes SET done = NULL WHERE _id = 2")?.contains(
                "can only become 1: the server has no call for another value") == true)
    }

    @Test func `a path has the new value of a column of its call, and the old one of any other`()
        async throws
    {
        let world = try await Self.world(
            #"[{"for": ["size"], "method": "POST", "path": "/lists/notes/{title}/{size}", "body": {}}, true]"#
        )
        world.world.server.always("POST /lists/notes/", .status(204))
        try await world.write("UPDATE notes SET size = 7, title = 'new' WHERE _id = 1")
        try await world.sync()
        #expect(calls(world).first == "POST /lists/notes/a/7")
    }
}

extension ListWorld {
    /// What the statement is refused with.
    func complaint(_ sql: String) async -> String? {
        do {
            try await write(sql)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
