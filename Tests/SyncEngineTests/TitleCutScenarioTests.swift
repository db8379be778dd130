import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// D11: a server that stores the beginning of a long title.
@Suite struct TitleCutScenarioTests {
    private static let long = String(repeating: "a long title ", count: 30)
    private static let cut = String(long.prefix(255))

    private static func world() throws -> EngineWorld {
        var behaviour = ReferenceBehaviour()
        behaviour.altersTitles = .cut(characters: 255)
        return try EngineWorld(behaviour: behaviour)
    }

    @Test func `D11: a create whose title was cut and whose answer was lost is adopted`()
        async throws
    {
        let world = try Self.world()
        try await world.add(Self.long)
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.time.advance(by: .seconds(20))
        try await world.syncTwice()
        try await world.expect(server: ["1 \(Self.cut)"], todos: ["\(Self.cut) synced 1"])
        #expect(world.count("POST /todos") == 1)
    }

    @Test func `D11: of several candidates the one counts at whose length that server cut before`()
        async throws
    {
        let world = try Self.world()
        world.addAtServer(String(Self.long.prefix(40)))
        try await world.add(Self.long)
        try await world.sync()
        try await world.remove(Self.cut)
        try await world.sync()
        try await world.add(Self.long + "and more")
        world.addAtServer(String(Self.long.prefix(50)))
        world.server.next("POST /todos", .losesAnswer)
        // The row of another client comes with the list that decides.
        try await world.sync(.localWrite)
        try await world.sync()
        try await world.expect(
            server: ["1 \(Self.long.prefix(40))", "2 \(Self.long.prefix(50))", "3 \(Self.cut)"],
            todos: [
                "\(Self.long.prefix(40)) synced 1", "\(Self.cut) synced 3",
                "\(Self.long.prefix(50)) synced 2",
            ])
        #expect(world.count("POST /todos") == 2)
    }
}
