import APIClient
import APIClientTesting
import Foundation
import Synchronization
import Testing

@Suite struct MockTransportTests {
    private func request(_ target: String, _ method: HTTPMethod = .get) -> HTTPRequest {
        HTTPRequest(
            method: method, origin: BaseURL.localhost.origin, target: target, fields: [],
            timeout: .seconds(1), maxBodyBytes: 1)
    }

    @Test func `answers are found by method, path and query in any order`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/a?x=1&y=2", .json("1"))
        mock.on(.get, "/a?x=1", .json("2"))
        mock.on(.get, "/a", .json("3"))
        mock.on(.post, "/a", .json("4"))
        var bodies: [[UInt8]] = []
        for target in ["/a?y=2&x=1", "/a?x=1", "/a"] {
            bodies.append(try await mock.send(request(target)).body)
        }
        bodies.append(try await mock.send(request("/a", .post)).body)
        #expect(bodies == ["1", "2", "3", "4"].map { Array($0.utf8) })
        #expect(mock.requests.map(\.target) == ["/a?y=2&x=1", "/a?x=1", "/a", "/a"])
    }

    @Test func `answers come in turn, the last one for ever`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/a", .status(500), .status(404))
        mock.on(.get, "/a", .status(200))
        var codes: [Int] = []
        for _ in 0..<4 { codes.append(try await mock.send(request("/a")).status) }
        #expect(codes == [500, 404, 200, 200])
        mock.on(.get, "/a", .status(201), .status(202))
        for _ in 0..<3 { codes.append(try await mock.send(request("/a")).status) }
        #expect(codes.suffix(3) == [201, 202, 202])
        mock.replace(.get, "/a", .status(410))
        #expect(try await mock.send(request("/a")).status == 410)
    }

    @Test func `a request without an answer fails by name and is reported`() async {
        let reports = Mutex<[String]>([])
        let mock = MockTransport { text in reports.withLock { $0.append(text) } }
        mock.on(.get, "/a?x=1", .status(200))
        await #expect(throws: TransportError.invalidRequest("no answer for GET /a?x=2")) {
            try await mock.send(request("/a?x=2"))
        }
        await #expect(throws: TransportError.invalidRequest("no answer for DELETE /a?x=1")) {
            try await mock.send(request("/a?x=1", .delete))
        }
        #expect(
            reports.withLock { $0 } == ["no answer for GET /a?x=2", "no answer for DELETE /a?x=1"])
    }

    @Test func `failures and computed answers are played`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/a", .failure(.untrusted("x")), .computed { .json($0.url, status: 201) })
        await #expect(throws: TransportError.untrusted("x")) { try await mock.send(request("/a")) }
        let answer = try await mock.send(request("/a"))
        #expect(answer.status == 201 && answer.body == Array("http://localhost:8080/a".utf8))
    }

    @Test func `a held answer waits for its gate, and others overtake it`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let gate = MockGate()
        mock.on(.get, "/slow", .held(gate, then: .status(200)))
        mock.on(.get, "/fast", .status(200))
        let isDone = Mutex(false)
        async let slow: Void = {
            _ = try await mock.send(request("/slow"))
            isDone.withLock { $0 = true }
        }()
        await mock.waitForRequests(1)
        _ = try await mock.send(request("/fast"))
        #expect(isDone.withLock { $0 } == false)
        gate.open()
        try await slow
        #expect(isDone.withLock { $0 })
        #expect(await gate.pass())
    }

    @Test func `a caller that is cancelled at a gate is told so`() async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/a", .held(MockGate(), then: .status(200)))
        let task = Task { try await mock.send(request("/a")) }
        await mock.waitForRequests(1)
        task.cancel()
        await #expect(throws: TransportError.cancelled(mayHaveArrived: true)) {
            try await task.value
        }
    }

    @Test func `delays are held against the timeout and not waited for`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let twice = MockAnswer.delayed(
            .milliseconds(600), then: .delayed(.milliseconds(399), then: .status(200)))
        mock.on(.get, "/in-time", twice)
        mock.on(.get, "/late", .delayed(.milliseconds(1), then: twice))
        mock.on(.get, "/never", .never)
        #expect(try await mock.send(request("/in-time")).status == 200)
        for target in ["/late", "/never"] {
            await #expect(throws: TransportError.timedOut(mayHaveArrived: true)) {
                try await mock.send(request(target))
            }
        }
    }

    @Test func `recorded files are replayed by path, with and without the query`() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("recordings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // Left over, it harms nobody.
        for (name, text) in [
            ("todos.json", "[1]"), ("todos?page=2.json", "[2]"), ("POST/todos.json", "[3]"),
        ] {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let reports = Mutex<[String]>([])
        let recorded = RecordedTransport(directory: folder.path) { text in
            reports.withLock { $0.append(text) }
        }
        var bodies: [String] = []
        for request in [
            request("/todos"), request("/todos?page=1"), request("/todos?page=2"),
            request("/todos", .post),
        ] {
            bodies.append(String(decoding: try await recorded.send(request).body, as: UTF8.self))
        }
        #expect(bodies == ["[1]", "[1]", "[2]", "[3]"])
        let missing = ["no recording for GET /other?a=1", "no recording for DELETE /todos"]
        await #expect(throws: TransportError.invalidRequest(missing[0])) {
            try await recorded.send(request("/other?a=1"))
        }
        await #expect(throws: TransportError.invalidRequest(missing[1])) {
            try await recorded.send(request("/todos", .delete))
        }
        #expect(reports.withLock { $0 } == missing)
        await #expect(throws: TransportError.self) {
            try await recorded.send(request("/../etc/passwd"))
        }
    }

    @Test func `a recorded page of TMDB is read by the client`() async throws {
        let folder = try #require(Bundle.module.resourcePath) + "/Recordings"
        let client = MoviesClient(
            credential: .bearer("t"),
            transport: RecordedTransport(directory: folder) { Issue.record("\($0)") })
        let page = try await client.upcomingMovies(page: 1)
        #expect(page.page == 1 && page.totalPages == 19 && page.totalResults == 369)
        #expect(page.dates == MoviePage.Dates(minimum: "2023-05-04", maximum: "2023-05-23"))
        #expect(page.results.count == 20 && Set(page.results.map(\.id)).count == 20)
        let outside = page.results.count { movie in
            let date = movie.releaseDate ?? ""
            return date < "2023-05-04" || date > "2023-05-23"
        }
        #expect(outside == 18)
        #expect(page.results[0].title == "Evil Dead Rise" && page.results[0].voteAverage == 7)
    }
}
