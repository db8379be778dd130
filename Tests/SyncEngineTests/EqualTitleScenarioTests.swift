import APIClient
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Operations on todos of one title, and of several.
@Suite struct EqualTitleScenarioTests {
    @Test func `equal titles are sent one after another, and each counts once`() async throws {
        let world = try EngineWorld()
        try await world.add("milk", "milk", "milk")
        try await world.sync()
        #expect(world.server.peak == 1)
        try await world.expect(
            server: ["1 milk", "2 milk", "3 milk"],
            todos: ["milk synced 1", "milk synced 2", "milk synced 3"])
    }

    @Test func `different titles overlap, as many as allowed`() async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d", "e", "f", "g", "h", "i")
        world.concurrency = 3
        try await world.sync()
        #expect((2...3).contains(world.server.peak))
        #expect(world.server.withServer { $0.state.todos.count } == 9)
    }

    @Test func `a lost answer holds back the later ones of its folded title, not the others`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk", "tea", " milk ", "bread")
        world.server.next("POST /todos milk", .losesAnswer)
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 tea", "3 bread"],
            todos: ["milk in doubt", "tea synced 2", " milk  queued", "bread synced 3"],
            outbox: ["create milk in doubt", "create  milk  queued"])
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 tea", "3 bread", "4  milk "],
            todos: ["milk synced 1", "tea synced 2", " milk  synced 4", "bread synced 3"])
    }

    @Test func `two creates of one title in doubt share no row`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        // Two lists free the title: it is sent again, and its answer is lost, too.
        world.time.advance(by: .seconds(60))
        world.server.next("POST /todos", .losesAnswer)
        try await world.syncTwice()
        #expect(world.count("POST /todos") == 2)
        try await world.add("milk")
        try await world.sync()
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 milk"], todos: ["milk synced 1", "milk synced 2"])
    }
}
