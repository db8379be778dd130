import ReferenceAPI
import Testing

/// Updates that the server takes of the version alone that the list has shown.
@Suite struct EditVersionScenarioTests {
    private static let patch = "PATCH /lists/notes/1"

    private static func world(
        more: String = #""version": "$.v", "path": "/lists/notes/{id}?v={version}", "#
    ) async throws -> ListWorld {
        var list = ReferenceList(
            rows: [#"{"id":1,"title":"a","size":1,"v":7}"#], paging: .none, size: 100)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "update"},
                "size": {"integer": "$.size", "write": "update"}
                """#, more: #", "update": {\#(more)"stale": [412]}"#)
        try await world.sync()
        return world
    }

    private static func refuse(_ world: ListWorld, _ count: Int) {
        for _ in 1...count { world.world.server.next(patch, .body("{}", status: 412)) }
    }

    private static func patches(_ world: ListWorld) -> [String] {
        world.world.server.lines.filter { $0.hasPrefix("PATCH") }
    }

    @Test func `an edit of an old version waits for the next list, and goes with its version`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        Self.refuse(world, 1)
        try await world.sync()
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|queued"])
        world.change { $0.rows = [#"{"id":1,"title":"a","size":2,"v":8}"#] }
        try await world.sync()
        #expect(Self.patches(world) == ["\(Self.patch)?v=7", "\(Self.patch)?v=8"])
        #expect(world.atServer == [#"{"id":1,"title":"ours","size":2,"v":8}"#])
        #expect(
            try await world.rows("SELECT title, size, _state FROM notes") == ["ours|2|synced"])
    }

    @Test func `N10: a version with a line break is rejected, and never tried again`() async throws
    {
        let world = try await Self.world(
            more: #""version": "$.title", "headers": {"If-Match": "{version}"}, "#)
        world.change { $0.rows = [#"{"id":1,"title":"a\r\nX-Evil: 1","size":1}"#] }
        try await world.sync()
        try await world.write("UPDATE notes SET size = 2 WHERE _id = 1")
        for _ in 1...3 { try await world.sync() }
        #expect(Self.patches(world) == [])
        #expect(
            try await world.rows("SELECT op, state, attempts FROM outbox") == ["update|rejected|1"])
        let error = try #require(try await world.rows("SELECT last_error FROM outbox").first)
        #expect(error.contains("the header If-Match would hold a control character"), "\(error)")
    }

    @Test func `what another has written meanwhile is found before it is overwritten`() async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours', size = 5 WHERE _id = 1")
        Self.refuse(world, 1)
        try await world.sync()
        world.change { $0.rows = [#"{"id":1,"title":"theirs","size":1,"v":8}"#] }
        try await world.sync()
        #expect(world.atServer == [#"{"id":1,"title":"theirs","size":5,"v":8}"#])
        #expect(
            try await world.rows("SELECT field, why, mine, theirs FROM conflicts") == [
                "title|edited|ours|theirs"
            ])
    }

    @Test(arguments: [#""version": "$.v", "path": "/lists/notes/{id}?v={version}", "#, ""])
    func `an edit that is stale twice under one version is rejected`(more: String) async throws {
        let world = try await Self.world(more: more)
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        Self.refuse(world, 3)
        for _ in 1...3 { try await world.sync() }
        #expect(Self.patches(world).count == 2)
        #expect(
            try await world.rows("SELECT op, state, last_status FROM outbox") == [
                "update|rejected|412"
            ])
        #expect(try await world.rows("SELECT title, _state FROM notes") == ["ours|rejected"])
    }

    @Test func `an edit that a person tries again has two tries again`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        Self.refuse(world, 3)
        for _ in 1...2 { try await world.sync() }
        try await world.write("UPDATE outbox SET state = 'queued'")
        try await world.sync()
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|queued"])
        try await world.sync()
        #expect(world.atServer == [#"{"id":1,"title":"ours","size":1,"v":7}"#])
    }
}
