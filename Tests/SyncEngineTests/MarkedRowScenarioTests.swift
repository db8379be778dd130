import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

private func row(_ number: Int, _ more: String = "") -> String {
    #"{"id":\#(number),"title":"n\#(number)"\#(more)}"#
}

private let gone = #","deleted":true"#
private let isThere = #", "while": {"$.deleted": false}"#

/// Lists that show rows which the table does not have: those for which `while` does not hold.
@Suite struct MarkedRowScenarioTests {
    @Test(
        arguments: [
            (.none, #""none""#), (.link, #""link""#), (.page, #"{"page": "page"}"#),
            (.page, #"{"page": "page", "pages": "$.total_pages", "rows": "$.total_results"}"#),
            (
                .offset,
                #"{"offset": "offset", "limit": ["limit", 3], "rows": "header X-Total-Count"}"#
            ),
        ] as [(ReferenceList.Paging, String)])
    func `a marked row leaves with the first list that shows the mark, and comes back`(
        paging: ReferenceList.Paging, pages: String
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(
                rows: [row(1), row(2), row(3, #","deleted":null"#), row(4, gone), row(5, gone)]
                    + [row(6, gone), row(7, #","deleted":false"#)], paging: paging, size: 3),
            pages: pages, more: isThere)
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["n1", "n2", "n3", "n7"])
        #expect(try await world.isComplete() == true)
        world.change { $0.rows[1] = row(2, gone) }
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["n1", "n3", "n7"])
        world.change { $0.rows[1] = row(2) }
        try await world.sync()
        #expect(try await world.rows() == ["n1", "n2", "n3", "n7"])
    }

    @Test func `pages of marked rows alone do not end the list, and the same page again does`()
        async throws
    {
        var list = ReferenceList(
            rows: (1...9).map { row($0, $0 == 9 ? "" : gone) }, paging: .page, size: 3)
        var world = try await ListWorld(list, pages: #"{"page": "page"}"#, more: isThere)
        try await world.sync()
        #expect(try await world.rows() == ["n9"])
        list.lie = .samePage
        world = try await ListWorld(list, pages: #"{"page": "page"}"#, more: isThere)
        try await world.sync()
        #expect(try await world.rows() == [])
        let answers = world.world.server.withServer { $0.declaredLists["notes"]?.answers }
        #expect(try #require(answers) <= 3)
    }

    @Test(arguments: [
        (#"{"$.n": 1}"#, ["a"]), (#"{"$.n": [1, 2]}"#, ["a", "b"]), (#"{"$.s": "x"}"#, ["a"]),
        (#"{"$.s": null}"#, ["c", "d"]), (#"{"$.s": ["x", null], "$.n": [1, 3]}"#, ["a", "c"]),
        (#"{"$.deep.b": true}"#, ["b"]), (#"{"$.deep.b": false}"#, ["a", "c", "d"]),
    ])
    func `every part of the condition holds, each by one of its values`(
        condition: String, titles: [String]
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(
                rows: [
                    #"{"id":1,"title":"a","n":1,"s":"x"}"#,
                    #"{"id":2,"title":"b","n":2.0,"s":"y","deep":{"b":true}}"#,
                    #"{"id":3,"title":"c","n":3,"deep":[]}"#,
                    #"{"id":4,"title":"d","n":"1","s":null}"#,
                ], paging: .none, size: 9), pages: #""none""#, more: #", "while": \#(condition)"#)
        try await world.sync()
        #expect(try await world.rows() == titles)
    }

    @Test(arguments: [(false, true), (true, true), (true, false)])
    func `another condition reads a list that has not changed anew`(
        isWritten: Bool, hasTags: Bool
    ) async throws {
        var list = ReferenceList(
            rows: [row(1), row(2), row(3, gone)], paging: isWritten ? .none : .link, size: 2)
        list.isWritable = isWritten
        let pages = isWritten ? #""none""# : #""link""#
        let columns =
            #""title": {"text": "$.title", "required": true\#(isWritten ? #", "write": "both""# : "")}"#
        let writes = isWritten ? #", "create": true, "update": true"# : ""
        let world = try await ListWorld(
            list, pages: pages, columns: columns, more: isThere + writes)
        world.world.server.withServer { $0.behaviour.entityTags = hasTags }
        for _ in 0..<2 { try await world.sync() }
        let titles = "SELECT title FROM notes ORDER BY _id"
        #expect(try await world.rows(titles) == ["n1", "n2"])
        #expect(world.world.server.statuses.contains(304) == hasTags)
        try await world.declare(
            pages: pages, columns: columns, more: #", "while": {"$.deleted": true}"# + writes)
        try await world.sync()
        // It would empty a list that has rows.
        try await world.sync()
        #expect(try await world.rows(titles) == ["n3"])
    }
}
