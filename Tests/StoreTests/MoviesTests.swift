import Declarations
import Host
import Rules
import SQLite
import Store
import Testing

/// A page with every trap of recorded answers; all texts are made up for this test.
private let trapPage = #"""
    {"total_results": 5, "page": 1, "results": [
      {"adult": false, "backdrop_path": "/back-1.jpg", "genre_ids": [28, 12], "id": 1001,
       "original_language": "en", "original_title": "The Lighthouse Keeper's Audit",
       "overview": "A keeper counts ships, and one is missing.", "popularity": 612.37,
       "poster_path": "/post-1.jpg", "release_date": "2031-03-04",
       "title": "The Lighthouse Keeper's Audit", "video": false, "vote_average": 6.72,
       "vote_count": 431},
      {"title": "Ein Glas \u00dcbermut \ud83c\udf77", "id": 1002, "overview": "", "popularity": 7,
       "vote_average": 0, "vote_count": 0, "poster_path": null, "backdrop_path": null,
       "genre_ids": [], "original_language": "cn", "original_title": "\u201eZw\u00f6lf\u201c",
       "release_date": "", "adult": true, "video": true},
      {"id": 1003, "title": "No date at all", "adult": null, "extra": {"kept": [1, 2.50, null]}},
      {"id": 1004, "title": "Odd types", "original_title": 7, "overview": ["x"], "popularity": "9",
       "vote_average": true, "vote_count": 1.5, "adult": "no", "video": 0, "genre_ids": "28",
       "release_date": 20310304, "poster_path": {"w": 1}, "original_language": null},
      {"id": 9223372036854775807, "title": "Re-release", "release_date": "1954-11-03",
       "vote_count": 9223372036854775808, "popularity": 1e2}
    ], "total_pages": 1, "dates": {"maximum": "2031-04-01", "minimum": "2031-03-01"}}
    """#

@Suite struct `the movies` {
    @Test(arguments: StorePlace.allCases)
    func `every field of every row is as the page says`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let facts = try await cache.store.stage(trapPage, page: 1)
        #expect(facts.totalPages == 1)
        #expect(facts.totalRows == 5)
        #expect(facts.rows == 5)
        #expect(facts.skipped == .none)
        #expect(try await cache.store.publish([page(1, facts)], .complete) == 5)
        let columns = """
            id, title, original_title, original_language, overview, release_date, poster_path,
            backdrop_path, genre_ids, popularity, vote_average, vote_count, adult, video, rank,
            fetched_at
            """
        let stamp = "2023-11-14T22:13:20.000Z"
        let keeper = "The Lighthouse Keeper's Audit"
        #expect(
            try await cache.rows("SELECT \(columns) FROM movies ORDER BY rank") == [
                """
                1001|\(keeper)|\(keeper)|en|A keeper counts ships, and one is missing.|2031-03-04|\
                /post-1.jpg|/back-1.jpg|[28,12]|612.37|6.72|431|0|0|1|\(stamp)
                """,
                "1002|Ein Glas Übermut 🍷|„Zwölf“|cn|||-|-|[]|7.0|0.0|0|1|1|2|\(stamp)",
                "1003|No date at all|-|-|-|-|-|-|-|-|-|-|-|-|3|\(stamp)",
                "1004|Odd types|-|-|-|-|-|-|-|-|-|-|-|0|4|\(stamp)",
                "9223372036854775807|Re-release|-|-|-|1954-11-03|-|-|-|100.0|-|-|-|-|5|\(stamp)",
            ])
        #expect(
            try await cache.rows("SELECT document FROM movies WHERE id = 1003")
                == [
                    #"{"id":1003,"title":"No date at all","adult":null,"extra":{"kept":[1,2.50,null]}}"#
                ])
        #expect(
            try await cache.rows("SELECT document ->> '$.vote_count' FROM movies WHERE rank = 4")
                == ["1.5"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `nobody sees staged rows, and a new pull forgets them`(place: StorePlace) async throws {
        let cache = try Cache(place)
        _ = try await cache.store.stage(trapPage, page: 1)
        #expect(try await cache.rows("SELECT * FROM movies") == [])
        try await cache.store.beginMoviesPull()
        #expect(try await cache.store.publish([], .complete) == 0)
    }

    @Test func `an unchanged list writes nothing`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...20), movies(21...40)], entityTags: true)
        let other = try cache.script()
        let version = try other.count("PRAGMA data_version")
        let before = try cache.contents()
        try await cache.store.pull(movies: [movies(1...20), movies(21...40)], entityTags: true)
        #expect(try cache.contents() == before)
        #expect(try other.count("PRAGMA data_version") == version)
    }

    @Test func `only a changed document is fetched anew`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...3)])
        // 2 changed, 1 and 3 changed places.
        try await cache.store.pull(
            movies: [#"{"id":3,"title":"m3"},{"id":2,"title":"new"},{"id":1,"title":"m1"}"#],
            at: noon.milliseconds + 60_000)
        #expect(
            try await cache.rows("SELECT id, title, rank, fetched_at FROM movies ORDER BY id") == [
                "1|m1|3|2023-11-14T22:13:20.000Z", "2|new|2|2023-11-14T22:14:20.000Z",
                "3|m3|1|2023-11-14T22:13:20.000Z",
            ])
    }

    @Test(arguments: StorePlace.allCases)
    func `a row on two pages counts where it stands first`(place: StorePlace) async throws {
        let cache = try Cache(place)
        _ = try await cache.store.stage(envelope(movies(1...3), pages: 2, results: 5), page: 1)
        #expect(try await !cache.store.hasDoubledMovies())
        _ = try await cache.store.stage(
            envelope(#"{"id":3,"title":"again"},{"id":4,"title":"m4"}"#, pages: 2, results: 5),
            page: 2)
        #expect(try await cache.store.hasDoubledMovies())
        #expect(try await cache.store.publish([], .everyPage) == 4)
        #expect(
            try await cache.rows("SELECT id, title, rank FROM movies ORDER BY rank")
                == ["1|m1|1", "2|m2|2", "3|m3|3", "4|m4|4"])
        try await cache.expectLawful()
    }

    @Test func `a row doubled on one page is seen as well`() async throws {
        let cache = try Cache(.memory)
        _ = try await cache.store.stage(envelope(movies(1...2) + "," + movies(2...3)), page: 1)
        #expect(try await cache.store.hasDoubledMovies())
    }

    @Test(arguments: StorePlace.allCases)
    func `a complete pull removes what it does not hold`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(movies: [movies(1...5)])
        try await cache.store.pull(movies: [movies(2...3)])
        #expect(try await cache.rows("SELECT id FROM movies ORDER BY rank") == ["2", "3"])
    }

    @Test(arguments: StorePlace.allCases)
    func `a pull of every page removes what was absent three times in a row`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(movies: [movies(1...4)])
        func ids() async throws -> [String] {
            try await cache.rows("SELECT id FROM movies ORDER BY id")
        }
        try await cache.store.pull(movies: [movies(1...2)], reach: .everyPage)
        try await cache.store.pull(movies: [movies(1...3)], reach: .everyPage)
        #expect(try await ids() == ["1", "2", "3", "4"])
        // A pull that missed a page says nothing about rows, neither for nor against.
        try await cache.store.pull(movies: [movies(1...1)], reach: .partial)
        #expect(try await ids() == ["1", "2", "3", "4"])
        try await cache.expectLawful()
        try await cache.store.pull(movies: [movies(1...2)], reach: .everyPage)
        #expect(try await ids() == ["1", "2", "3"])
        try await cache.store.pull(movies: [movies(1...2)], reach: .everyPage)
        #expect(try await ids() == ["1", "2", "3"])
        try await cache.store.pull(movies: [movies(1...2)], reach: .everyPage)
        #expect(try await ids() == ["1", "2"])
        try await cache.expectLawful()
    }

    @Test func `a partial pull removes nothing`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...4)])
        for _ in 0..<5 { try await cache.store.pull(movies: [movies(9...9)], reach: .partial) }
        #expect(
            try await cache.rows("SELECT id FROM movies ORDER BY id") == ["1", "2", "3", "4", "9"])
    }

    @Test(arguments: StorePlace.allCases)
    func `a held pull publishes nothing, its validators neither`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(movies: [movies(1...12)], entityTags: true)
        let before = try await cache.rows("SELECT * FROM movies UNION ALL SELECT * FROM movies")
        let facts = try await cache.store.stage(envelope(movies(1...2)), page: 1)
        let rows = try await cache.store.publishMovies(
            [page(1, facts, tag: "\"other\"")], reach: .complete, now: noon
        ) { pull in
            #expect(try pull.hold.removals() == RemovalCount(counted: 12, missing: 10))
            try pull.hold.remember(since: boot(3))
            return true
        }
        #expect(rows == nil)
        #expect(
            try await cache.rows("SELECT * FROM movies UNION ALL SELECT * FROM movies") == before)
        #expect(try await cache.store.storedPage(url: url(1))?.entityTag == "\"tag 1\"")
        #expect(try await cache.store.memory(of: .movies).heldSince == boot(3))
        #expect(try await cache.store.memory(of: .todos).heldSince == nil)
        try await cache.expectLawful()
        _ = try await cache.store.stage(envelope(movies(1...2)), page: 1)
        _ = try await cache.store.publishMovies([], reach: .complete, now: noon) { pull in
            #expect(try pull.hold.removalsHeldBefore() == 10)
            try pull.hold.forget()
            return false
        }
        #expect(try await cache.rows("SELECT id FROM movies") == ["1", "2"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `an unchanged page is taken from the cache, doubled rows too`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(
            movies: [movies(1...3), movies(3...5)], entityTags: true, reach: .everyPage)
        #expect(try await cache.store.storedPage(url: url(2))?.entityTag == "\"tag 2\"")
        let before = try await cache.rows("SELECT * FROM movies")
        try await cache.store.beginMoviesPull()
        let first = try #require(
            try await cache.store.stageUnchangedMovies(url: url(1), page: 1))
        let second = try #require(
            try await cache.store.stageUnchangedMovies(url: url(2), page: 2))
        #expect(first.rows == 3)
        #expect(first.totalPages == 2)
        #expect(first.totalRows == 40)
        #expect(second.rows == 3)
        #expect(try await cache.store.hasDoubledMovies())
        _ = try await cache.store.publish(
            [page(1, first, tag: "\"tag 1\""), page(2, second, tag: "\"tag 2\"")], .everyPage)
        #expect(try await cache.rows("SELECT * FROM movies") == before)
        try await cache.expectLawful()
    }

    @Test func `a page whose rows are not all in the cache is asked for again`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...3)], entityTags: true)
        try await cache.execute(
            "UPDATE control SET applying = 'movies'; DELETE FROM movies WHERE id = 2; UPDATE control SET applying = NULL"
        )
        #expect(try await cache.store.storedPage(url: url(1)) == nil)
        #expect(try await cache.store.storedPage(url: url(9)) == nil)
        #expect(try await cache.store.stageUnchangedMovies(url: url(1), page: 1) == nil)
        #expect(try await cache.store.stageUnchangedMovies(url: url(9), page: 9) == nil)
        #expect(try await cache.rows("SELECT count(*) FROM pulled_movies") == ["0"])
    }

    @Test func `validators of pages that are no more are dropped`() async throws {
        let cache = try Cache()
        try await cache.store.pull(
            movies: [movies(1...2), movies(3...4), movies(5...6)], entityTags: true)
        try await cache.store.pull("[]", entityTag: "\"todos\"")
        try await cache.store.pull(movies: [movies(1...2), movies(3...4)], entityTags: true)
        #expect(
            try await cache.rows("SELECT url FROM validator ORDER BY url")
                == [todosURL, url(1), url(2)].sorted())
        // A page with a skipped row, or without validators, is read again next time.
        try await cache.store.pull(
            movies: [movies(1...2) + ",{}", movies(3...4)], entityTags: true)
        #expect(
            try await cache.rows("SELECT url FROM validator WHERE list = 'movies'") == [url(2)])
        try await cache.store.pull(movies: [movies(1...2), movies(3...4)])
        #expect(try await cache.rows("SELECT url FROM validator WHERE list = 'movies'") == [])
    }

    @Test(arguments: [
        ("", "malformed JSON"), ("[]", "nothing under $.results"),
        ("null", "nothing under $.results"),
        ("<html>", "malformed JSON"),
        (#"{"results":{},"total_pages":1,"total_results":1}"#, "object under $.results"),
        (#"{"total_pages":1,"total_results":1}"#, "nothing under $.results"),
        (
            #"{"results":[],"total_results":1}"#,
            "no usable number under $.total_pages"
        ),
        (
            #"{"results":[],"total_pages":"1","total_results":1}"#,
            "no usable number under $.total_pages"
        ),
        (
            #"{"results":[],"total_pages":1.5,"total_results":1}"#,
            "no usable number under $.total_pages"
        ),
        (
            #"{"results":[],"total_pages":1,"total_results":-1}"#,
            "no usable number under $.total_results"
        ),
        (
            #"{"results":[],"total_pages":9223372036854775808,"total_results":1}"#,
            "no usable number under $.total_pages"
        ),
        (#"{"results":[],"total_pages":1,"total_results":1}x"#, "malformed JSON"),
    ])
    func `a body that is no page is refused and stages nothing`(
        body: String, finding: String
    ) async throws {
        let cache = try Cache(.memory)
        let sentence = "expected a list of movies, found \(finding) on page 3"
        await #expect(throws: StoreError.unusableBody(sentence)) {
            try await cache.store.stage(body, page: 3)
        }
        #expect(try await cache.rows("SELECT count(*) FROM pulled_movies") == ["0"])
    }

    @Test func `rows that cannot be taken are skipped and named`() async throws {
        let cache = try Cache(.memory)
        let facts = try await cache.store.stage(
            envelope(
                #"""
                {"id":1,"title":"fine"},{"id":"2","title":"text"},{"id":null,"title":"x"},
                {"id":4},{"title":"x"},{"id":1.0,"title":"x"},7,{"id":9223372036854775808,"title":"x"}
                """#), page: 1)
        #expect(facts.rows == 8)
        #expect(facts.skipped.count == 7)
        #expect(
            facts.skipped.named.map(\.description) == [
                "results[1].id: expected an integer, found text",
                "results[2].id: expected an integer, found null",
                "results[3]: its title is missing, of another type or too long",
                "results[4].id: expected an integer, found nothing",
                "results[5].id: expected an integer, found real",
                "results[6]: expected an object, found integer",
                "results[7].id: expected an integer, found an unusable integer",
            ])
    }

    @Test func `a row as large as the body's limit is taken`() async throws {
        let cache = try Cache(.memory, maxBodyBytes: 1_000_000)
        let row =
            #"{"id":1,"title":"t","overview":""# + String(repeating: "o", count: 999_900) + "\"}"
        #expect(try await cache.store.stage(envelope(row), page: 1).rows == 1)
        #expect(try await cache.store.publish([], .complete) == 1)
    }

    @Test func `rows between two dates, the first ones of the list`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(movies: [
            #"""
            {"id":1,"title":"a","release_date":"2031-01-01","vote_count":3,"popularity":2.5},
            {"id":2,"title":"b","release_date":""},{"id":3,"title":"c"},
            {"id":4,"title":"d","release_date":"2031-02-01"},
            {"id":5,"title":"e","release_date":"2031-03-01"}
            """#
        ])
        func ids(_ from: String?, _ to: String?, _ limit: Int? = nil) async throws -> [Int64] {
            try await cache.store.movies(from: from, to: to, limit: limit).map(\.id)
        }
        #expect(try await ids(nil, nil) == [1, 2, 3, 4, 5])
        #expect(try await ids("2031-02-01", nil) == [4, 5])
        #expect(try await ids(nil, "2031-02-01") == [1, 4])
        #expect(try await ids("2031-01-02", "2031-02-28") == [4])
        #expect(try await ids(nil, nil, 2) == [1, 2])
        let first = try #require(try await cache.store.movies(from: nil, to: nil, limit: 1).first)
        #expect(first.popularity == 2.5)
        #expect(first.voteCount == 3)
        #expect(first.voteAverage == nil)
        #expect(first.document.contains("2031-01-01"))
    }

    @Test func `movies are listed in four orders, and what has no date or votes comes last`()
        async throws
    {
        let cache = try Cache(.memory)
        try await cache.store.pull(movies: [
            #"""
            {"id":1,"title":"b","release_date":"2031-03-01","vote_count":3,"vote_average":6.5},
            {"id":2,"title":"C","release_date":"","vote_count":0,"vote_average":0},
            {"id":3,"title":"a","vote_count":1,"vote_average":9},
            {"id":4,"title":"D","release_date":"2030-01-01","vote_count":2,"vote_average":6.5}
            """#
        ])
        func ids(_ order: MovieOrder) async throws -> [Int64] {
            try await cache.store.movies(from: nil, to: nil, limit: nil, order: order).map(\.id)
        }
        #expect(try await ids(.list) == [1, 2, 3, 4])
        #expect(try await ids(.date) == [4, 1, 2, 3])
        #expect(try await ids(.rating) == [3, 1, 4, 2])
        #expect(try await ids(.title) == [3, 1, 2, 4])
    }
}
