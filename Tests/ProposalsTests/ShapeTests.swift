import APIClient
import Declarations
import Proposals
import Testing

/// The shapes of the servers that people have: where the rows are, what the id is, how the pages come.
@Suite struct ShapeTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let target: String
        let body: String
        var fields: [(String, String)] = []
        var second: String?
        /// Which candidate the second page answers.
        var place = 0
        var rows: String?
        var id = "\"$.id\""
        var pages = "\"none\""
        var list: String?
    }

    static let shapes: [Shape] = [
        Shape(testDescription: "a bare list", target: "/notes", body: rows(3)),
        Shape(
            testDescription: "GitHub, Gitea: Link", target: "/repos/o/r/issues?per_page=2",
            body: rows(2), fields: [("Link", "<https://example.org/x?page=2>; rel=\"next\"")],
            second: rows(2, from: 3), pages: "\"link\""),
        Shape(
            testDescription: "data", target: "/items", body: "{\"data\": \(rows(3))}",
            rows: "\"$.data\""),
        Shape(
            testDescription: "FastAPI: data and count", target: "/api/v1/items/",
            body: "{\"data\": \(rows(2)), \"count\": 5}",
            second: "{\"data\": \(rows(2, from: 3)), \"count\": 5}", place: 3,
            rows: "\"$.data\"",
            pages: "{\"offset\":\"skip\",\"limit\":[\"limit\",2],\"rows\":\"$.count\"}"),
        Shape(
            testDescription: "Django REST framework", target: "/notes/?ordering=id",
            body: """
                {"count": 5, "next": "https://example.org/notes/?page=2", "previous": null,
                 "results": \(rows(2))}
                """,
            second: "{\"count\": 5, \"next\": null, \"results\": \(rows(2, from: 3))}",
            rows: "\"$.results\"", pages: "{\"next\":\"$.next\",\"rows\":\"$.count\"}",
            list: "/notes/?ordering=id"),
        Shape(
            testDescription: "next, and a count of the rows that came", target: "/notes/",
            body: """
                {"count": 2, "next": "https://example.org/notes/?page=2", "results": \(rows(2))}
                """,
            second: "{\"count\": 1, \"next\": null, \"results\": \(rows(1, from: 3))}",
            rows: "\"$.results\"", pages: "{\"next\":\"$.next\"}"),
        Shape(
            testDescription: "next, and a total on the first page alone", target: "/notes/",
            body: """
                {"count": 3, "next": "https://example.org/notes/?page=2", "results": \(rows(2))}
                """,
            second: "{\"next\": null, \"results\": \(rows(1, from: 3))}",
            rows: "\"$.results\"", pages: "{\"next\":\"$.next\"}"),
        Shape(
            testDescription: "GitLab: Link and X-Total", target: "/api/v4/issues", body: rows(2),
            fields: [
                ("Link", "<https://example.org/x?page=2>; rel=\"next\""), ("X-Total", "4"),
            ], second: rows(2, from: 3),
            pages: "{\"next\":\"link\",\"rows\":\"header X-Total\"}"),
        Shape(
            testDescription: "Link, and a total in another place of the second page",
            target: "/issues", body: "{\"data\": \(rows(2)), \"count\": 4}",
            fields: [("Link", "<https://example.org/x?page=2>; rel=\"next\"")],
            second: "{\"data\": \(rows(1, from: 3)), \"total\": 3}", rows: "\"$.data\"",
            pages: "\"link\""),
        Shape(
            testDescription: "OData", target: "/odata/Notes",
            body: """
                {"@odata.context": "x", "value": \(rows(2)),
                 "@odata.nextLink": "https://example.org/odata/Notes?$skip=2"}
                """,
            second: "{\"value\": \(rows(2, from: 3))}", rows: "\"$.value\"",
            pages: "{\"next\":\"$['@odata.nextLink']\"}"),
        Shape(
            testDescription: "X-Total-Count", target: "/posts?_page=1", body: rows(2),
            fields: [("X-Total-Count", "7")], second: rows(2, from: 3),
            pages: "{\"page\":\"_page\",\"rows\":\"header X-Total-Count\"}", list: "/posts"),
        Shape(
            testDescription: "PostgREST: Content-Range", target: "/notes?order=id&limit=2",
            body: rows(2), fields: [("Content-Range", "0-1/7")], second: rows(2, from: 3),
            pages:
                "{\"offset\":\"offset\",\"limit\":[\"limit\",2],\"rows\":\"header Content-Range\"}",
            list: "/notes?order=id"),
        Shape(
            testDescription: "PocketBase", target: "/api/collections/notes/records",
            body: """
                {"page": 1, "perPage": 2, "totalItems": 3, "totalPages": 2, "items": [
                 {"id": "ab1", "title": "a"}, {"id": "ab2", "title": "b"}]}
                """,
            second: """
                {"page": 2, "perPage": 2, "totalItems": 3, "totalPages": 2,
                 "items": [{"id": "ab3", "title": "c"}]}
                """, rows: "\"$.items\"",
            pages: "{\"page\":\"page\",\"pages\":\"$.totalPages\",\"rows\":\"$.totalItems\"}"),
        Shape(
            testDescription: "Strapi: documentId, pages in brackets", target: "/api/notes",
            body: """
                {"data": [{"documentId": "a", "n": 1}, {"documentId": "b", "n": 1}],
                 "meta": {"pagination": {"page": 1, "pageSize": 2, "pageCount": 2, "total": 3}}}
                """,
            second: """
                {"data": [{"documentId": "c", "n": 1}],
                 "meta": {"pagination": {"page": 2, "pageSize": 2, "pageCount": 2, "total": 3}}}
                """, rows: "\"$.data\"", id: "\"$.documentId\"",
            pages: """
                {"page":"pagination[page]","pages":"$.meta.pagination.pageCount",\
                "rows":"$.meta.pagination.total"}
                """),
        Shape(
            testDescription: "Spring: counts from 0",
            target: "/notes",
            body: """
                {"content": \(rows(2)), "page": {"size": 2, "number": 0, "totalElements": 3, "totalPages": 2}}
                """,
            second: """
                {"content": \(rows(1, from: 3)), "page": {"number": 1, "totalElements": 3, "totalPages": 2}}
                """, rows: "\"$.content\"",
            pages: """
                {"page":"page","from":0,"pages":"$.page.totalPages","rows":"$.page.totalElements"}
                """),
        Shape(
            testDescription: "Todoist: cursor", target: "/api/v1/tasks",
            body: "{\"results\": [{\"id\": \"6X\"}], \"next_cursor\": \"abc\"}",
            second: "{\"results\": [{\"id\": \"6Y\"}], \"next_cursor\": null}",
            rows: "\"$.results\"", pages: "{\"cursor\":\"$.next_cursor\",\"as\":\"cursor\"}"),
        Shape(
            testDescription: "Google: the first name of the parameter is wrong",
            target: "/lists/l/tasks",
            body: "{\"items\": [{\"id\": \"6X\"}], \"nextPageToken\": \"abc\"}",
            second: "{\"items\": [{\"id\": \"6Y\"}]}", place: 1, rows: "\"$.items\"",
            pages: "{\"cursor\":\"$.nextPageToken\",\"as\":\"nextPageToken\"}"),
        Shape(
            testDescription: "_id", target: "/notes",
            body: "[{\"_id\": \"a\", \"n\": 1}, {\"_id\": \"b\", \"n\": 1}]", id: "\"$._id\""),
        Shape(
            testDescription: "Open Library: a key one level down",
            target: "/people/x/books/want-to-read.json",
            body: """
                {"page": 1, "reading_log_entries": [
                 {"work": {"key": "/works/1"}, "logged_edition": null},
                 {"work": {"key": "/works/2"}, "logged_edition": null}]}
                """, rows: "\"$.reading_log_entries\"", id: "\"$.work.key\""),
        Shape(
            testDescription: "Home Assistant: entity_id", target: "/api/states",
            body: """
                [{"entity_id": "a", "state": "on", "attributes": {}},
                 {"entity_id": "b", "state": "on", "attributes": {}}]
                """, id: "\"$.entity_id\""),
        Shape(
            testDescription: "HAL: the list is two levels down", target: "/notes",
            body:
                "{\"_links\": {\"self\": {\"href\": \"/notes\"}}, \"_embedded\": {\"notes\": \(rows(2))}}",
            rows: "\"$._embedded.notes\""),
        Shape(
            testDescription: "several lists: the usual name", target: "/x",
            body: "{\"included\": \(rows(9)), \"data\": \(rows(2))}", rows: "\"$.data\""),
        Shape(
            testDescription: "several lists: the name of the path", target: "/v1/notes?x=1",
            body: "{\"users\": \(rows(9)), \"notes\": \(rows(2))}", rows: "\"$.notes\""),
    ]

    @Test(arguments: shapes) func `a shape is proposed as it is`(_ shape: Shape) throws {
        let first = Seen(shape.target, shape.body, shape.fields)
        // A server counts on each page, and the last one has no link.
        let second = shape.second.map { body in
            Seen(shape.target, body, shape.fields.filter { $0.0 != "Link" })
        }
        let proposal = try first.proposal(second: second, at: shape.place)
        #expect(proposal.value("rows") == shape.rows)
        #expect(proposal.value("id") == shape.id)
        #expect(proposal.value("pages") == shape.pages)
        if let list = shape.list { #expect(proposal.value("list") == "\"\(list)\"") }
        _ = try proposal.read()
        // Nothing is proposed that the answer did not show.
        if shape.second == nil { #expect(shape.pages == "\"none\"") }
    }

    @Test func `a second page with the same rows proves nothing`() throws {
        let first = Seen(
            "/notes", rows(30), [("Link", "<https://example.org/notes?page=2>; rel=\"next\"")])
        let proposal = try first.proposal()
        #expect(proposal.value("pages") == "\"none\"")
        #expect(proposal.evidence("pages") == "none: no second page was found")
        #expect(proposal.warnings.count == 2)
        #expect(
            proposal.warnings.first == "\"link\" was tried: it brings the same rows again")
        #expect(
            proposal.warnings.last?.contains(
                "the list is cut: the header Link names a next page") == true)
    }

    /// Seen at Mailman: an address is in each row of a short list, and the same person is a member of two lists.
    @Test func `the id of what the list is named for goes before what people see`() throws {
        let row =
            #"{"address": "a@example.org", "display_name": "A", "self_link": "http://h/1", "list_id": "l", "member_id": "m1", "email": "x"}"#
        let other = row.replacing("m1", with: "m2").replacing("a@", with: "b@").replacing(
            "\"A\"", with: "\"B\"")
        #expect(
            try Seen("/3.1/members", "[\(row), \(other)]").proposal().value("id")
                == "\"$.member_id\"")
    }

    @Test func `a server that says that there is more, and not where, is told`() throws {
        let proposal = try Seen("/v1/charges", "{\"has_more\": true, \"data\": \(rows(3))}")
            .proposal()
        #expect(proposal.value("pages") == "\"none\"")
        #expect(proposal.warnings.last?.contains("the list is cut: $.has_more is true") == true)
    }

    @Test func `a list as long as a page, and nothing that tells of pages, is a warning`() throws {
        #expect(try Seen("/notes", rows(30)).proposal().warnings.first?.contains("30 rows") == true)
        #expect(try Seen("/notes", rows(31)).proposal().warnings == [])
    }

    @Test func `a list of one page keeps its sign for later`() throws {
        let body = "{\"count\": 2, \"next\": null, \"previous\": null, \"results\": \(rows(2))}"
        let proposal = try Seen("/notes/", body).proposal()
        #expect(proposal.value("pages") == "{\"next\":\"$.next\"}")
        #expect(
            proposal.evidence("pages")
                == "{\"next\":\"$.next\"}: $.next names the next page when there is one, and names none now"
        )
        #expect(proposal.warnings == [])
    }

    /// Which parameter takes a cursor, only a second page tells.
    @Test func `a cursor of a list of one page is told, and not guessed`() throws {
        let proposal = try Seen("/notes", "{\"notes\": \(rows(2)), \"next_cursor\": null}")
            .proposal()
        #expect(proposal.value("pages") == "\"none\"")
        #expect(
            proposal.evidence("pages")
                == "none: $.next_cursor names no next page. When the list grows, write"
                + " \"pages\": {\"cursor\":\"$.next_cursor\",\"as\":\"cursor\"}")
    }

    @Test(arguments: [
        (
            "{\"users\": \(rows(2)), \"total_count\": 2, \"offset\": 0, \"limit\": 25}",
            "{\"users\": \(rows(1, from: 2)), \"total_count\": 2, \"offset\": 1, \"limit\": 1}",
            "{\"offset\":\"offset\",\"limit\":[\"limit\",25],\"rows\":\"$.total_count\"}"
        ),
        (
            "{\"items\": \(rows(1)), \"_pagination\": {\"start\": 0, \"limit\": 50, \"total\": 1}}",
            "{\"items\": [], \"_pagination\": {\"start\": 1, \"limit\": 1, \"total\": 1}}",
            "{\"offset\":\"start\",\"limit\":[\"limit\",50],\"rows\":\"$._pagination.total\"}"
        ),
        (
            "{\"items\": \(rows(3)), \"page\": 1, \"perPage\": 30, \"totalItems\": 3, \"totalPages\": 1}",
            "{\"items\": [], \"page\": 2, \"perPage\": 30, \"totalItems\": 3, \"totalPages\": 1}",
            "{\"page\":\"page\",\"pages\":\"$.totalPages\",\"rows\":\"$.totalItems\"}"
        ),
    ])
    func `the pages of a list of one page are those that its shape names`(
        first: String, second: String, pages: String
    ) throws {
        let first = Seen("/notes", first)
        let proposal = try first.proposal(second: Seen("/notes", second))
        #expect(proposal.value("pages") == pages)
        #expect(
            proposal.evidence("pages").hasSuffix(
                "the server takes the parameters; there is one page now"))
        _ = try proposal.read()
        // A server that answers the same whatever it is asked has no such pages.
        #expect(try first.proposal().value("pages") == "\"none\"")
    }

    @Test func `a total that is the length of a page ends no list`() throws {
        let first =
            "{\"count\": 2, \"has_more\": true, \"offset\": 0, \"limit\": 2, \"data\": \(rows(2))}"
        let second =
            "{\"count\": 1, \"has_more\": false, \"offset\": 2, \"limit\": 2, \"data\": \(rows(1, from: 3))}"
        let proposal = try Seen("/notes", first).proposal(second: Seen("/notes", second))
        #expect(proposal.value("pages") == "{\"offset\":\"offset\",\"limit\":[\"limit\",2]}")
        #expect(proposal.evidence("pages").hasSuffix("is not that of the list"))
    }

    @Test func `a list of links and the header Next-Page name a next page`() throws {
        let body = """
            {"data": {"collection": \(rows(2)), "@total_size": 3},
             "@links": {"next": [{"rel": "next", "uri": "/notes?@page_index=2"}]}}
            """
        let second = "{\"data\": {\"collection\": \(rows(1, from: 3)), \"@total_size\": 3}}"
        let links = try Seen("/notes", body).proposal(second: Seen("/notes", second))
        #expect(links.value("pages") == "{\"next\":\"$['@links'].next[0].uri\"}")
        _ = try links.read()
        let header = try Seen(
            "/notes", rows(2), [("Next-Page", "https://example.org/notes?_token=x")]
        )
        .proposal(second: Seen("/notes", rows(1, from: 3)))
        #expect(header.value("pages") == "\"link\"")
        let number = try Seen("/notes", rows(2), [("Next-Page", "2")]).proposal()
        #expect(number.value("pages") == "\"none\"")
    }

    @Test func `the object of a next page that is not there yet is read when it is`() throws {
        let body = "{\"items\": \(rows(2)), \"_pagination\": {\"total\": 2, \"next\": null}}"
        #expect(
            try Seen("/notes", body).proposal().value("pages")
                == "{\"next\":\"$._pagination.next.url\"}")
        for other in ["meta", "links", "info", "pagination"] {
            let body = "{\"items\": \(rows(2)), \"\(other)\": null}"
            #expect(try Seen("/notes", body).proposal().value("pages") == "\"none\"", "\(other)")
        }
    }

    @Test func `several lists without a usual name: the longest, with a warning`() throws {
        let body = "{\"a\": \(rows(2)), \"b\": \(rows(5))}"
        let proposal = try Seen("/x", body).proposal()
        #expect(proposal.value("rows") == "\"$.b\"")
        #expect(proposal.warnings.first?.contains("look whether $.b is the right one") == true)
    }

    @Test func `what the server names under Allow is told, and nothing is switched on`() throws {
        let proposal = try Seen(
            "/notes", rows(3), [("Allow", "GET, POST, HEAD, OPTIONS, PUT, DELETE")]
        ).proposal()
        let sentence = proposal.evidence("writes")
        #expect(sentence.contains("POST, PUT, DELETE"))
        #expect(
            sentence.contains(
                "\"create\": true, \"update\": {\"method\": \"PUT\"}, \"delete\": true"))
        #expect(try proposal.read().declaration.isReadOnly)
    }
}
