import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists whose rows are the members of an object.
@Suite struct MemberScenarioTests {
    private static func world(rows: String = "$.data.*") async throws -> ListWorld {
        let list = ReferenceList(rows: [], paging: .none, size: 100)
        let world = try await ListWorld(list, pages: #""none""#)
        try await world.declare(
            pages: #""none""#,
            columns:
                #""name": "text $['@key']", "title": "text $.title", "size": "integer $.size""#,
            more: #", "rows": "\#(rows)""#, id: "@key")
        return world
    }

    @discardableResult
    private static func sync(_ world: ListWorld, _ body: String) async throws -> CycleReport {
        world.world.server.next("GET /lists/notes", .body(body))
        return try await world.sync()
    }

    private static func shown(_ world: ListWorld) async throws -> [String] {
        try await world.rows(
            "SELECT name, title, size, _server_id, _rank FROM notes ORDER BY _rank")
    }

    @Test func `each member is a row under its name, with every digit and every other member`()
        async throws
    {
        let world = try await Self.world()
        let report = try await Self.sync(
            world,
            #"{"data": {"b/ü": {"title": "x", "size": 9223372036854775807}, "a": {"title": "\u0041", "more": [1.50, {"@key": 1}]}}, "total": 2}"#
        )
        #expect(report.state == .ok, "\(report)")
        #expect(
            try await Self.shown(world) == [
                "b/ü|x|9223372036854775807|b/ü|1", "a|A|-|a|2",
            ])
        #expect(
            try await world.rows("SELECT _document FROM notes WHERE name = 'a'")
                == [#"{"title":"\u0041","more":[1.50,{"@key":1}],"@key":"a"}"#])
        #expect(try await world.isComplete() == true)
    }

    @Test func `a row keeps its number, and leaves when its member has gone`() async throws {
        let world = try await Self.world()
        try await Self.sync(
            world, #"{"data": {"a": {"title": "x"}, "b": {"title": "y"}, "c": {"title": "z"}}}"#)
        let numbers = try await world.rows("SELECT _id FROM notes ORDER BY name")
        try await Self.sync(world, #"{"data": {"c": {"title": "z"}, "a": {"title": "new"}}}"#)
        #expect(
            try await world.rows("SELECT _id, title FROM notes ORDER BY name")
                == ["\(numbers[0])|new", "\(numbers[2])|z"])
    }

    @Test(arguments: [(#"{}"#, 0), (#"[]"#, 0)])
    func `an object without members is an empty list, as is the one that PHP writes`(
        body: String, count: Int
    ) async throws {
        let world = try await Self.world()
        try await Self.sync(world, #"{"data": {"a": {"title": "x"}}}"#)
        let report = try await Self.sync(world, #"{"data": \#(body)}"#)
        #expect(report.state == .ok, "\(report)")
        #expect(try await Self.shown(world).count == count)
        #expect(try await world.isComplete() == true)
    }

    @Test(arguments: [
        (#"{"data": [{"title": "x"}]}"#, "found a list without names under $.data"),
        (#"{"data": 5}"#, "found integer under $.data"),
        (#"{"other": {}}"#, "found nothing under $.data"),
    ])
    func `what is no object is told, and takes no row away`(
        body: String, sentence: String
    ) async throws {
        let world = try await Self.world()
        try await Self.sync(world, #"{"data": {"a": {"title": "x"}}}"#)
        let report = try await Self.sync(world, body)
        #expect(report.error?.contains(sentence) ?? false, "\(report)")
        #expect(try await Self.shown(world) == ["a|x|-|a|1"])
    }

    @Test func `a member that is no object is skipped and told, and so is an empty name`()
        async throws
    {
        let world = try await Self.world(rows: "$.*")
        let report = try await Self.sync(
            world,
            #"{"a": {"title": "x"}, "version": 7, "t": "text", "n": null, "": {"title": "y"}}"#)
        #expect(report.skipped.count == 4, "\(report)")
        #expect(try await Self.shown(world) == ["a|x|-|a|1"])
        #expect(try await world.isComplete() == false)
    }

    @Test func `a long object is one list`() async throws {
        let world = try await Self.world(rows: "$.*")
        let members = (1...3000).map { #""k\#($0)": {"title": "a text, with a comma \#($0)"}"# }
        let report = try await Self.sync(world, "{\(members.joined(separator: ","))}")
        #expect(report.state == .ok, "\(report)")
        #expect(try await world.rows("SELECT count(*), max(_rank) FROM notes") == ["3000|3000"])
    }
}
