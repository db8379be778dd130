import APIClient
import APIClientTesting
import CurlHTTP
import Foundation
import FoundationNetworking
import HostileHTTP
import Testing
import URLSessionHTTP
import URLSessionTesting

/// The examples of the guides in `Sources/APIClient/APIClient.docc`: each stands between two markers
/// and is there word for word, which `GuideTests` compares.
@Suite("The examples of the guide", .timeLimit(.minutes(3)))
final class GuideExamples {
    private let list = #"[{"id":2,"title":"milk"},{"id":"a","title":"bread"}]"#

    // guide: a program
    /// Prints nothing, knows no network: it can be tested.
    struct Shopping {
        let client: TodosClient

        func titles(token: String) async throws(APIError) -> [String] {
            try await client.todos(token: token).map(\.title).sorted()
        }
    }
    // guide: end

    private func serving(_ body: String) throws -> HostileServer { try .keeping(body.answer) }

    @Test func `a call over libcurl`() async throws {
        let server = try serving(list)
        let address = "http://127.0.0.1:\(server.port)"
        // guide: libcurl
        let transport = CurlTransport(
            CurlSettings(
                connectTimeout: .seconds(10), proxy: nil, caFile: nil, maxConnectionsPerHost: 4))
        let client = TodosClient(baseURL: try BaseURL(address), transport: transport)
        let todos = try await client.todos(token: "token")
        // guide: end
        #expect(todos.map(\.title) == ["milk", "bread"])
    }

    @Test func `a call over URLSession`() async throws {
        let server = try serving(list)
        let address = "http://127.0.0.1:\(server.port)"
        // guide: URLSession
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        let client = TodosClient(
            baseURL: try BaseURL(address), transport: URLSessionTransport(session: session))
        // guide: end
        #expect(try await client.todos(token: "token").count == 2)
    }

    @Test func `a session keeps the token`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.post, "/login", .json(#"{"string":"token"}"#))
        mock.on(.get, "/todos", .json(list))
        let transport = mock
        // guide: session
        let session = TodosSession(
            client: TodosClient(transport: transport), email: "me@example.com",
            password: "password", tokens: MemoryTokenStore())
        let token = try await session.token()
        let todos = try await session.client.todos(token: token)
        // guide: end
        #expect(todos.count == 2)
    }

    @Test func `all pages, one after another`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        for page in 1...2 {
            mock.on(
                .get, "/3/movie/upcoming?page=\(page)",
                .json(
                    #"{"page":\#(page),"results":[{"id":\#(page),"title":"T"}],"#
                        + #""total_pages":2,"total_results":2}"#))
        }
        let transport = mock
        // guide: pages
        let movies = MoviesClient(credential: .bearer("token"), transport: transport)
        var titles: [String] = []
        for try await page in movies.upcomingPages {
            titles += page.results.map(\.title)
        }
        // guide: end
        #expect(titles == ["T", "T"])
    }

    @Test func `errors tell what happened and what to do`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.post, "/todos", .json(#"{"error":true,"reason":"Too long."}"#, status: 422))
        let client = TodosClient(transport: mock)
        var said: [String] = []
        // guide: errors
        do throws(APIError) {
            _ = try await client.createTodo(
                title: "milk", idempotencyKey: "4711", token: "token", timeout: .seconds(10))
        } catch {
            switch error {
            case .status(let failure): said = [failure.reason ?? "no reason", error.hint]
            case .transport where !error.mayHaveArrived: said = ["not sent", error.hint]
            default: said = [error.description, error.hint]
            }
        }
        // guide: end
        #expect(said == ["Too long.", "Correct what the server's reason names, and try again."])
    }

    // guide: request
    @Test func `a create names its key`() throws {
        let client = TodosClient(transport: MockTransport { Issue.record("\($0)") })
        let request = try client.request(
            for: .create(
                title: "milk", idempotencyKey: "4711", token: "token", timeout: .seconds(10)))
        #expect(request.url == "http://localhost:8080/todos")
        #expect(request.fields.contains(HTTPField("Idempotency-Key", "4711")))
        #expect(request.body == Array(#"{"title":"milk"}"#.utf8))
    }
    // guide: end

    // guide: mock
    @Test func `the titles are sorted`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .json(#"[{"id":2,"title":"milk"},{"id":"a","title":"bread"}]"#))

        let shopping = Shopping(client: TodosClient(transport: mock))
        #expect(try await shopping.titles(token: "token") == ["bread", "milk"])

        let authorization = mock.requests.map { $0.fields.first { $0.name == "Authorization" } }
        #expect(authorization == [HTTPField("Authorization", "Bearer token")])
    }
    // guide: end

    // guide: failures
    @Test func `a slow server is a timeout, a busy one says how long to wait`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(
            .get, "/todos",
            .failure(.cannotConnect("the network is down")),
            .delayed(.seconds(11), then: .json("[]")),
            .status(429, fields: [HTTPField("Retry-After", "5")]))

        let shopping = Shopping(client: TodosClient(transport: mock))
        await #expect(throws: APIError.transport(.cannotConnect("the network is down"))) {
            try await shopping.titles(token: "token")
        }
        await #expect(throws: APIError.transport(.timedOut(mayHaveArrived: true))) {
            try await shopping.titles(token: "token")
        }
        let error = await #expect(throws: APIError.self) {
            try await shopping.titles(token: "token")
        }
        #expect(error?.retryAfter == .seconds(5))
    }
    // guide: end

    // guide: gate
    @Test func `a list that is on its way can be cancelled`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .held(MockGate(), then: .json("[]")))
        let shopping = Shopping(client: TodosClient(transport: mock))

        let task = Task { try await shopping.titles(token: "token") }
        await mock.waitForRequests(1)
        task.cancel()
        await #expect(throws: APIError.transport(.cancelled(mayHaveArrived: true))) {
            try await task.value
        }
    }
    // guide: end

    // guide: URLProtocol
    @Test func `the titles are sorted, over URLSession`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/todos", .json(#"[{"id":2,"title":"milk"},{"id":"a","title":"bread"}]"#))
        let session = MockNetwork(answering: mock).makeSession()
        defer { session.finishTasksAndInvalidate() }

        let client = TodosClient(
            limits: RequestLimits(timeout: .seconds(60), maxBodyBytes: 1 << 20),
            transport: URLSessionTransport(session: session))
        #expect(try await Shopping(client: client).titles(token: "token") == ["bread", "milk"])
    }
    // guide: end

    private let recordings: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "guide-\(UUID().uuidString)")
        recordings = folder.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(list.utf8).write(to: folder.appending(path: "todos.json"))
    }

    deinit { try? FileManager.default.removeItem(atPath: recordings) }

    // guide: recordings
    @Test func `the titles are sorted, from a recording`() async throws {
        let recorded = RecordedTransport(directory: recordings) { Issue.record("\($0)") }
        let shopping = Shopping(client: TodosClient(transport: recorded))
        #expect(try await shopping.titles(token: "token") == ["bread", "milk"])
    }
    // guide: end
}
