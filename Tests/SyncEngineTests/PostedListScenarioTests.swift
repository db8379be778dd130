import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

private func rows(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { #"{"id":\#($0),"title":"n\#($0)"}"# }
}

private let posted = #"{"path": "/lists/notes/search", "body": {"find": "all", "page": {}}}"#

/// Lists that are read by `POST`.
@Suite struct PostedListScenarioTests {
    private static let kinds: [(ReferenceList.Paging, String, [String])] = [
        (.none, #""none""#, [#"{"find":"all","page":{}}"#]),
        (
            .cursor, #"{"cursor": "$.next_cursor", "as": "body $.page.cursor"}"#,
            [#"{"find":"all","page":{}}"#, #"{"find":"all","page":{"cursor":"3"}}"#]
                + [#"{"find":"all","page":{"cursor":"6"}}"#]
        ),
        (
            .page, #"{"page": "body $.page.page"}"#,
            (1...4).map { #"{"find":"all","page":{"page":\#($0)}}"# }
        ),
        (
            .offset,
            #"{"offset": "body $.page.offset", "limit": ["body $.page.limit", 3], "rows": "header X-Total-Count"}"#,
            [
                #"{"find":"all","page":{"limit":3}}"#,
                #"{"find":"all","page":{"offset":3,"limit":3}}"#,
            ]
                + [#"{"find":"all","page":{"offset":6,"limit":3}}"#]
        ),
    ]

    @Test(arguments: kinds)
    func `it says in its body which page it wants, and follows the server`(
        paging: ReferenceList.Paging, pages: String, bodies: [String]
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...8), paging: paging, size: 3), pages: pages, list: posted)
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == (1...8).map { "n\($0)" })
        let requests = world.world.server.requests
        #expect(requests.map { String(decoding: $0.body ?? [], as: UTF8.self) } == bodies)
        #expect(requests.allSatisfy { $0.method == .post && $0.target == "/lists/notes/search" })
        #expect(requests.allSatisfy { $0.fields.contains { $0.isNamed("content-type") } })
        world.change { $0.rows = rows(2...9) }
        for _ in 1...2 { try await world.sync() }
        #expect(try await world.rows() == (2...9).map { "n\($0)" })
        #expect(try await world.isComplete() == true)
    }

    @Test func `its answers have no validators, and nothing of it is kept to spare a page`()
        async throws
    {
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...4), paging: .none, size: 9), pages: #""none""#,
            list: posted)
        world.world.server.withServer { $0.behaviour.entityTags = true }
        for _ in 1...2 { #expect(try await world.sync().state == .ok) }
        #expect(world.world.server.statuses == [200, 200])
        #expect(
            try await world.rows("SELECT count(*) FROM validator WHERE entity_tag IS NOT NULL") == [
                "0"
            ])
    }

    @Test func `another query in GraphQL is the same list`() async throws {
        func list(_ query: String) -> String {
            #"{"path": "/lists/notes/search", "body": {"query": "\#(query)", "page": {}}}"#
        }
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...2), paging: .none, size: 9), pages: #""none""#,
            list: list("{ notes { id } }"))
        try await world.sync()
        let before = try await world.rows("SELECT _id, title FROM notes")
        try await world.declare(pages: #""none""#, list: list("{ notes { id title } }"))
        try await world.sync()
        #expect(try await world.rows("SELECT _id, title FROM notes") == before)
        try await world.declare(pages: #""none""#, list: list("notes of mine"))
        try await world.sync()
        #expect(try await world.rows("SELECT _id, title FROM notes") != before)
    }

    @Test func `another body is another list`() async throws {
        let world = try await ListWorld(
            ReferenceList(rows: rows(1...2), paging: .none, size: 9), pages: #""none""#,
            more: #", "delete": {"method": "DELETE", "path": "/lists/notes/{id}"}"#, list: posted)
        try await world.sync()
        try await world.write("DELETE FROM notes WHERE title = 'n1'")
        try await world.declare(
            pages: #""none""#,
            more: #", "delete": {"method": "DELETE", "path": "/lists/notes/{id}"}"#,
            list: #"{"path": "/lists/notes/search", "body": {"find": "some"}}"#)
        let report = try await world.sync()
        #expect(report.state == .misconfigured)
        #expect(
            report.error == #"""
                the rows of notes are those of POST /lists/notes/search {"find":"all","page":{}}, but its declaration \#
                names POST /lists/notes/search {"find":"some"}, and a change waits
                """#)
    }

    @Test func `a cursor goes back as it came, and ends where the server says so`() async throws {
        let pages =
            #"{"cursor": "$.data.page.end", "as": "body $.after", "more": "$.data.page.more"}"#
        let world = try await ListWorld(
            ReferenceList(rows: [], paging: .none, size: 9), pages: pages,
            more: #", "rows": "$.data.all""#, list: #"{"path": "/graphql"}"#)
        world.world.server.next(
            "POST /graphql",
            .body(#"{"data":{"all":[{"id":1,"title":"a"}],"page":{"end":12,"more":true}}}"#),
            .body(#"{"data":{"all":[{"id":2,"title":"b"}],"page":{"end":"x\"","more":null}}}"#),
            .body(#"{"data":{"all":[{"id":3,"title":"c"}],"page":{"end":"y","more":false}}}"#))
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["a", "b", "c"])
        #expect(try await world.isComplete() == true)
        let bodies = world.world.server.requests.map {
            String(decoding: $0.body ?? [], as: UTF8.self)
        }
        #expect(bodies == ["{}", #"{"after":12}"#, #"{"after":"x\""}"#])
    }

    @Test(arguments: [
        #"{"data":null,"errors":[{"message":"no such field"}]}"#,
        #"{"errors":[{"message":"no such field"}]}"#,
        #"{"data":{"all":[{"id":1,"title":null},{"id":2,"title":"b"}]},"errors":[{"message":"no such field"}]}"#,
    ])
    func `errors in a success are a failure that tells them, be there rows or not`(
        body: String
    ) async throws {
        let world = try await ListWorld(
            ReferenceList(rows: [], paging: .none, size: 9), pages: #""none""#,
            more: #", "rows": "$.data.all""#, list: #"{"path": "/graphql"}"#)
        world.world.server.next(
            "POST /graphql", .body(#"{"data":{"all":[{"id":1,"title":"a"}]},"errors":[]}"#),
            .body(body))
        #expect(try await world.sync().state == .ok)
        let report = try await world.sync()
        #expect(report.state == .failing)
        #expect(report.error?.hasSuffix(": the server says ‘no such field’") == true, "\(report)")
        #expect(try await world.rows() == ["a"])
    }

    private static func written() async throws -> ListWorld {
        var list = ReferenceList(rows: rows(1...2), paging: .none, size: 9)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #""title": {"text": "$.title", "write": "both", "required": true}"#,
            more: #"""
                , "create": {"path": "/lists/notes", "body": "@row"},
                "update": {"path": "/lists/notes/{id}", "method": "PATCH", "body": "@changed"},
                "read": {"path": "/read", "body": {"of": "@id", "was": "{title}"}, "row": "$.data.note"}
                """#, list: posted)
        try await world.sync(then: .zero)
        try await world.write(
            "UPDATE notes SET title = 'mine' WHERE _id = 2; INSERT INTO notes (title) VALUES ('new')"
        )
        return world
    }

    @Test func `a row of it is read by POST, and what the body names of it is the server's`()
        async throws
    {
        let world = try await Self.written()
        world.world.server.next("POST /read", .body(#"{"data":{"note":{"id":2,"title":"n2"}}}"#))
        try await world.sync(because: .localWrite, then: .zero)
        let read = world.world.server.requests.first { $0.target == "/read" }
        #expect(
            read.map { String(decoding: $0.body ?? [], as: UTF8.self) } == #"{"of":2,"was":"n2"}"#)
        #expect(world.atServer.contains(#"{"id":2,"title":"mine"}"#))
        #expect(world.atServer.count == 3)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `errors in the answer to a read leave it to the list whether the row is there`()
        async throws
    {
        let world = try await Self.written()
        world.world.server.next(
            "POST /read", .body(#"{"data":{"note":null},"errors":[{"message":"too busy"}]}"#))
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.world.count("PATCH") == 0)
        #expect(
            try await world.rows("SELECT title, _state FROM notes WHERE _id = 2") == ["mine|queued"]
        )
        try await world.sync()
        #expect(world.world.count("PATCH") == 1)
    }
}
