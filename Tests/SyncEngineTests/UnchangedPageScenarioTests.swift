import ReferenceAPI
import SyncEngine
import Testing

/// Of a list in pages with entity tags, the next pull reads no row again that has not changed.
@Suite struct UnchangedPageScenarioTests {
    private static let rows = (1...6).map { #"{"id":\#($0),"title":"note \#($0)","more":\#($0)}"# }
    private static let written = #", "create": true, "update": true, "delete": true"#

    private func world(isWritten: Bool, linksWhenUnchanged: Bool = true) async throws -> ListWorld {
        let world = try await ListWorld(
            ReferenceList(rows: Self.rows, paging: .link, size: 2), pages: #""link""#,
            columns: isWritten
                ? #""title": {"text": "$.title", "write": "both", "required": true}"#
                : #""title": {"text": "$.title", "required": true}"#,
            more: isWritten ? Self.written : "")
        world.change { $0.isWritable = isWritten }
        world.world.server.withServer { server in
            server.behaviour.entityTags = true
            server.behaviour.linksWhenUnchanged = linksWhenUnchanged
        }
        return world
    }

    /// The statuses of the answers to a pull.
    private func pull(_ world: ListWorld) async throws -> [Int] {
        world.world.server.forgetLines()
        #expect(try await world.sync().error == nil)
        return world.world.server.statuses
    }

    @Test(arguments: [false, true])
    func `an unchanged list is not read again, and stays as it is`(isWritten: Bool) async throws {
        let world = try await world(isWritten: isWritten)
        _ = try await pull(world)
        let before = try await world.rows("SELECT * FROM notes ORDER BY 1")
        for _ in 1...2 {
            #expect(try await pull(world) == [304, 304, 304])
            #expect(try await world.rows("SELECT * FROM notes ORDER BY 1") == before)
            #expect(try await world.isComplete() == true)
        }
    }

    @Test(arguments: [false, true])
    func `of a list that changed, the pages that did are read`(isWritten: Bool) async throws {
        let world = try await world(isWritten: isWritten)
        _ = try await pull(world)
        world.change { $0.rows[2] = #"{"id":3,"title":"changed","more":3}"# }
        #expect(try await pull(world) == [304, 200, 304])
        #expect(
            try await world.rows("SELECT title FROM notes ORDER BY title")
                == ["changed"] + [1, 2, 4, 5, 6].map { "note \($0)" })
        #expect(try await pull(world) == [304, 304, 304])
    }

    /// Not all servers tell the next page with an answer that says "unchanged".
    @Test(arguments: [false, true])
    func `a list whose last page was full finds the next one`(isWritten: Bool) async throws {
        for links in [false, true] {
            let world = try await ListWorld(
                ReferenceList(
                    rows: (1...20).map { #"{"id":\#($0),"title":"note"}"# }, paging: .link, size: 10
                ),
                pages: #""link""#, more: isWritten ? #", "delete": true"# : "")
            world.world.server.withServer { server in
                server.behaviour.entityTags = true
                server.behaviour.linksWhenUnchanged = links
            }
            _ = try await pull(world)
            #expect(try await pull(world) == (links ? [304, 304] : [304, 200]))
            world.change { $0.rows.append(#"{"id":21,"title":"note"}"#) }
            #expect(try await pull(world) == (links ? [304, 304, 200] : [304, 200, 200]))
            #expect(try await world.rows("SELECT count(*) FROM notes") == ["21"])
        }
    }

    /// What was sent may not be shown yet: an answer that says "unchanged" is no witness of it.
    @Test func `a list that something was sent to is read whole until it has shown it`()
        async throws
    {
        let world = try await world(isWritten: true)
        _ = try await pull(world)
        try await world.write("UPDATE notes SET title = 'mine' WHERE title = 'note 5'")
        #expect(try await pull(world).contains(304) == false)
        #expect(try await world.rows("SELECT title FROM notes WHERE _state <> 'synced'") == [])
        try await world.write("INSERT INTO notes(title) VALUES ('new')")
        try await world.write("DELETE FROM notes WHERE title = 'note 1'")
        #expect(try await pull(world).contains(304) == false)
        for _ in 1...2 { _ = try await pull(world) }
        #expect(try await pull(world) == [304, 304, 304])
        #expect(
            try await world.rows("SELECT title FROM notes ORDER BY title")
                == ["mine", "new", "note 2", "note 3", "note 4", "note 6"])
    }

    /// What a row has lost or got at the cache since is not taken for what the page shows.
    @Test func `a row that leaves its page is gone, and one that comes is there`() async throws {
        let world = try await world(isWritten: true)
        _ = try await pull(world)
        world.change {
            $0.rows.remove(at: 5)
            $0.rows.append(#"{"id":7,"title":"note 7","more":7}"#)
        }
        for _ in 1...3 { _ = try await pull(world) }
        #expect(
            try await world.rows("SELECT title FROM notes ORDER BY title")
                == [1, 2, 3, 4, 5, 7].map { "note \($0)" })
        #expect(try await pull(world) == [304, 304, 304])
    }
}
