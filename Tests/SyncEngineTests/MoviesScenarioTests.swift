import APIClient
import APIClientTesting
import Declarations
import Host
import ReferenceAPI
import Rules
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

@Suite struct MoviesScenarioTests {
    @Test func `every page is read, four at a time after the first, and published by one commit`()
        async throws
    {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3], [4], [5], [6], [7], [8])
        let report = try await movies.sync()
        #expect(try await movies.cached() == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(report.rows == 8)
        #expect(report.state == .ok)
        #expect(movies.server.lines.count == 7)
        #expect(movies.server.lines[0] == "GET /3/movie/upcoming?page=1&language=en-US")
        #expect((2...4).contains(movies.server.peak))
        #expect(try await movies.status().complete == true)
    }

    @Test func `language and region stand in the URL, a key does not reach the cache`() async throws
    {
        let movies = try MoviesWorld()
        movies.language = "de-DE"
        movies.region = "AT"
        movies.credential = .apiKey("canary")
        try movies.serve([1], tag: "a")
        try await movies.sync()
        #expect(
            movies.server.lines
                == ["GET /3/movie/upcoming?page=1&language=de-DE&region=AT&api_key=canary"])
        let urls = try await movies.world.store.withConnection {
            try $0.all("SELECT url FROM validator") { $0.text(0) }
        }
        // Behind the sign stands which key it was, in too few digits to guess it.
        let parts = urls.map { $0.split(separator: "#").map(String.init) }
        #expect(
            parts.map { $0[0] }
                == ["http://127.0.0.1:8080/3/movie/upcoming?page=1&language=de-DE&region=AT"])
        #expect(parts.allSatisfy { $0.count == 2 && $0[1].utf8.count <= 4 })
    }

    @Test(arguments: ["500", "offline", "garbage", "page 2 of another kind", "429"])
    func `a page that fails publishes nothing`(how: String) async throws {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3], [4])
        try await movies.sync()
        try movies.serve([5], [6], [7])
        movies.server.mend()
        for page in [1, 3] {
            movies.server.always(
                MoviesWorld.line(page),
                .body(MoviesWorld.page(page, [MoviesWorld.row(page + 10)], of: 3, results: 3)))
        }
        let act: ScriptedServer.Act =
            switch how {
            case "500": .status(500)
            case "offline": .refuses
            case "garbage": .body("<html>")
            case "429": .status(429, retryAfter: "20")
            default: .body(#"{"results":{},"total_pages":3,"total_results":3}"#)
            }
        movies.server.always(MoviesWorld.line(2), act)
        let report = try await movies.sync()
        #expect(try await movies.cached() == [1, 2, 3, 4])
        #expect(report.error != nil)
        #expect(!report.hasPulled)
        let status = try await movies.status()
        #expect(status.failures == 1)
        #expect(status.rows == 4)
        switch how {
        case "500": #expect(status.state == "failing")
        case "offline": #expect(status.state == "offline")
        case "429": #expect(status.state == "waiting")
        default: #expect(status.state == "misconfigured")
        }
    }

    @Test(arguments: [(950_000, true), (1_000_000, false)])
    func `all pages together have 16 times what bounds one answer`(
        padding: Int, isTaken: Bool
    ) async throws {
        let movies = try MoviesWorld()
        for page in 1...17 {
            movies.server.always(
                MoviesWorld.line(page),
                .body(
                    MoviesWorld.page(page, [MoviesWorld.row(page)], of: 17, results: 17)
                        + String(repeating: " ", count: padding)))
        }
        let report = try await movies.sync()
        #expect(report.state == (isTaken ? .ok : .misconfigured))
        #expect(try await movies.cached().count == (isTaken ? 17 : 0))
    }

    @Test func `what stands for an unchanged page counts, too`() async throws {
        let movies = try MoviesWorld()
        // With each pull one page more; those before it have not changed.
        for count in 1...17 {
            movies.server.mend()
            for number in 1...count {
                let row = MoviesWorld.row(number, title: String(repeating: "a", count: 1_000_000))
                let page = MoviesWorld.page(number, [row], of: count, results: count)
                let isKnown = number > 1 && number < count
                movies.server.always(
                    MoviesWorld.line(number),
                    .answers(
                        HTTPResponse(
                            status: isKnown ? 304 : 200, fields: [HTTPField("ETag", "\"a\"")],
                            body: isKnown ? [] : Array(page.utf8))))
            }
            let report = try await movies.sync()
            #expect(report.state == (count < 17 ? .ok : .misconfigured))
        }
        #expect(try await movies.cached().count == 16)
    }

    @Test func `Retry-After of a page holds, also when a person asks`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1], [2])
        movies.server.mend()
        movies.server.always("GET", .status(429, retryAfter: "20"))
        try await movies.sync()
        movies.server.forgetLines()
        movies.world.time.advance(by: .seconds(19))
        try await movies.sync(.asked(acceptsRemovals: false))
        #expect(movies.server.lines.isEmpty)
        movies.world.time.advance(by: .seconds(1))
        try movies.serve([1], [2])
        try await movies.sync()
        #expect(try await movies.cached() == [1, 2])
    }

    @Test func `a page that has not changed is taken from the cache`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1, 2], [3], tag: "a")
        try await movies.sync()
        movies.server.mend()
        movies.server.always(
            MoviesWorld.line(1), .answers(HTTPResponse(status: 304)))
        movies.server.always(
            MoviesWorld.line(2),
            .body(MoviesWorld.page(2, [MoviesWorld.row(3), MoviesWorld.row(4)], of: 2, results: 3)))
        movies.server.forgetLines()
        try await movies.sync()
        #expect(try await movies.cached() == [1, 2, 3, 4])
        let tags = movies.server.requests.map { request in
            request.fields.first { $0.name == "If-None-Match" }?.value
        }
        #expect(tags == ["\"a-1\"", "\"a-2\""])
    }

    @Test func `a list that has not changed writes the status row and nothing else`() async throws {
        let movies = try MoviesWorld()
        for tag in ["a", nil] {
            try movies.serve([1, 2], [3], tag: tag)
            try await movies.sync()
            let fetched = try await movies.world.store.withConnection {
                try $0.all("SELECT id || fetched_at || rank || document FROM movies") { $0.text(0) }
            }
            movies.world.time.advance(by: .seconds(3600))
            try await movies.sync()
            let again = try await movies.world.store.withConnection {
                try $0.all("SELECT id || fetched_at || rank || document FROM movies") { $0.text(0) }
            }
            #expect(again == fetched)
            #expect(try await movies.status().lastSuccess == movies.world.time.wallTime())
        }
    }

    @Test func `a skipped row is named with its page, and then nothing is removed`() async throws {
        let movies = try MoviesWorld()
        try movies.serve([1], [2], [3, 9])
        try await movies.sync()
        try movies.serve([1], [2], [3])
        movies.server.mend()
        for page in 1...2 {
            movies.server.always(
                MoviesWorld.line(page),
                .body(MoviesWorld.page(page, [MoviesWorld.row(page)], of: 3, results: 5)))
        }
        movies.server.always(
            MoviesWorld.line(3),
            .body(
                MoviesWorld.page(
                    3, [MoviesWorld.row(3), #"{"id":4}"#, "[]", #"{"id":null,"title":"x"}"#],
                    of: 3, results: 5)))
        let report = try await movies.sync()
        #expect(try await movies.cached().sorted() == [1, 2, 3, 9])
        #expect(report.skipped.count == 3)
        #expect(
            report.skipped.named.first?.description
                == "page 3, results[1]: its title is missing, of another type or too long")
        #expect(
            report.skipped.named.last?.description
                == "page 3, results[3].id: expected an integer, found null")
    }

    @Test func `of many skipped rows the first twenty are named, over all pages`() async throws {
        let movies = try MoviesWorld()
        let bad = Array(repeating: #"{"id":null}"#, count: 15)
        for page in 1...3 {
            movies.server.always(
                MoviesWorld.line(page), .body(MoviesWorld.page(page, bad, of: 3, results: 45)))
        }
        let report = try await movies.sync()
        #expect(report.skipped.count == 45)
        #expect(report.skipped.named.count == SkippedRows.namedAtMost)
        #expect(report.skipped.named.first?.place == "page 1, results[0].id")
    }

    @Test func `an empty list is held, taken an interval later, or at once when accepted`()
        async throws
    {
        for isAccepted in [false, true] {
            let movies = try MoviesWorld()
            try movies.serve(Array(1...12))
            try await movies.sync()
            try movies.serve([])
            let held = try await movies.sync()
            #expect(held.state == .held)
            #expect(held.hint?.contains("movies --accept-removals") == true)
            #expect(try await movies.cached() == Array(1...12))
            #expect(held.due == movies.world.time.bootTime().advanced(by: .seconds(3600)))
            if !isAccepted { movies.world.time.advance(by: .seconds(3600)) }
            let taken = try await movies.sync(
                isAccepted ? .asked(acceptsRemovals: true) : .scheduled)
            #expect(taken.state == .ok)
            #expect(try await movies.cached().isEmpty)
        }
    }

    @Test func `a held pull keeps no version of a page`() async throws {
        let movies = try MoviesWorld()
        try movies.serve(Array(1...12), tag: "a")
        try await movies.sync()
        try movies.serve([], tag: "b")
        try await movies.sync()
        movies.server.forgetLines()
        try await movies.sync()
        #expect(
            movies.server.requests[0].fields.first { $0.name == "If-None-Match" }?.value
                == "\"a-1\"")
    }

    @Test func `stopped between two pages, nothing is published and nothing is blamed`()
        async throws
    {
        let movies = try MoviesWorld()
        try movies.serve([1], [2])
        let stop = movies.world.stop
        movies.server.mend()
        movies.server.always(
            MoviesWorld.line(1),
            .after(
                { stop.stop() },
                .body(MoviesWorld.page(1, [MoviesWorld.row(1)], of: 2, results: 2))))
        let report = try await movies.sync()
        #expect(movies.server.lines.count == 1)
        #expect(report.state == .waiting)
        #expect(try await movies.cached().isEmpty)
        #expect(try await movies.status().failures == 0)
    }

    @Test func `a list without a source is left as it is`() async throws {
        let world = try EngineWorld()
        let engine = try world.synchronizer()
        #expect(engine.lists == [.todos])
        let report = try await engine.cycle(.movies, because: .scheduled)
        #expect(report.state == .waiting)
        #expect(world.server.lines.isEmpty)
    }

    @Test func `the reference server's movies arrive whole`() async throws {
        let movies = try MoviesWorld()
        try await movies.sync()
        #expect(try await movies.cached().count == 60)
        #expect(movies.server.lines.count == 3)
    }
}
