import Declarations
import Host
import SQLite
import Store
import Testing

private let library = #"""
    {"id":1,"title":"Amélie Returns","overview":"A girl in Paris."},
    {"id":2,"title":"Spider-Man: Home","original_title":"Der Spinnenmann","overview":"Amelie is in it."},
    {"id":3,"title":"Überfall","release_date":"2031-05-01","overview":"Nothing of note."},
    {"id":4,"title":"The Paris Letters","release_date":"2031-03-01","overview":"Letters, in Paris."},
    {"id":5,"title":"Tokyo 東京物語","release_date":"","overview":"Not AND or NEAR."}
    """#

@Suite struct `search in the movies` {
    private func filled(_ place: StorePlace = .memory) async throws -> Cache {
        let cache = try Cache(place)
        try await cache.store.pull(movies: [library])
        return cache
    }

    private func search(_ cache: Cache, _ text: String, from: String? = nil, to: String? = nil)
        async throws -> [Int64]
    {
        try await cache.store.searchMovies(text: text, from: from, to: to, limit: nil).map(\.id)
    }

    @Test(
        arguments: [
            ("amelie", [1, 2]), ("AMÉLIE", [1, 2]), ("amélie", [1, 2]), ("ame", [1, 2]),
            ("uberfall", [3]), ("ÜBER", [3]), ("paris", [4, 1]), ("paris let", [4]),
            ("par let", []),
            ("letters par", [4]), ("spider man", [2]), ("Spider-Man", [2]), ("man spider", [2]),
            ("\"\u{301}", []), ("paris \"\u{301}", [4, 1]), ("paris\"\u{301}letters", [4]),
            ("spinnen", [2]), ("東京", [5]), ("tokyo zzz", []), ("e", []), ("nothing note", [3]),
        ] as [(String, [Int64])])
    func `words are found in any case and without accents, the best first`(
        text: String, expected: [Int64]
    ) async throws {
        #expect(try await search(try await filled(), text) == expected)
    }

    @Test(
        arguments: [
            ("", []), ("   ", []), ("\u{0}", []), ("\"", []), ("\"\"\"\"", []),
            ("- + * ( ) ^ : {", []),
            ("paris\u{0}letters", [4]), ("\"paris", [4, 1]), ("paris\"", [4, 1]),
            ("paris*", [4, 1]),
            ("NEAR(paris letters)", []), ("near", [5]), ("AND", [5]), ("NOT and NEAR", [5]),
            ("title:paris", []), ("paris OR überfall", []), ("-paris", [4, 1]), ("^paris", [4, 1]),
            ("{title} : paris", []), ("paris + letters", [4]), ("'; DROP TABLE movie; --", []),
            ("\u{1F4A9}", []), ("paris \u{1F4A9}", [4, 1]), ("\u{301}", []), ("?1", []),
            ("-", []), ("*", []), ("NEAR(", [5]), ("NEAR(paris letters, 2", []), ("col:x", []),
            ("rank:paris", []), ("\"paris letters\"", [4]), ("paris \"letters", [4]),
            ("paris NOT letters", []), ("\u{0}paris\u{0}", [4, 1]), ("paris\\", [4, 1]),
        ] as [(String, [Int64])])
    func `no character is an operator`(text: String, expected: [Int64]) async throws {
        #expect(try await search(try await filled(), text) == expected)
    }

    @Test(arguments: [
        "x", "paris ", "a-", "\"", "\u{0}", "é", "(", "\u{301}", "NEAR(", "zzz OR ", "col:x ", "-",
        "*", "\" ",
    ])
    func `a megabyte of anything is searched for at once`(unit: String) async throws {
        let text = String(repeating: unit, count: 1_048_576 / unit.utf8.count)
        let found = try await search(try await filled(), text)
        #expect(found == (unit == "paris " ? [4, 1] : []))
    }

    @Test func `dates and the limit narrow it`() async throws {
        let cache = try await filled()
        #expect(try await search(cache, "paris", from: "2031-04-01") == [])
        #expect(try await search(cache, "not", from: "2031-04-01") == [3])
        #expect(try await search(cache, "paris", to: "2031-12-31") == [4])
        #expect(try await search(cache, "tokyo", to: "2031-12-31") == [])
        let first = try await cache.store.searchMovies(
            text: "paris", from: nil, to: nil, limit: 1)
        #expect(first.map(\.title) == ["The Paris Letters"])
        #expect(first.first?.rank == 4)
    }

    @Test(arguments: StorePlace.allCases)
    func `the index follows every pull`(place: StorePlace) async throws {
        let cache = try await filled(place)
        try await cache.store.pull(movies: [
            #"""
            {"id":1,"title":"Amélie Returns","overview":"A girl in Rome."},
            {"id":4,"title":"The Rome Letters","overview":null},{"id":6,"title":"New in Paris"}
            """#
        ])
        #expect(try await search(cache, "paris") == [6])
        #expect(try await search(cache, "rome") == [4, 1])
        #expect(try await search(cache, "spider") == [])
        #expect(try await cache.store.check().filter { $0.severity != .note } == [])
        try await cache.store.pull(movies: [""])
        #expect(try await search(cache, "rome") == [])
        #expect(try await cache.store.check().filter { $0.severity != .note } == [])
    }

    @Test func `words that stay are not written again`() async throws {
        let cache = try await filled()
        let before = try await cache.rows("SELECT id, hex(block) FROM movie_search_data")
        try await cache.store.pull(movies: [library.replacing("\"id\"", with: "\"x\":1,\"id\"")])
        #expect(try await cache.rows("SELECT id, hex(block) FROM movie_search_data") == before)
        #expect(
            try await cache.rows("SELECT count(*) FROM changes WHERE change = 'changed'") == ["5"])
    }

    @Test func `a pull mends an index that somebody wrote to`() async throws {
        let cache = try await filled(.file)
        let ended = try run(
            "/usr/bin/sqlite3", [cache.path, "DELETE FROM movie_search_data"])
        try #require(ended.status == 0, "\(ended.errors)")
        try await cache.store.pull(movies: [
            #"{"id":1,"title":"Another"},{"id":2,"title":"Spider"}"#
        ])
        #expect(try await search(cache, "another") == [1])
        #expect(try await cache.store.check().filter { $0.severity != .note } == [])
    }

    @Test func `a reader may search, as a query from outside may`() async throws {
        let cache = try await filled(.file)
        let reader = try Cache.open(.readOnlyFile(cache.path))
        let found = try await reader.searchMovies(text: "paris", from: nil, to: nil, limit: nil)
        #expect(found.map(\.id) == [4, 1])
        let outside = try Connection(
            .file(cache.path), access: .readOnly, busyTimeout: .seconds(1))
        outside.allowReadingOnly()
        #expect(
            try outside.rows(
                """
                SELECT movies.title FROM movie_search JOIN movies ON movies.id = movie_search.rowid
                WHERE movie_search MATCH 'par*' ORDER BY movie_search.rank
                """) == ["The Paris Letters", "Amélie Returns"])
    }
}

@Suite struct `search in the todos` {
    @Test(arguments: [
        ("milk", ["Milk", "buttermilk"]), ("MILK", ["Milk", "buttermilk"]),
        ("éCL", ["Éclair", "e\u{301}clair"]), ("ecl", []), ("ΣΊΣΥ", ["σίσυφος"]),
        ("%", ["100%"]), ("_", []),
        ("", ["Milk", "buttermilk", "Éclair", "e\u{301}clair", "σίσυφος", "100%"]),
    ])
    func `a part of the title is found in any case`(text: String, expected: [String]) async throws {
        let cache = try Cache(.memory)
        _ = try await cache.store.addTodos(
            ["Milk", "buttermilk", "Éclair", "e\u{301}clair", "σίσυφος", "100%"])
        #expect(try await cache.store.todos(search: text).map(\.title) == expected)
    }

    /// What would mean something to SQL, to its patterns or to the search in the movies.
    private static let odd = [
        "\"", "'", "\"\"", "NEAR(", "col:x", "-", "*", "a* OR b", "^a", "()", "?1", "\\", "[a]",
        "'; DROP TABLE todo; --", "\u{202e}", "\u{1F4A9}", " ",
    ]

    @Test(arguments: odd)
    func `no character stands for another`(text: String) async throws {
        let cache = try Cache(.memory)
        _ = try await cache.store.addTodos(["milk", "x\(text)y", "Ä"])
        #expect(try await cache.store.todos(search: text).map(\.title) == ["x\(text)y"])
        #expect(try await cache.store.todos(search: "X\(text)Y").map(\.title) == ["x\(text)y"])
    }

    @Test(arguments: ["\u{0}", "milk\u{0}", "\u{0}milk", "mi\u{0}lk", "é\u{0}"])
    func `a NUL is in no title, and ends no text`(text: String) async throws {
        let cache = try Cache(.memory)
        _ = try await cache.store.addTodos(["milk", "é"])
        #expect(try await cache.store.todos(search: text).isEmpty)
    }

    @Test(arguments: ["x", "é", "\u{0}", "\"", "NEAR(", "col:x ", "-", "*", "%"])
    func `a megabyte is looked for, too`(unit: String) async throws {
        let cache = try Cache(.memory)
        _ = try await cache.store.add("milk")
        let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        #expect(try await cache.store.todos(search: text).isEmpty)
    }
}
