import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists whose answers name the next page, and tell beside it how many rows there are.
@Suite struct NextPageScenarioTests {
    private static func world(_ pages: String, more: String = "") async throws -> ListWorld {
        try await ListWorld(
            ReferenceList(rows: [], paging: .none, size: 9), pages: pages, more: more)
    }

    private static func page(
        _ body: String, _ fields: [(String, String)] = []
    ) -> ScriptedServer.Act {
        .answers(
            HTTPResponse(
                status: 200, fields: fields.map { HTTPField($0.0, $0.1) }, body: Array(body.utf8)))
    }

    private static let first = #"[{"id":1,"title":"a"},{"id":2,"title":"b"}]"#
    private static let second = #"[{"id":3,"title":"c"}]"#

    @Test(arguments: ["/lists/notes?page=2", "?page=2", "http://127.0.0.1:8080/lists/notes?page=2"])
    func `a header field of the server's own names the next page`(address: String) async throws {
        let world = try await Self.world(#"{"next": "header X-Next"}"#)
        world.world.server.next(
            "GET", Self.page(Self.first, [("X-Next", address)]), Self.page(Self.second))
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["a", "b", "c"])
        #expect(world.world.server.lines == ["GET /lists/notes", "GET /lists/notes?page=2"])
    }

    @Test func `a page that an address led to is known again by that address alone`() async throws {
        let world = try await Self.world(#"{"next": "header X-Next"}"#)
        let tag = ("ETag", "\"v1\"")
        world.world.server.next(
            "GET", Self.page(Self.first, [("X-Next", "?page=2"), tag]),
            Self.page(Self.second, [tag]))
        try await world.sync()
        #expect(
            try await world.rows(
                "SELECT substr(url, instr(url, '/lists'), instr(url || '#', '#') - instr(url, '/lists')) FROM validator"
            ).sorted() == ["/lists/notes", "/lists/notes?page=2"])
        #expect(try await world.rows("SELECT url FROM validator WHERE url LIKE '%#%?%'").isEmpty)
    }

    private static let told: [(String, String, [(String, String)], Int)] = [
        (#"{"next": "link", "rows": "header X-Total"}"#, first, [("X-Total", "N")], 0),
        (#"{"next": "header X-Next", "rows": "header X-Total"}"#, first, [("X-Total", "N")], 0),
        (
            #"{"next": "$.next", "rows": "$.n"}"#, #"{"results":\#(first),"next":null,"n":N}"#, [],
            1
        ),
        (
            #"{"cursor": "$.next", "as": "after", "rows": "$.n"}"#,
            #"{"results":\#(first),"next":"","n":N}"#, [], 1
        ),
    ]

    @Test(arguments: told)
    func `a total beside it tells whether the list has come whole`(
        pages: String, body: String, fields: [(String, String)], isWrapped: Int
    ) async throws {
        let world = try await Self.world(
            pages, more: isWrapped == 1 ? #", "rows": "$.results""# : "")
        func answer(_ rows: Int) -> ScriptedServer.Act {
            Self.page(
                body.replacing("N", with: "\(rows)"),
                fields.map { ($0.0, $0.1.replacing("N", with: "\(rows)")) })
        }
        world.world.server.next("GET", answer(2), answer(3))
        #expect(try await world.sync().state == .ok)
        #expect(try await world.isComplete() == true)
        let report = try await world.sync()
        #expect(try await world.isComplete() == false)
        #expect(
            report.error == "the list is cut: it has 2 rows, and the server has 3", "\(report)")
    }
}
