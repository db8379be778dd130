import APIClient
import Foundation
import ReferenceAPI
import Testing

@Suite struct RecordedPagesTests {
    private func page(_ number: Int, of total: Int, rows: Int, results: Int) -> [UInt8] {
        let list = (0..<rows).map { #"{"id": \#(number * 100 + $0),  "title": "] \" , {[\#($0)"}"# }
        let text = """
            { "total_results" : \(results),
              "nested": {"total_pages": 99, "total_results": [1, 2, {"page": 3}]},
              "results": [\(list.joined(separator: " , "))],
              "page": \(number), "total_pages":\(total) }

            """
        return Array(text.utf8)
    }

    @Test func `a whole set of pages is served byte for byte, in any order given`() throws {
        let pages = [
            page(2, of: 2, rows: 1, results: 21), page(1, of: 2, rows: 20, results: 21),
        ]
        let movies = try MovieCatalogue.recorded(pages)
        #expect(movies.pages == [pages[1], pages[0]])
        #expect(movies.totalResults == 21)
    }

    @Test func `totals that promise more than was given are made to fit, and nothing else`() throws
    {
        let movies = try MovieCatalogue.recorded([
            page(1, of: 19, rows: 20, results: 369), page(2, of: 19, rows: 3, results: 370),
        ])
        #expect(
            movies.pages == [
                page(1, of: 2, rows: 20, results: 23), page(2, of: 2, rows: 3, results: 23),
            ])
        let beyond = try HTTPResponse(status: 200, body: movies.body(page: 3)).object()
        #expect(beyond["total_pages"] as? Int == 2)
        #expect(beyond["total_results"] as? Int == 23)
    }

    @Test func `a recorded page reaches the client as it is`() throws {
        var client = try ReferenceClient.loggedIn()
        let body = page(1, of: 1, rows: 2, results: 2)
        client.server.movies = try MovieCatalogue.recorded([body])
        #expect(client.page("?page=1").body == body)
    }

    @Test func `pages that make no list are refused with their place`() {
        let good = page(1, of: 1, rows: 1, results: 1)
        #expect(throws: RecordedPagesError.none) { try MovieCatalogue.recorded([]) }
        #expect(throws: RecordedPagesError.missing(page: 1)) {
            try MovieCatalogue.recorded([page(2, of: 2, rows: 1, results: 1)])
        }
        #expect(throws: RecordedPagesError.doubled(page: 1, place: 1)) {
            try MovieCatalogue.recorded([good, good])
        }
        for bad in [
            "", "[]", "{}", #"{"page":1,"results":7,"total_pages":1}"#, "\u{FEFF}{", "{\"a",
        ] {
            #expect(throws: RecordedPagesError.notAPage(place: 1), "\(bad)") {
                try MovieCatalogue.recorded([good, Array(bad.utf8)])
            }
        }
    }

    @Test func `an error names the page and says what to do`() {
        let errors: [RecordedPagesError] = [
            .none, .notAPage(place: 2), .doubled(page: 4, place: 2), .missing(page: 4),
        ]
        #expect(errors.map(\.description)[1] == "recorded page no. 3 is not a page of a movie list")
        #expect(errors.allSatisfy { $0.hint.hasSuffix(".") && !$0.description.isEmpty })
    }
}
