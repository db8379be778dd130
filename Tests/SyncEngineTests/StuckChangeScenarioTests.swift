import Declarations
import Store
import SyncEngine
import TestSupport
import Testing

/// S1: nothing waits in silence.
@Suite struct StuckChangeScenarioTests {
    private func changes(_ world: EngineWorld) async throws -> WaitingChanges {
        try await world.store.waitingChanges(of: .todos)
    }

    @Test func `S1: a change that was tried three times is stuck, with the server's words`()
        async throws
    {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("tea")
        world.server.always(
            "POST /todos tea", .body(#"{"message":"not on Sundays"}"#, status: 503))
        // A create in doubt is looked for twice before it goes again.
        var tried = 0
        for _ in 1...30 where tried < 3 {
            let report = try await world.syncWhenDue()
            tried += report.replay.sent
            #expect(report.state == .ok, "the list is read")
            #expect(report.changes.waiting == 1)
            #expect(report.changes.stuck == (tried < 3 ? 0 : 1))
        }
        #expect(tried == 3)
        let stuck = try await changes(world)
        #expect(stuck.error?.contains("not on Sundays") == true, "\(stuck.error ?? "-")")
        // A good list takes nothing of it back.
        try await world.sync()
        #expect(try await changes(world).error == stuck.error)
        world.server.mend()
        try await world.sync(.asked(acceptsRemovals: false))
        for _ in 1...10 { try await world.syncWhenDue() }
        #expect(try await changes(world) == WaitingChanges())
    }

    @Test func `S1: a good list does not end a halt, what is sent or taken back does`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos milk", .status(405))
        try await world.sync()
        try await world.expect(
            server: [], todos: ["milk queued"], outbox: ["create milk queued"],
            halt: .misconfigured)
        // Its backoff keeps it from being sent: the list alone is read.
        let report = try await world.sync()
        #expect(world.count("POST /todos") == 1)
        #expect(report.halt?.state == .misconfigured)
        try await world.expect(
            server: [], todos: ["milk queued"], outbox: ["create milk queued"],
            halt: .misconfigured)
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `S1: a halt ends if nothing waits any more`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos milk", .status(405))
        try await world.sync()
        try await world.remove("milk")
        let report = try await world.sync(.asked(acceptsRemovals: false))
        #expect(report.halt == nil)
        try await world.expect(server: [], todos: [])
    }
}
