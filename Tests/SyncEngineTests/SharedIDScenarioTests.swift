import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists whose declared id does not tell rows apart.
@Suite struct SharedIDScenarioTests {
    private static func world(_ rows: [String]) async throws -> ListWorld {
        let world = try await ListWorld(
            ReferenceList(rows: rows, paging: .none, size: 100), pages: #""none""#)
        world.world.server.withServer { $0.behaviour.entityTags = true }
        return world
    }

    @Test func `rows that are not taken for their id are told, by each pull`() async throws {
        let world = try await Self.world([
            #"{"id":1,"title":"u1"}"#, #"{"id":2,"title":"u2"}"#, #"{"id":1,"title":"u3"}"#,
            #"{"id":2,"title":"u2"}"#,
        ])
        for _ in 1...2 {
            let report = try await world.sync()
            #expect(report.skipped.count == 1)
            #expect(
                report.skipped.named.map(\.description) == [
                    "[0].id: another row has the same id and differs",
                    "[2].id: another row has the same id and differs",
                ])
            #expect(try await world.rows("SELECT title FROM notes ORDER BY title") == ["u1", "u2"])
            #expect(
                try await world.rows("SELECT skipped FROM sync_status WHERE list = 'notes'")
                    == ["1"])
        }
    }

    @Test func `rows that stand there twice, and are equal, are not`() async throws {
        let row = #"{"id":1,"title":"u1"}"#
        #expect(try await Self.world([row, row]).sync().skipped == .none)
    }
}
