import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists of which only changes are asked for, at the reference server.
@Suite struct SinceScenarioTests {
    static let seven = "2027-01-15T07:00:0"

    static func row(_ id: Int, _ title: String, _ moment: String) -> String {
        #"{"id":\#(id),"title":"\#(title)","updated_at":"\#(moment)"}"#
    }

    /// Three rows that changed in the first three seconds of one minute, in pages of two.
    static func list(paging: ReferenceList.Paging = .offset) -> ReferenceList {
        var list = ReferenceList(
            rows: (1...3).map { row($0, "row \($0)", "\(seven)\($0)Z") }, paging: paging, size: 2)
        list.increments = .init()
        list.isWritable = true
        return list
    }

    static func world(
        _ list: ReferenceList = list(),
        pages: String = #"{"offset": "offset", "rows": "header X-Total-Count"}"#,
        since: String = "", more: String = ""
    ) async throws -> ListWorld {
        try await ListWorld(
            list, pages: pages,
            more: #", "since": {"query": "since={since}", "moment": "$.updated_at"\#(since)}"#
                + more)
    }

    /// Pulls until there is a mark: two whole lists, the second after the moments have stood for four minutes.
    static func marked(_ world: ListWorld) async throws {
        try await world.sync(then: .seconds(300))
        try await world.sync(then: .seconds(300))
        world.world.server.forgetLines()
    }

    static func status(_ world: ListWorld) async throws -> [String] {
        try await world.rows("SELECT mark, missed, complete FROM sync_status WHERE list = 'notes'")
    }

    static func asked(_ world: ListWorld) -> [String] {
        world.world.server.lines.filter { $0.hasPrefix("GET /lists/notes") }
    }

