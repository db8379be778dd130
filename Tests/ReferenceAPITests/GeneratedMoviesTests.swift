import APIClient
import Foundation
import ReferenceAPI
import Testing

/// The promises of the invented list: every trap of the recorded answers occurs in it.
@Suite struct GeneratedMoviesTests {
    private let movies = MovieCatalogue.generated(count: 434, seed: 1, overlap: false, dates: true)

    private func rows() throws -> [[String: Any]] {
        try movies.pages.flatMap { page in
            let object = try HTTPResponse(status: 200, body: page).object()
            return try #require(object["results"] as? [[String: Any]])
        }
    }

    @Test func `a seed decides every byte`() {
        let again = MovieCatalogue.generated(count: 434, seed: 1, overlap: false, dates: true)
        let other = MovieCatalogue.generated(count: 434, seed: 2, overlap: false, dates: true)
        #expect(again == movies)
        #expect(other.pages[0] != movies.pages[0])
    }

    @Test func `titles and ids tell the movies apart`() throws {
        let rows = try rows()
        #expect(rows.count == 434)
        #expect(Set(rows.compactMap { $0["id"] as? Int }).count == 434)
        #expect(Set(rows.compactMap { $0["title"] as? String }).count == 434)
    }

    @Test func `each row has the recorded fields`() throws {
        let always: Set = [
            "adult", "backdrop_path", "genre_ids", "id", "original_language", "original_title",
            "overview", "popularity", "poster_path", "title", "video", "vote_average", "vote_count",
        ]
        for row in try rows() { #expect(always.isSubset(of: row.keys)) }
    }

    @Test func `posters, overviews, dates and genres are missing here and there`() throws {
        let rows = try rows()
        #expect(rows.contains { $0["poster_path"] is NSNull })
        #expect(rows.contains { $0["backdrop_path"] is NSNull })
        #expect(rows.contains { $0["overview"] as? String == "" })
        #expect(rows.contains { $0["release_date"] as? String == "" })
        #expect(rows.contains { $0["release_date"] == nil })
        #expect(rows.contains { ($0["genre_ids"] as? [Int])?.isEmpty == true })
        #expect(rows.contains { $0["adult"] is NSNull })
        #expect(rows.contains { $0["origin_country"] != nil })
    }

    @Test func `most release dates lie outside the window, some decades before it`() throws {
        let object = try HTTPResponse(status: 200, body: movies.pages[0]).object()
        let window = try #require(object["dates"] as? [String: String])
        let (first, last) = (try #require(window["minimum"]), try #require(window["maximum"]))
        let dates = try rows().compactMap { $0["release_date"] as? String }.filter { $0 != "" }
        let shape = try Regex("[12][0-9]{3}-[01][0-9]-[0-3][0-9]")
        #expect(dates.allSatisfy { $0.wholeMatch(of: shape) != nil })
        #expect(dates.count { $0 < first || $0 > last } * 3 > dates.count * 2)
        #expect(dates.contains { first <= $0 && $0 <= last })
        #expect(dates.count { $0 < "2015" } > 10)
    }

    @Test func `numbers are written as integers and as decimals`() throws {
        let text = String(decoding: movies.pages.joined(), as: UTF8.self)
        #expect(try text.firstMatch(of: Regex(#""vote_average":0[,}]"#)) != nil)
        #expect(try text.firstMatch(of: Regex(#""vote_average":[4-9][,}]"#)) != nil)
        #expect(try text.firstMatch(of: Regex(#""vote_average":[4-9]\.[0-9]+[,}]"#)) != nil)
        let popularity = try rows().compactMap { $0["popularity"] as? Double }
        #expect(popularity.count == 434)
        #expect(popularity == popularity.sorted(by: >))
    }

    @Test func `texts come in several scripts, as characters and as escapes`() throws {
        let rows = try rows()
        let titles = rows.compactMap { $0["original_title"] as? String }.joined()
        for part in ["雨", "바람", "маяк", "حديقة", "नदी", "🍿", "👩‍🚀", "e\u{301}", "\"", "\\"] {
            #expect(titles.contains(part), "\(part)")
        }
        #expect(rows.contains { $0["original_language"] as? String == "cn" })
        let text = String(decoding: movies.pages.joined(), as: UTF8.self)
        #expect(text.contains(#"\u2019"#))
    }

    @Test func `keys stand in several orders, in rows and in envelopes`() throws {
        let text = String(decoding: movies.pages.joined(), as: UTF8.self)
        #expect(text.contains(#"{"adult":false,"backdrop_path":"#))
        #expect(text.contains(#"{"vote_"#) || text.contains(#"{"title":"#))
        let starts = Set(movies.pages.map { String(decoding: $0.prefix(5), as: UTF8.self) })
        #expect(starts.count > 2)
    }

    @Test func `the window can be missing, and a list can be empty or long`() throws {
        let bare = MovieCatalogue.generated(count: 1, seed: 1, overlap: true, dates: false)
        #expect(try HTTPResponse(status: 200, body: bare.pages[0]).object()["dates"] == nil)
        let none = MovieCatalogue.generated(count: 0, seed: 1, overlap: true, dates: true)
        let object = try HTTPResponse(status: 200, body: none.body(page: 1)).object()
        #expect(object["total_pages"] as? Int == 1)
        #expect(object["total_results"] as? Int == 0)
        let long = MovieCatalogue.generated(count: 4_000, seed: 1, overlap: true, dates: true)
        #expect(long.pages.count == 201)
    }
}
