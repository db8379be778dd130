import APIClient
import Declarations
import Store

extension FuzzTarget {
    /// The text of a search.
    ///
    /// Laws: no text is an error of SQL; what is found is among what there is; a further word finds
    /// no more; a bound on the number and on the dates is kept.
    static func search() throws -> FuzzTarget {
        let shelf = try Shelf()
        return FuzzTarget("search") { try await shelf.search(String(decoding: $0, as: UTF8.self)) }
    }
}

/// A cache with some movies and todos that is only read, so that it can serve all inputs.
private actor Shelf {
    private let world: FuzzWorld
    private var movies: [MovieRow] = []

    init() throws {
        world = try FuzzWorld(
            ScriptedAnswers { request in
                .json(request.target.hasPrefix("/movie") ? Self.page : Self.list)
            })
    }

    func search(_ text: String) async throws {
        try await fill()
        let found = try await ids(text)
        try require(found.isSubset(of: movies.map(\.id)), "what is found is there: \(found)")
        let first = try await world.store.searchMovies(
            text: text, from: "2020-01-01", to: "2029-12-31", limit: 1)
        try require(
            first.count <= 1 && found.isSuperset(of: first.map(\.id)), "a bound is kept")
        let todos = try await world.store.todos(search: nil).map(\.id)
        let foundTodos = try await world.store.todos(search: text).map(\.id)
        try require(Set(foundTodos).isSubset(of: todos), "what is found is there: \(foundTodos)")
        // Longer texts are cut, and a text without a letter or digit finds nothing by itself.
        guard text.utf8.count < 500, text.split(separator: " ").count < 16,
            text.unicodeScalars.contains(where: { $0.isASCII && $0.properties.isAlphabetic })
        else { return }
        for word in ["the", "zzz", "\"", "-", "NEAR("] {
            let fewer = try await ids(text + " " + word)
            try require(fewer.isSubset(of: found), "\(word) finds no more: \(found), \(fewer)")
        }
    }

    private func ids(_ text: String) async throws -> Set<Int64> {
        Set(
            try await world.store.searchMovies(text: text, from: nil, to: nil, limit: nil)
                .map(\.id))
    }

    private func fill() async throws {
        guard movies.isEmpty else { return }
        try await world.cycle(.movies)
        try await world.cycle(.todos)
        movies = try await world.store.movies(from: nil, to: nil, limit: nil)
        try require(movies.count == Self.titles.count, "the shelf is full: \(movies.count)")
    }

    private static let titles = [
        "The Long Way", "The Longest Day", "Amélie", "A*", "NEAR and far", "title: AND OR NOT",
        "夜は短し歩けよ乙女", "Über \\\"quotes\\\"", "zzz", "Ångström −1", "Straße 7", "e\\u0301tude",
    ]

    private static let page: String = {
        let rows = titles.enumerated().map {
            "{\"id\":\($0 + 1),\"title\":\"\($1)\",\"overview\":\"the \($1) of 19\($0)\","
                + "\"release_date\":\"20\(10 + $0)-01-01\"}"
        }
        return "{\"page\":1,\"results\":[\(rows.joined(separator: ","))],"
            + "\"total_pages\":1,\"total_results\":\(rows.count)}"
    }()

    private static let list: String = {
        let rows = titles.enumerated().map { "{\"id\":\($0 + 1),\"title\":\"\($1)\"}" }
        return "[\(rows.joined(separator: ","))]"
    }()
}