    @Test func `two whole lists come before the first increment`() async throws {
        let world = try await Self.world()
        try await world.sync(then: .seconds(200))
        try await world.sync(then: .seconds(39))
        #expect(try await Self.status(world) == ["-|0|1"])
        try await world.sync(then: .seconds(2))
        #expect(try await Self.status(world) == ["-|0|1"])
        try await world.sync()
        #expect(try await Self.status(world) == ["\(Self.seven)3Z|0|1"])
        world.world.server.forgetLines()
        try await world.sync()
        #expect(
            Self.asked(world) == [
                "GET /lists/notes?since=2027-01-15T07%3A00%3A03Z", "GET /lists/notes",
            ])
    }

    @Test func `an increment brings what changed and what is new, and leaves all others`()
        async throws
    {
        let world = try await Self.world()
        try await Self.marked(world)
        world.change { list in
            list.rows[0] = Self.row(1, "changed", "\(Self.seven)7Z")
            list.rows.append(Self.row(4, "new", "\(Self.seven)8Z"))
        }
        try await world.sync(then: .seconds(300))
        #expect(try await world.rows() == ["changed", "row 2", "row 3", "new"])
        // Two pages of what is as new as the mark or newer, and the first of all.
        #expect(Self.asked(world).count == 3)
        // What the increment has shown becomes the mark once it has stood.
        #expect(try await Self.status(world) == ["\(Self.seven)3Z|0|1"])
        try await world.sync()
        #expect(try await Self.status(world) == ["\(Self.seven)8Z|0|1"])
    }

    @Test func `an increment that shows nothing new writes the status row alone`() async throws {
        let world = try await Self.world()
        try await Self.marked(world)
        try await world.sync()
        let before = try await world.rows("SELECT * FROM notes ORDER BY _id")
        let changes = try await world.rows("SELECT count(*) FROM changes")
        try await world.sync()
        #expect(try await world.rows("SELECT * FROM notes ORDER BY _id") == before)
        #expect(try await world.rows("SELECT count(*) FROM changes") == changes)
        #expect(try await Self.status(world) == ["\(Self.seven)3Z|0|1"])
    }

    @Test func `rows that are gone are noticed by their number within two intervals`() async throws
    {
        var list = Self.list()
        list.rows += (4...5).map { Self.row($0, "row \($0)", "\(Self.seven)\($0)Z") }
        let world = try await Self.world(list)
        try await Self.marked(world)
        world.change { $0.rows.remove(at: 1) }
        try await world.sync()
        #expect(try await world.rows().count == 5)
        // One list in pages that can miss a row does not decide.
        try await world.sync()
        #expect(try await world.rows() == ["row 1", "row 3", "row 4", "row 5"])
        world.world.server.forgetLines()
        // The number is asked for again an hour later.
        for _ in 0..<60 { try await world.sync() }
        let asked = Self.asked(world)
        #expect(asked.filter { $0.contains("since=") }.count == 60)
        #expect(asked.lastIndex { !$0.contains("since=") } == asked.count - 1)
        #expect(asked.firstIndex { !$0.contains("since=") } == 59)
    }

    @Test func `rows that an increment brings count at once`() async throws {
        let world = try await Self.world()
        try await Self.marked(world)
        // The rows are counted, and nothing is written that could change their number.
        for _ in 0..<2 { try await world.sync() }
        world.change { $0.rows.append(Self.row(4, "new", "\(Self.seven)8Z")) }
        for _ in 0..<2 { try await world.sync() }
        #expect(try await world.rows() == ["row 1", "row 2", "row 3", "new"])
        #expect(world.world.count("GET /lists/notes?offset=2") == 0)
    }

    @Test func `a number that is always wrong costs one whole list an hour`() async throws {
        let world = try await Self.world()
        try await Self.marked(world)
        world.change { $0.lie = .total(1) }
        for _ in 0..<100 { try await world.sync() }
        #expect(world.world.count("GET /lists/notes?offset=3") == 2)
        #expect(try await world.rows() == ["row 1", "row 2", "row 3"])
    }

    @Test func `a whole list comes after the time for it, and counts what increments missed`()
        async throws
    {
        let world = try await Self.world(since: #", "whole": "30m""#)
        try await Self.marked(world)
        world.change { list in
            list.rows[0] = Self.row(1, "silent", "\(Self.seven)1Z")
            list.rows.append(#"{"id":4,"title":"timeless"}"#)
            // The number of rows stays.
            list.rows.remove(at: 1)
        }
        for _ in 0..<4 { try await world.sync(then: .seconds(300)) }
        #expect(try await world.rows() == ["row 1", "row 2", "row 3"])
        for _ in 0..<4 { try await world.sync(then: .seconds(300)) }
        #expect(
            try await world.rows("SELECT title FROM notes WHERE title <> 'row 2' ORDER BY _rank")
                == ["silent", "row 3", "timeless"])
        #expect(try await Self.status(world) == ["\(Self.seven)3Z|2|1"])
        #expect(
            try await world.rows("SELECT missed_why FROM sync_state WHERE list = 'notes'") == [
                "1 of rows without a moment, 1 of rows whose moment is older than the mark"
            ])
    }

    @Test func `a server that does not know the mark any more is asked for all, and nothing goes`()
        async throws
    {
        let world = try await Self.world()
        try await Self.marked(world)
        world.change { list in
            list.increments?.lie = .gone
            list.rows[0] = Self.row(1, "changed", "\(Self.seven)7Z")
        }
        let report = try await world.sync(then: .seconds(300))
        #expect(report.state == .ok)
        #expect(try await world.rows() == ["changed", "row 2", "row 3"])
        #expect(Self.asked(world).count == 3)
        #expect(try await Self.status(world) == ["-|0|1"])
    }

    @Test func `a server that ignores the mark costs its rows, and takes none away`() async throws {
        let world = try await Self.world(pages: #"{"offset": "offset"}"#)
        try await Self.marked(world)
        world.change { list in
            list.increments?.lie = .ignored
            list.rows.remove(at: 0)
        }
        try await world.sync()
        #expect(try await world.rows() == ["row 1", "row 2", "row 3"])
    }

    @Test func `another declaration of the mark asks for the whole list again`() async throws {
        let world = try await Self.world()
        try await Self.marked(world)
        try await world.declare(
            pages: #"{"offset": "offset", "rows": "header X-Total-Count"}"#,
            more: #", "since": {"query": "since={since}", "moment": "$.changed"}"#)
        try await world.sync()
        #expect(Self.asked(world) == ["GET /lists/notes", "GET /lists/notes?offset=2"])
    }

    @Test func `a tombstone of a row that the same answer shows leaves it`() async throws {
        let world = try await Self.world(since: #", "deleted": "$.deleted""#)
        try await Self.marked(world)
        world.change { list in
            list.rows[0] = Self.row(1, "again", "\(Self.seven)8Z")
            list.increments?.tombstones = [
                #"{"id":1,"deleted":true,"updated_at":"\#(Self.seven)7Z"}"#
            ]
        }
        try await world.sync()
        #expect(try await world.rows() == ["again", "row 2", "row 3"])
    }

    @Test func `a page of tombstones that comes again and again is the end`() async throws {
        let world = try await Self.world(
            pages: #"{"offset": "offset"}"#, since: #", "deleted": "$.deleted""#)
        try await Self.marked(world)
        world.world.server.always(
            "GET /lists/notes?", .body(#"[{"id":1,"deleted":true},{"id":9,"deleted":true}]"#))
        try await world.sync()
        #expect(Self.asked(world).count == 2)
        #expect(try await world.rows() == ["row 2", "row 3"])
    }

    @Test func `a row that is dated far ahead does not become the mark`() async throws {
        var list = Self.list()
        list.rows.append(Self.row(4, "far", "2099-01-01T00:00:00Z"))
        let world = try await Self.world(list)
        try await Self.marked(world)
        #expect(try await Self.status(world) == ["\(Self.seven)3Z|0|1"])
    }
}
