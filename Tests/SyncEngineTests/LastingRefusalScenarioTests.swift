import APIClient
import Declarations
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// S2: a change that will never be accepted as it is does not wait for ever.
@Suite struct LastingRefusalScenarioTests {
    private static func words(_ words: String, _ status: Int = 500) -> ScriptedServer.Act {
        .body(#"{"error":"\#(words)"}"#, status: status)
    }

    /// Goes on for three hours, a cycle each minute.
    private func wait(_ world: EngineWorld) async throws {
        for _ in 0..<180 {
            world.time.advance(by: .seconds(60))
            try await world.sync(.asked(acceptsRemovals: false))
        }
    }

    /// The same with the declared list.
    private func wait(_ world: ListWorld) async throws {
        for _ in 0..<180 {
            world.world.time.advance(by: .seconds(60))
            try await world.sync()
        }
    }

    @Test(arguments: ["POST", "DELETE"])
    func `S2: the same 500 with the same words for ten tries over an hour is a refusal`(
        method: String
    ) async throws {
        let world = try EngineWorld("milk", "bread")
        try await world.sync()
        if method == "POST" { try await world.add("tea") } else { try await world.remove("milk") }
        world.server.always(method + " /todos", Self.words("no such shelf"))
        for _ in 0..<58 {
            world.time.advance(by: .seconds(60))
            try await world.sync(.asked(acceptsRemovals: false))
        }
        #expect(try await world.store.outbox().map(\.state) != ["rejected"], "not within an hour")
        try await wait(world)
        let operation = try #require(try await world.store.outbox().first)
        #expect(operation.state == "rejected")
        #expect(operation.lastError?.contains("no such shelf") == true)
        #expect(world.count(method + " /todos") >= 10)
        let sent = world.count(method + " /todos")
        try await wait(world)
        #expect(world.count(method + " /todos") == sent, "it is never sent again by itself")
    }

    @Test func `S2: an edit that is refused so is rejected, and the others of its list go on`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        try await world.write("UPDATE notes SET size = 9 WHERE _id = 1")
        world.world.server.always("PATCH /lists/notes/1", Self.words("no such shelf"))
        try await wait(world)
        #expect(try await world.written()[0].contains("rejected"))
        let operation = try #require(try await world.world.store.outbox().first)
        #expect(operation.state == "rejected")
        #expect(operation.lastError?.contains("no such shelf") == true)
        let sent = world.world.count("PATCH /lists/notes/1")
        #expect(sent >= 10)
        try await world.write("UPDATE notes SET size = 8 WHERE _id = 2")
        try await wait(world)
        #expect(
            world.world.count("PATCH /lists/notes/1") == sent, "it is never sent again by itself")
        #expect(world.atServer[1] == #"{"id":2,"title":"b","done":false,"size":8}"#)
        #expect(try await world.world.store.outbox().count == 1)
    }

    @Test func `S2: a 500 without words, and a 503 with words, go on waiting`() async throws {
        for answer in [ScriptedServer.Act.status(500), Self.words("closed", 503)] {
            let world = try EngineWorld("milk")
            try await world.sync()
            try await world.add("tea")
            world.server.always("POST /todos tea", answer)
            try await wait(world)
            #expect(world.count("POST /todos tea") >= 10)
            #expect(try await world.store.outbox().map(\.state) != ["rejected"])
            world.server.mend()
            try await wait(world)
            #expect(try await world.store.outbox().isEmpty)
        }
    }

    @Test func `S2: a change that is queued again by a person begins anew`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("tea")
        world.server.always("POST /todos tea", Self.words("no such shelf"))
        try await wait(world)
        #expect(try await world.store.outbox().map(\.state) == ["rejected"])
        try await world.store.withConnection {
            try $0.execute(script: "UPDATE outbox SET state = 'queued'")
        }
        world.time.advance(by: .seconds(60))
        try await world.sync(.asked(acceptsRemovals: false))
        #expect(try await world.store.outbox().map(\.state) != ["rejected"])
        world.server.mend()
        try await wait(world)
        #expect(try await world.store.outbox().isEmpty)
    }
}
