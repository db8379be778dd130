import ReferenceAPI
import Store
import SyncEngine
import Testing

/// A row can slip through between two pages. So one that a list in pages lacks leaves with the second such list, or at
/// once if the server says that it has it no more.
@Suite struct GoneRowScenarioTests {
    private static let rows = (1...6).map { #"{"id":\#($0),"title":"note \#($0)"}"# }

    private func world(_ more: String = #", "delete": true, "read": true"#) async throws
        -> ListWorld
    {
        let world = try await ListWorld(
            ReferenceList(rows: Self.rows, paging: .link, size: 2), pages: #""link""#, more: more)
        world.change { $0.isWritable = true }
        try await world.sync()
        world.world.server.forgetLines()
        world.change { $0.rows.remove(at: 2) }
        return world
    }

    private func holdsNote3(_ world: ListWorld) async throws -> Bool {
        try await world.rows("SELECT title FROM notes").contains("note 3")
    }

    private func reads(_ world: ListWorld) -> Int {
        world.world.server.lines.count { $0 == "GET /lists/notes/3" }
    }

    @Test func `a row that a read does not find leaves with the first list`() async throws {
        let world = try await world()
        #expect(try await world.sync().state == .ok)
        #expect(try await !holdsNote3(world))
        #expect(reads(world) == 1)
        // Nothing is asked for any more.
        try await world.sync()
        #expect(reads(world) == 1)
    }

    @Test(arguments: [
        ScriptedServer.Act.status(500), .body(#"{"id":3,"title":"note 3"}"#), .losesAnswer,
    ])
    func `a row of which no read says that it is gone leaves with the second list`(
        answer: ScriptedServer.Act
    ) async throws {
        let world = try await world()
        world.world.server.always("GET /lists/notes/3", answer)
        try await world.sync()
        #expect(try await holdsNote3(world))
        try await world.sync()
        #expect(try await !holdsNote3(world))
    }

    @Test func `without a call for one row the second list decides`() async throws {
        let world = try await world(#", "delete": true"#)
        try await world.sync()
        #expect(try await holdsNote3(world))
        try await world.sync()
        #expect(try await !holdsNote3(world))
        #expect(reads(world) == 0)
    }

    @Test func `of more than sixteen rows none is read`() async throws {
        let world = try await world()
        world.change { list in
            list.rows = (1...40).map { #"{"id":\#($0),"title":"note \#($0)"}"# }
        }
        try await world.sync()
        world.change { $0.rows.removeSubrange(2..<19) }
        for count in ["40", "23"] {
            try await world.sync()
            #expect(try await world.rows("SELECT count(*) FROM notes") == [count])
        }
        #expect(reads(world) == 0)
    }

    @Test func `beside a list that is cut nothing is read`() async throws {
        let world = try await ListWorld(
            ReferenceList(rows: Self.rows, paging: .offset, size: 2),
            pages: #"{"offset": "offset", "limit": ["limit", 2], "rows": "header X-Total-Count"}"#,
            more: #", "delete": true, "read": true"#)
        world.change { $0.isWritable = true }
        try await world.sync()
        world.change { list in
            list.rows.remove(at: 2)
            list.lie = .total(2)
        }
        for _ in 1...3 { try await world.sync() }
        #expect(try await holdsNote3(world))
        #expect(reads(world) == 0)
    }
}
