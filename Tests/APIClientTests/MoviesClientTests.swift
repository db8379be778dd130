import APIClient
import APIClientTesting
import Testing

@Suite struct MoviesClientTests {
    private static let limits = RequestLimits(timeout: .seconds(7), maxBodyBytes: 99)

    private func client(
        _ credential: MoviesCredential, region: String? = nil,
        transport: any Transport = MockTransport { Issue.record("\($0)") }
    ) -> MoviesClient {
        MoviesClient(
            baseURL: .tmdb, credential: credential, language: "en-US", region: region,
            limits: Self.limits, userAgent: "syncd/1.2", transport: transport)
    }

    private func expected(_ target: String, _ fields: [HTTPField]) -> HTTPRequest {
        HTTPRequest(
            method: .get, origin: Origin(scheme: "https", host: "api.themoviedb.org", port: 443),
            target: target, fields: fields, timeout: .seconds(7), maxBodyBytes: 99)
    }

    @Test func `a page is a GET with the read token in a header`() throws {
        let fields = [
            HTTPField("Authorization", "Bearer v4"), HTTPField("User-Agent", "syncd/1.2"),
        ]
        let request = try client(.bearer("v4")).upcomingRequest(page: 3, validators: nil)
        #expect(request == expected("/3/movie/upcoming?page=3&language=en-US", fields))
    }

    @Test func `a key stands in the query, encoded, and is not shown`() throws {
        let client = client(.apiKey("k&y=1"), region: "D E")
        let request = try client.upcomingRequest(page: 1, validators: nil)
        let agent = [HTTPField("User-Agent", "syncd/1.2")]
        let target = "/3/movie/upcoming?page=1&language=en-US&region=D%20E"
        #expect(request == expected(target + "&api_key=k%26y%3D1", agent))
        #expect(request.description == "GET https://api.themoviedb.org/3/movie/upcoming")
    }

    @Test func `validators of an answer go out with the next request`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let target = "/3/movie/upcoming?page=1&language=en-US"
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let fields = [HTTPField("etag", #" W/"x" "#), HTTPField("last-modified", date)]
        mock.on(.get, target, .json("[]", fields: fields), .status(304, fields: fields))
        let client = client(.bearer("v4"), transport: mock)

        let first = try await client.pullUpcoming(page: 1, validators: nil)
        let validators = Validators(entityTag: #"W/"x""#, lastModified: date)
        #expect(first == .body(Array("[]".utf8), validators))
        let second = try await client.pullUpcoming(page: 1, validators: validators)
        #expect(second == .notModified())
        #expect(
            mock.requests[1].fields.suffix(2).map(\.name) == ["If-None-Match", "If-Modified-Since"])
        #expect(mock.requests[1].fields.suffix(2).map(\.value) == [#"W/"x""#, date])
    }

    @Test(arguments: [
        nil, Validators(entityTag: nil, lastModified: nil),
        Validators(entityTag: "*", lastModified: "x"),
    ])
    func `a 304 that was not asked for is an error`(validators: Validators?) async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/3/movie/upcoming?page=1&language=en-US", .status(304))
        let client = client(.bearer("v4"), transport: mock)
        do {
            _ = try await client.pullUpcoming(page: 1, validators: validators)
            Issue.record("no error")
        } catch {
            guard case .status(let failure) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(failure.code == 304)
        }
    }

    @Test(arguments: ["*", "abc", "\"a\", \"b\"", "\"é\"", ""])
    func `a tag that could say more than one version is not kept`(tag: String) async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let fields = [HTTPField("ETag", tag), HTTPField("Last-Modified", "yesterday")]
        mock.on(.get, "/3/movie/upcoming?page=1&language=en-US", .json("[]", fields: fields))
        let answer = try await client(.bearer("v4"), transport: mock)
            .pullUpcoming(page: 1, validators: nil)
        #expect(answer == .body(Array("[]".utf8), Validators(entityTag: nil, lastModified: nil)))
    }

    @Test func `a tag that repeats the token is not kept`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let tag = HTTPField("ETag", "W/\"canary-token\"")
        mock.on(.get, "/3/movie/upcoming?page=1&language=en-US", .json("[]", fields: [tag]))
        let answer = try await client(.bearer("canary-token"), transport: mock)
            .pullUpcoming(page: 1, validators: nil)
        #expect(answer == .body(Array("[]".utf8), Validators(entityTag: nil, lastModified: nil)))
    }

    private func page(_ number: Int, of total: Int, rows: Int = 1) -> MockAnswer {
        let row = #"{"id":\#(number),"title":"T"}"#
        let results = Array(repeating: row, count: rows).joined(separator: ",")
        return .json(
            #"{"page":\#(number),"results":[\#(results)],"total_pages":\#(total),"total_results":9}"#
        )
    }

    private func numbers(_ answers: [MockAnswer]) async throws -> [Int] {
        let mock = MockTransport { Issue.record("\($0)") }
        for (index, answer) in answers.enumerated() {
            mock.on(.get, "/3/movie/upcoming?page=\(index + 1)&language=en-US", answer)
        }
        var numbers: [Int] = []
        for try await page in client(.bearer("v4"), transport: mock).upcomingPages {
            numbers.append(page.page)
        }
        #expect(mock.requests.count == numbers.count)
        return numbers
    }

    @Test func `all pages come in order, as many as the last one named`() async throws {
        #expect(try await numbers([page(1, of: 3), page(2, of: 3), page(3, of: 3)]) == [1, 2, 3])
        #expect(try await numbers([page(1, of: 3), page(2, of: 2)]) == [1, 2])
        #expect(try await numbers([page(1, of: 1), page(2, of: 1)]) == [1])
        #expect(try await numbers([page(1, of: 0, rows: 0)]) == [1])
    }

    @Test func `the pages end at one without rows and at 500`() async throws {
        #expect(try await numbers([page(1, of: 9), page(2, of: 9, rows: 0)]) == [1, 2])
        let endless = (1...501).map { page($0, of: .max) }
        #expect(try await numbers(endless) == Array(1...500))
    }

    @Test func `a page that fails ends the pages`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/3/movie/upcoming?page=1&language=en-US", page(1, of: 3))
        mock.on(.get, "/3/movie/upcoming?page=2&language=en-US", .status(500))
        var pages = client(.bearer("v4"), transport: mock).upcomingPages.makeAsyncIterator()
        #expect(try await pages.next()?.page == 1)
        await #expect(throws: APIError.self) { try await pages.next() }
        #expect(try await pages.next() == nil)
        #expect(mock.requests.count == 2)
    }
}
