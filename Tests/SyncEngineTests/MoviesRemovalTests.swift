import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// What a pull in pages may remove.
@Suite struct MoviesRemovalTests {
    @Test func `two complete pulls remove what they do not hold`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3, 4])
        try await movies.sync()
        try movies.serve([4, 2], [5])
        try await movies.sync()
        #expect(
            try await movies.cached().contains(1),
            "one may have slipped between two pages, be the total the same")
        try await movies.sync()
        #expect(try await movies.cached() == [4, 2, 5])
    }

    @Test func `an overlap removes only what was absent three times`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3, 9])
        try await movies.sync()
        try movies.serve([1, 2], [2, 3], results: 4)
        for _ in 0..<2 {
            try await movies.sync()
            #expect(try await movies.cached().sorted() == [1, 2, 3, 9])
            #expect(try await movies.status().complete == false)
        }
        try await movies.sync()
        #expect(try await movies.cached() == [1, 2, 3])
    }

    @Test func `a row that shows up in between begins to count anew`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3, 9])
        try await movies.sync()
        for round in 0..<5 {
            try movies.serve([1, 2], round == 1 || round == 3 ? [2, 9, 3] : [2, 3], results: 4)
            try await movies.sync()
            #expect(try await movies.cached().contains(9))
        }
    }

    @Test(arguments: ["total pages", "total results"])
    func `totals that change between the first and the last page remove nothing`(what: String)
        async throws
    {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3], [9])
        try await movies.sync()
        try movies.serve([1, 2], [3])
        movies.server.mend()
        movies.server.always(
            MoviesWorld.line(1),
            .body(MoviesWorld.page(1, [MoviesWorld.row(1), MoviesWorld.row(2)], of: 2, results: 3)))
        movies.server.always(
            MoviesWorld.line(2),
            .body(
                MoviesWorld.page(
                    2, [MoviesWorld.row(3)], of: what == "total pages" ? 1 : 2,
                    results: what == "total pages" ? 3 : 4)))
        try await movies.sync()
        #expect(try await movies.cached().sorted() == [1, 2, 3, 9])
        #expect(try await movies.status().complete == false)
    }

    @Test func `a last page that tells of another one makes the pull partial`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1], [9])
        try await movies.sync()
        for _ in 0..<4 {
            movies.server.mend()
            movies.server.always(
                MoviesWorld.line(1),
                .body(MoviesWorld.page(1, [MoviesWorld.row(1)], of: 2, results: 2)))
            movies.server.always(
                MoviesWorld.line(2),
                .body(MoviesWorld.page(2, [MoviesWorld.row(3)], of: 3, results: 2)))
            try await movies.sync()
        }
        #expect(try await movies.cached().sorted() == [1, 3, 9])
    }

    @Test func `of more than five hundred pages five hundred are read, and nothing is removed`()
        async throws
    {
        let movies = try MoviesWorld()
        try movies.serve([1000])
        try await movies.sync()
        movies.server.mend()
        movies.server.always(
            "GET /3/movie/upcoming?page=1&",
            .body(MoviesWorld.page(1, [MoviesWorld.row(1)], of: 9999, results: 9999)))
        movies.server.always(
            "GET", .body(MoviesWorld.page(2, [MoviesWorld.row(2)], of: 9999, results: 9999)))
        movies.server.forgetLines()
        for _ in 0..<4 { try await movies.sync() }
        #expect(movies.server.lines.count == 2000)
        #expect(Set(movies.server.lines).count == 500)
        #expect(try await movies.cached().sorted() == [1, 2, 1000])
    }
}
