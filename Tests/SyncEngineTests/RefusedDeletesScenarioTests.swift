import Declarations
import Store
import TestSupport
import Testing

/// Deletes that a server refuses while rows stand below theirs.
@Suite struct RefusedDeletesScenarioTests {
    private static func world(_ count: Int) async throws -> RelatedWorld {
        // Of the tasks nothing is known here: another client has added them since.
        let world = try await RelatedWorld(
            projects: (1...count).map { #"{"id":\#(500 + $0),"title":"p\#($0)"}"# }, tasks: [])
        try await world.sync("projects", "tasks")
        world.change(
            "tasks",
            (1...count).map {
                #"{"id":\#(900 + $0),"title":"t","project_id":\#(500 + $0),"parent_id":null}"#
            })
        return world
    }

    /// As soon as one of them alone would be: two refusals, a minute apart.
    @Test(arguments: [1, 3, 9])
    func `deletes that are refused all at once are given up all at once`(count: Int) async throws {
        let world = try await Self.world(count)
        try await world.write("DELETE FROM projects")
        try await world.world.store.acceptDeletes(of: [.init(kept: "projects")])
        for _ in 1...5 { try await world.sync("projects", then: .seconds(61)) }
        let states = try await world.rows("SELECT state FROM outbox GROUP BY state")
        #expect(states == ["rejected"])
        #expect(world.atServer("projects").count == count)
    }

    /// What the older one did may have been what the younger one needed.
    @Test func `one that is done lets the refusals of those behind it not count`() async throws {
        let world = try await Self.world(2)
        let server = world.world.server
        server.next("DELETE /lists/projects/501", .status(409), .works)
        server.next("DELETE /lists/projects/502", .status(409), .status(409), .status(409))
        world.change("tasks", [])
        try await world.write("DELETE FROM projects")
        try await world.world.store.acceptDeletes(of: [.init(kept: "projects")])
        for _ in 1...10 { try await world.sync("projects", then: .seconds(61)) }
        #expect(try await world.outbox() == [])
        #expect(world.atServer("projects") == [])
    }
}
