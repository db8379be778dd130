import Declarations
import Host
import Rules
import SQLite
import Store
import Testing

private let day: Int64 = 86_400_000

private func row(_ id: Int, _ date: String?, _ title: String = "m") -> String {
    let date = date.map { #","release_date":"\#($0)""# } ?? ""
    return #"{"id":\#(id),"title":"\#(title)\#(id)"\#(date)}"#
}

@Suite struct `the movies' history` {
    private func history(_ cache: Cache, since: String? = nil) async throws -> [String] {
        try await cache.store.movieChanges(since: since).map {
            "\($0.change) \($0.id) \($0.title) \($0.oldReleaseDate ?? "-") \($0.newReleaseDate ?? "-")"
        }
    }

    /// A cache that has pulled before, as its status says.
    private func filled(_ rows: [String], _ place: StorePlace = .file) async throws -> Cache {
        let cache = try Cache(place)
        try await cache.store.pull(movies: [rows.joined(separator: ",")])
        try await cache.store.record(
            CycleRecord(
                list: .movies, state: .ok, attemptedAt: noon,
                pull: PullFacts(began: boot(1), rows: 1, complete: true), failures: 0, error: nil,
                due: boot(2), dueShown: noon, dueAskedUntil: nil, durationMilliseconds: 1))
        return cache
    }

    @Test(arguments: StorePlace.allCases)
    func `it tells what appeared, slipped and vanished`(place: StorePlace) async throws {
        let cache = try await filled(
            [
                row(1, "2031-01-01"), row(2, "2031-02-01"), row(3, ""), row(4, nil),
                row(5, "2031-05-01"),
            ],
            place)
        #expect(try await history(cache) == [])
        try await cache.store.pull(
            movies: [
                [
                    row(6, nil), row(5, "2031-05-01", "renamed "), row(4, ""), row(3, "2031-03-03"),
                    row(2, "2030-12-01"), row(7, "2031-07-07"),
                ].joined(separator: ",")
            ], at: noon.milliseconds + day)
        #expect(
            try await history(cache) == [
                "appeared 6 m6 - -", "slipped 3 m3 - 2031-03-03",
                "slipped 2 m2 2031-02-01 2030-12-01",
                "appeared 7 m7 - 2031-07-07", "vanished 1 m1 2031-01-01 -",
            ])
        #expect(
            try await cache.rows("SELECT * FROM movie_changes ORDER BY seq LIMIT 2") == [
                "2023-11-15T22:13:20.000Z|6|m6|appeared|-|-|1",
                "2023-11-15T22:13:20.000Z|3|m3|slipped|-|2031-03-03|2",
            ])
        try await cache.expectLawful()
    }

    @Test func `the first pull tells nothing, one after an empty list everything`() async throws {
        let cache = try await filled([])
        try await cache.store.pull(movies: [row(1, "2031-01-01")])
        #expect(try await history(cache) == ["appeared 1 m1 - 2031-01-01"])
        let other = try Cache()
        try await other.store.pull(movies: [row(1, nil)])
        // It was killed before it wrote its status: the next pull is no first one all the same.
        try await other.store.pull(movies: [row(2, nil)])
        #expect(try await history(other) == ["appeared 2 m2 - -", "vanished 1 m1 - -"])
    }

    @Test func `a held pull tells nothing, nor does an unchanged one`() async throws {
        let cache = try await filled([row(1, "2031-01-01")])
        try await cache.store.beginMoviesPull()
        let facts = try await cache.store.stage(envelope(row(9, nil)), page: 1)
        let held = try await cache.store.publishMovies(
            [page(1, facts)], reach: .complete, now: noon
        ) { _ in true }
        #expect(held == nil)
        try await cache.store.pull(movies: [row(1, "2031-01-01")])
        #expect(try await history(cache) == [])
        #expect(try await cache.rows("SELECT count(*) FROM touched_movies") == ["0"])
    }

    @Test func `a row that is only missed vanishes when it leaves`() async throws {
        let cache = try await filled([row(1, nil), row(2, nil)])
        for _ in 0..<2 { try await cache.store.pull(movies: [row(1, nil)], reach: .everyPage) }
        #expect(try await history(cache) == [])
        try await cache.store.pull(movies: [row(1, nil)], reach: .everyPage)
        #expect(try await history(cache) == ["vanished 2 m2 - -"])
    }

    @Test(
        arguments: [
            (nil, [1, 2, 3]), ("2023-11-16", [2, 3]), ("2023-11-17", [3]), ("2024", []),
            ("2023-11-16T22:13:20.000Z", [2, 3]), ("2023-11-16T22:13:20.001Z", [3]),
        ] as [(String?, [Int64])])
    func `since a day or a moment`(since: String?, expected: [Int64]) async throws {
        let cache = try await filled([row(9, nil)])
        for number in 1...3 {
            let rows = ([9] + Array(1...number)).map { row($0, nil) }.joined(separator: ",")
            try await cache.store.pull(
                movies: [rows], at: noon.milliseconds + Int64(number) * day)
        }
        #expect(try await cache.store.movieChanges(since: since).map(\.id) == expected)
    }

    @Test func `it is bounded in number and in age, whatever the clock says`() async throws {
        let cache = try await filled([row(1, "2031-01-01")])
        try await cache.execute(
            """
            INSERT INTO row_change (at, list, row_id, title, change)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 11000)
            SELECT \(noon.milliseconds), 'movies', i, 't', 'appeared' FROM n
            """)
        try await cache.store.pull(movies: [row(1, "2031-01-02")])
        #expect(
            try await cache.rows("SELECT count(*), min(seq), max(seq) FROM row_change")
                == ["10000|1002|11001"])
        // The clock jumps by ten years: what is forgotten then leaves the newest thousand.
        try await cache.store.pull(
            movies: [row(1, "2031-01-03")], at: noon.milliseconds + 3650 * day)
        #expect(
            try await cache.rows("SELECT count(*), min(seq), max(seq) FROM row_change")
                == ["1000|10003|11002"])
        try await cache.store.pull(
            movies: [row(1, "2031-01-04")], at: noon.milliseconds + 3650 * day)
        #expect(try await cache.rows("SELECT count(*) FROM row_change") == ["1000"])
    }
}
