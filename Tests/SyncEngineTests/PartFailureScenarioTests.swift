import APIClient
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists below rows, some of whose parts cannot be read.
@Suite struct PartFailureScenarioTests {
    @Test func `E2: parts that break the connection, or ask to wait, hinder no other`() async throws
    {
        let world = try await PartWorld(issues: 4)
        try await world.sync()
        world.change("c", [PartWorld.comment(120, "changed c")])
        world.change("d", [PartWorld.comment(130, "changed d")])
        let limit = HTTPResponse(status: 429, fields: [HTTPField("Retry-After", "30")])
        for _ in 0..<4 {
            world.world.server.next("GET /lists/a", .losesRequest)
            world.world.server.next("GET /lists/b", .answers(limit))
            try await world.sync("comments", then: .seconds(120))
        }
        let bodies = try await world.rows("SELECT body FROM comments")
        #expect(bodies.contains("changed c") && bodies.contains("changed d"))
        #expect(bodies.contains("a0") && bodies.contains("b0"))
        #expect(
            try await world.rows(
                "SELECT part FROM list_parts WHERE error IS NOT NULL ORDER BY part")
                == ["1", "2"])
    }

    @Test func `a server that is away is away, and its parts are asked again`() async throws {
        let world = try await PartWorld(issues: 4)
        try await world.sync()
        for name in ["a", "b", "c", "d"] {
            world.world.server.next("GET /lists/\(name)", .losesRequest)
        }
        world.world.server.forgetLines()
        let reports = try await world.sync("comments", then: .seconds(120))
        #expect(reports[0].state == .offline)
        #expect(world.asked.count == 2)
        try await world.sync("comments", then: .seconds(120))
        try await world.sync("comments")
        #expect(
            try await world.rows(
                "SELECT state, last_error FROM sync_status WHERE list = 'comments'")
                == ["ok|-"])
    }

    @Test func `E2: a row above that leaves while its part is read takes along what was read`()
        async throws
    {
        let world = try await PartWorld()
        try await world.sync("issues")
        world.change("issues", [PartWorld.issue(2, "b")])
        let engine = try world.engine()
        world.world.server.next(
            "GET /lists/b",
            .after(
                { _ = try? await engine.cycle(ListName(kept: "issues"), because: .scheduled) },
                .works))
        let reports = try await world.sync("comments")
        #expect(reports[0].state == .ok)
        #expect(try await world.comments() == ["2|b0|synced", "2|b1|synced"])
        #expect(try await world.rows("SELECT part FROM list_parts") == ["2"])
    }

    @Test func `a list below one that was never read is not complete, and says so`() async throws {
        let world = try await PartWorld()
        try await world.sync("comments")
        #expect(
            try await world.rows(
                "SELECT state, complete, last_error FROM sync_status WHERE list = 'comments'")
                == ["ok|0|issues was not read yet, and its rows are the parts"])
    }
}
