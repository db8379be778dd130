import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// L7: long lists of servers that limit how often they may be asked.
@Suite struct LimitedListScenarioTests {
    private static func world(retryAfter: Int64?, more: String = "") async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...12).map { #"{"id":\#($0),"title":"n\#($0)"}"# }, paging: .cursor, size: 1)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #"{"cursor": "$.next_cursor", "as": "cursor"}"#,
            columns: #""title": {"text": "$.title", "write": "both", "required": true}"#,
            more: #", "create": true, "update": true, "delete": true"# + more)
        world.world.server.withServer {
            $0.behaviour.rateLimit = RateLimit(perSecond: 1, retryAfter: retryAfter)
        }
        return world
    }

    @Test(arguments: [nil, 1, 30] as [Int64?])
    func `L7: a refusal in the middle of a list waits, and goes on with that page`(
        retryAfter: Int64?
    ) async throws {
        let world = try await Self.world(retryAfter: retryAfter)
        let report = try await world.sync()
        #expect(report.state == .ok, "\(report)")
        #expect(try await world.rows("SELECT _id FROM notes").count == 12)
        let firsts = world.world.server.lines.filter { $0 == "GET /lists/notes" }
        #expect(firsts.count == 1, "no page is read again from the beginning")
    }

    @Test func `L7: creates go while the pages of a list come`() async throws {
        let world = try await Self.world(retryAfter: 1)
        try await world.write("INSERT INTO notes (title) VALUES ('a'), ('b')")
        try await world.sync()
        let methods = world.world.server.lines.map { $0.prefix { $0 != " " } }
        let last = try #require(methods.lastIndex(of: "GET"))
        let first = try #require(methods.firstIndex(of: "POST"))
        #expect(first < last, "\(world.world.server.lines)")
        #expect(world.atServer.count == 14)
        try await world.sync()
        #expect(
            try await world.rows("SELECT title, _state FROM notes WHERE title < 'n'")
                == ["a|synced", "b|synced"])
    }

    @Test func `L7: when the list has come, its deletes go before more creates`() async throws {
        let world = try await Self.world(retryAfter: 1)
        try await world.sync()
        let values = (1...40).map { "('a\($0)')" }.joined(separator: ", ")
        try await world.write("INSERT INTO notes (title) VALUES \(values)")
        try await world.write("DELETE FROM notes WHERE title = 'n1'")
        world.world.server.forgetLines()
        try await world.sync()
        let methods = world.world.server.lines.map { $0.prefix { $0 != " " } }
        let last = try #require(methods.lastIndex(of: "GET"))
        let delete = try #require(methods.firstIndex(of: "DELETE"))
        #expect(methods[..<last].contains("POST"))
        #expect(!methods[delete...].contains("GET"), "it goes by this list")
        #expect(delete - last <= 3, "\(world.world.server.lines)")
    }

    @Test func `L7: one whose answer is lost meanwhile is found on the pages after it`()
        async throws
    {
        let world = try await Self.world(retryAfter: 1)
        // One of the same title was there before, on a page that comes before the create goes.
        world.change { $0.rows[0] = #"{"id":1,"title":"a"}"# }
        try await world.write("INSERT INTO notes (title) VALUES ('a')")
        world.world.server.next("POST /lists/notes", .losesAnswer)
        for _ in 1...4 { try await world.sync() }
        #expect(world.atServer.count { $0.contains(#""title":"a""#) } == 2, "\(world.atServer)")
        #expect(
            try await world.rows("SELECT _state FROM notes WHERE title = 'a'")
                == ["synced", "synced"])
    }

    @Test func `L7: nothing goes while a list is held`() async throws {
        let world = try await Self.world(retryAfter: 1)
        try await world.sync()
        let all = world.atServer
        world.change { $0.rows = Array(all.prefix(3)) }
        #expect(try await world.sync(then: .seconds(1)).state == .held)
        try await world.write("INSERT INTO notes (title) VALUES ('a')")
        #expect(try await world.sync(then: .seconds(1)).state == .held)
        #expect(world.world.count("POST") == 0)
    }
}
