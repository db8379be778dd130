import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists whose declared id does not tell rows apart.
@Suite struct SharedIDScenarioTests {
    @Test func `rows that are not taken for their id are told`() async throws {
        let world = try await ListWorld(
            ReferenceList(
                rows: [
                    #"{"id":1,"title":"u1"}"#, #"{"id":2,"title":"u2"}"#, #"{"id":1,"title":"u3"}"#,
                    #"{"id":2,"title":"u2"}"#,
                ], paging: .none, size: 100), pages: #""none""#)
        let report = try await world.sync()
        #expect(
            report.error == "1 row has the id of another row, and differs from it: it is not taken")
        #expect(report.hint?.contains("$.id does not tell rows apart") == true)
        #expect(try await world.rows("SELECT title FROM notes ORDER BY title") == ["u1", "u2"])
        let status = try await world.world.store.status().first { $0.resource == "notes" }
        #expect(status?.lastError == report.error)
    }

    @Test func `rows that stand there twice, and are equal, are not`() async throws {
        let row = #"{"id":1,"title":"u1"}"#
        let world = try await ListWorld(
            ReferenceList(rows: [row, row], paging: .none, size: 100), pages: #""none""#)
        #expect(try await world.sync().error == nil)
    }
}
