import Declarations
import SyncEngine
import Testing

/// The pages of a server: what is asked for, and what comes.
private func walk(
    _ paging: String, pages: [(request: PageWalk.Request, page: PageWalk.Page)]
) throws -> [PageWalk.Request] {
    let declaration = try Declaration.stored(
        """
        {"list": "/l", "id": "$.id", "columns": {"a": "text $.a"}, "pages": \(paging)}
        """, name: "l")
    var walk = PageWalk(declaration.paging)
    var asked = [walk.begin()]
    var index = 0
    while index < asked.count {
        let page = try #require(
            pages.first { $0.request == asked[index] }?.page, "\(asked[index])")
        asked += try walk.take(page, at: index)
        index += 1
    }
    return asked
}

private func page(
    _ rows: Int64, new: Int64? = nil, next: String? = nil, pages: Int64? = nil, total: Int64? = nil
) -> PageWalk.Page {
    PageWalk.Page(
        rows: rows, newRows: new ?? rows, next: next, totalPages: pages, totalRows: total)
}

@Suite struct `which pages of a list are read` {
    @Test func `without pages, the one answer`() throws {
        #expect(
            try walk(#""none""#, pages: [(.first, page(3, next: "/l?page=2", pages: 9, total: 90))])
                == [.first])
    }

    @Test(arguments: [#""link""#, #"{"next": "$.next"}"#])
    func `those that one after another names, until none does`(paging: String) throws {
        #expect(
            try walk(
                paging,
                pages: [
                    (.first, page(2, next: "/b")), (.address("/b"), page(2, next: "/c")),
                    (.address("/c"), page(1)),
                ]) == [.first, .address("/b"), .address("/c")])
    }

    @Test func `those behind a cursor, until there is none`() throws {
        #expect(
            try walk(
                #"{"cursor": "$.c", "as": "cursor"}"#,
                pages: [(.first, page(2, next: "x")), (.cursor("x"), page(2))])
                == [.first, .cursor("x")])
    }

    @Test func `an address that was asked for before leads round in a circle`() throws {
        #expect(
            try walk(
                #""link""#,
                pages: [
                    (.first, page(2, next: "/b")), (.address("/b"), page(2, next: "/c")),
                    (.address("/c"), page(2, next: "/b")),
                ]) == [.first, .address("/b"), .address("/c")])
    }

    @Test func `all that the first page tells of, at once`() throws {
        #expect(
            try walk(
                #"{"page": "page", "pages": "$.pages"}"#,
                pages: [
                    (.first, page(2, pages: 3)), (.number(2), page(2, pages: 3)),
                    (.number(3), page(2, pages: 4)),
                ]) == [.first, .number(2), .number(3)])
        #expect(
            try walk(
                #"{"page": "page", "from": 0, "pages": "$.pages", "most": 2}"#,
                pages: [(.first, page(2, pages: 3)), (.number(1), page(2, pages: 3))])
                == [.first, .number(1)])
    }

    @Test func `one number after another where nobody tells how many, until one brings no new row`()
        throws
    {
        #expect(
            try walk(
                #"{"page": "page"}"#,
                pages: [
                    (.first, page(2)), (.number(2), page(2, new: 1)),
                    (.number(3), page(2, new: 0)),
                ]) == [.first, .number(2), .number(3)])
        #expect(
            try walk(#"{"page": "page"}"#, pages: [(.first, page(0))]) == [.first])
    }

    @Test
    func `one number after another until as many rows came as there are, on two pages or more`()
        throws
    {
        let paging = #"{"page": "page", "rows": "$.count"}"#
        #expect(
            try walk(
                paging, pages: [(.first, page(2, total: 4)), (.number(2), page(2, total: 4))])
                == [.first, .number(2)])
        // At some servers it counts the rows of the page.
        #expect(
            try walk(
                paging,
                pages: [
                    (.first, page(2, total: 2)), (.number(2), page(2, total: 2)),
                    (.number(3), page(1, total: 1)), (.number(4), page(0, total: 0)),
                ]) == [.first, .number(2), .number(3), .number(4)])
    }

    @Test func `a list has all rows where so many came as it told, neither fewer nor more`() throws
    {
        var walk = PageWalk(.link)
        _ = walk.begin()
        #expect(!walk.hasAllRows)
        _ = try walk.take(page(2, next: "/b", total: 4), at: 0)
        #expect(!walk.hasAllRows)
        _ = try walk.take(page(2, next: "/c"), at: 1)
        #expect(walk.hasAllRows)
        _ = try walk.take(page(2), at: 2)
        #expect(!walk.hasAllRows)
    }

    @Test func `behind so many rows, up to the total`() throws {
        let paging = #"{"offset": "skip", "limit": ["limit", 2], "rows": "$.count"}"#
        #expect(
            try walk(
                paging,
                pages: [
                    (.first, page(2, total: 5)), (.offset(2), page(2, total: 5)),
                    (.offset(4), page(1, total: 5)),
                ]) == [.first, .offset(2), .offset(4)])
        // A total that shrinks ends it sooner, one that is too large does not make it endless.
        #expect(
            try walk(
                paging, pages: [(.first, page(2, total: 5)), (.offset(2), page(0, total: 5))])
                == [.first, .offset(2)])
    }

    @Test func `a page shorter than asked for is the last one only if another was longer`() throws {
        let paging = #"{"offset": "skip", "limit": ["limit", 100]}"#
        // This server never gives more than 50.
        #expect(
            try walk(
                paging,
                pages: [
                    (.first, page(50)), (.offset(50), page(50)), (.offset(100), page(7)),
                ]) == [.first, .offset(50), .offset(100)])
        #expect(
            try walk(paging, pages: [(.first, page(7)), (.offset(7), page(0))])
                == [.first, .offset(7)])
        #expect(
            try walk(paging, pages: [(.first, page(100)), (.offset(100), page(99))])
                == [.first, .offset(100)])
    }

    @Test func `not more than 100 000 pages, nor two million rows`() {
        func endless(_ rows: Int64) throws {
            var walk = PageWalk(.link)
            _ = walk.begin()
            for index in 0..<100_001 { _ = try walk.take(page(rows, next: "/\(index)"), at: index) }
        }
        #expect(throws: PageWalk.Failure.tooManyPages) { try endless(1) }
        #expect(throws: PageWalk.Failure.tooManyRows) { try endless(100_000) }
    }
}
