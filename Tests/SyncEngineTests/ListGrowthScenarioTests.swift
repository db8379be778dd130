import ReferenceAPI
import Store
import SyncEngine
import Testing

/// Lists that grow beyond one answer, and where they end.
@Suite struct ListGrowthScenarioTests {
    private static func list(_ rows: Int) -> ReferenceList {
        ReferenceList(
            rows: (1...rows).map { #"{"id":\#($0),"title":"note \#($0)"}"# }, paging: .page, size: 2
        )
    }

    @Test(arguments: [false, true])
    func `a list that grows beyond its one answer is told to be cut, and loses no row`(
        isWritten: Bool
    ) async throws {
        let world = try await ListWorld(
            Self.list(2), pages: #""none""#, more: isWritten ? #", "delete": true"# : "")
        #expect(try await world.sync().error == nil)
        world.change { $0.rows = Self.list(5).rows.reversed() }
        let report = try await world.sync()
        #expect(report.error == "the list is cut: it has 2 rows, and the server has 5")
        #expect(
            try await world.rows("SELECT title FROM notes ORDER BY title")
                == ["note 1", "note 2", "note 4", "note 5"])
        #expect(
            try await world.rows("SELECT complete FROM sync_status WHERE list = 'notes'")
                == ["0"])
    }

    @Test func `a list that is cut stays so while its answer is the same`() async throws {
        let next = { (rows: [String]) in ReferenceList(rows: rows, paging: .next, size: 2) }
        let world = try await ListWorld(next(Self.list(2).rows), pages: #""none""#)
        #expect(try await world.sync().error == nil)
        world.change { $0.rows = Self.list(5).rows.reversed() }
        for _ in 1...3 {
            let report = try await world.sync()
            #expect(report.error == "the list is cut: it has 2 rows, and the server tells of more")
            #expect(try await world.rows("SELECT count(*) FROM notes") == ["4"])
        }
    }

    @Test func `a list whose declaration says that it is whole is`() async throws {
        let world = try await ListWorld(
            Self.list(5), pages: #"{"none": true, "whole": true}"#)
        #expect(try await world.sync().error == nil)
        #expect(
            try await world.rows("SELECT complete FROM sync_status WHERE list = 'notes'")
                == ["1"])
    }

    @Test func `numbered pages end when as many rows came as there are`() async throws {
        let world = try await ListWorld(
            Self.list(4), pages: #"{"page": "page", "rows": "$.total_results"}"#)
        try await world.sync()
        let reads = world.world.server.lines.filter { $0.hasPrefix("GET /lists/notes") }
        #expect(reads == ["GET /lists/notes?page=1", "GET /lists/notes?page=2"])
    }

    /// Mailman leaves out the member of the rows where there are none.
    @Test(
        arguments: [
            (#"{"start":0,"total_size":0,"http_etag":"x"}"#, true),
            (#"{"meta":{"total":0}}"#, true),
            (#"{"start":0,"total_size":3}"#, false), (#"{"total":0,"next":"/more"}"#, false),
            (#"{"start":0}"#, false), (#"{"total":0,"results":{}}"#, false),
        ], [#""none""#, #"{"next": "$.next"}"#, #"{"page": "page"}"#])
    func `an answer without rows is an empty list if it says that there are none`(
        answer: (body: String, isEmpty: Bool), pages: String
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(rows: [], paging: .next, size: 2), pages: pages)
        world.world.server.always("GET /lists/notes", .body(answer.body))
        let report = try await world.sync()
        #expect(report.state == (answer.isEmpty ? .ok : .misconfigured), "\(report)")
    }

    @Test(arguments: [400, 404, 416])
    func `a page behind the end can be refused, and one before it cannot`(
        status: Int
    ) async throws {
        let world = try await ListWorld(
            Self.list(2), pages: #"{"page": "page", "rows": "$.total_results"}"#)
        world.world.server.next("GET /lists/notes?page=2", .status(status))
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(try await world.rows("SELECT count(*) FROM notes") == ["2"])
        world.change { $0.rows = Self.list(4).rows }
        world.world.server.next("GET /lists/notes?page=2", .status(status))
        #expect(try await world.sync().state != .ok)
    }
}
