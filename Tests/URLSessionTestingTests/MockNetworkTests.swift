import APIClient
import APIClientTesting
import Foundation
import FoundationNetworking
import Synchronization
import Testing
import URLSessionTesting

@Suite("The network of a URLSession, mocked", .timeLimit(.minutes(3)))
struct MockNetworkTests {
    private let mock = MockTransport { Issue.record("\($0)") }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Runs one request to its end, without a wait of its own.
    private func load(
        _ request: URLRequest, over session: URLSession
    ) async -> (data: Data?, response: URLResponse?, code: URLError.Code?) {
        await withCheckedContinuation { continuation in
            session.dataTask(with: request) { data, response, error in
                continuation.resume(returning: (data, response, (error as? URLError)?.code))
            }.resume()
        }
    }

    @Test func `a request is answered from the table, and recorded as a transport sees it`()
        async throws
    {
        let network = MockNetwork(answering: mock)
        mock.on(
            .post, "/3/a%20b?x=%26&y=1",
            .json("[1]", status: 201, fields: [.init("X-A", "1"), .init("x-a", "2")]))
        var request = URLRequest(url: try url("https://Example.com/3/a%20b?x=%26&y=1"))
        request.httpMethod = "POST"
        request.httpBody = Data("{}".utf8)
        request.timeoutInterval = 2.5
        request.setValue("t", forHTTPHeaderField: "Authorization")
        let answer = await load(request, over: network.makeSession())
        #expect(answer.data == Data("[1]".utf8) && answer.code == nil)
        let head = try #require(answer.response as? HTTPURLResponse)
        #expect(head.statusCode == 201)
        #expect(head.value(forHTTPHeaderField: "x-a") == "1, 2")
        #expect(
            mock.requests == [
                HTTPRequest(
                    method: .post, origin: Origin(scheme: "https", host: "Example.com", port: 443),
                    target: "/3/a%20b?x=%26&y=1", fields: [.init("Authorization", "t")],
                    body: Array("{}".utf8), timeout: .seconds(2.5), maxBodyBytes: .max)
            ])
    }

    @Test func `a request without an answer is reported by name and fails`() async throws {
        let reports = Mutex<[String]>([])
        let mock = MockTransport { text in reports.withLock { $0.append(text) } }
        let network = MockNetwork(answering: mock)
        let answer = await load(
            URLRequest(url: try url("http://localhost/todos?x=1")), over: network.makeSession())
        #expect(answer.code == .badURL)
        #expect(reports.withLock { $0 } == ["no answer for GET /todos?x=1"])
    }

    /// The session asks from a thread of its own, which knows of no test.
    @Test func `a request without an answer fails the test that made the network`() async throws {
        try await withKnownIssue {
            let mock = MockTransport { Issue.record("\($0)") }
            let network = MockNetwork(answering: mock)
            let request = URLRequest(url: try url("http://localhost/todos"))
            _ = await load(request, over: network.makeSession())
        } matching: { issue in
            issue.comments.contains("no answer for GET /todos")
        }
    }

    @Test func `failures become the errors that URLSession has for them`() async throws {
        let network = MockNetwork(answering: mock)
        let session = network.makeSession()
        let failures: [(TransportError, URLError.Code)] = [
            (.invalidRequest("x"), .badURL), (.cannotConnect("x"), .cannotConnectToHost),
            (.untrusted("x"), .serverCertificateUntrusted),
            (.timedOut(mayHaveArrived: true), .timedOut),
            (.interrupted("x", mayHaveArrived: true), .networkConnectionLost),
            (.bodyTooLarge(limit: 1), .dataLengthExceedsMaximum),
            (.headerTooLarge(limit: 1), .dataLengthExceedsMaximum),
            (.cancelled(mayHaveArrived: true), .cancelled),
        ]
        for (failure, code) in failures {
            mock.replace(.get, "/a", .failure(failure))
            let answer = await load(URLRequest(url: try url("http://localhost/a")), over: session)
            #expect(answer.code == code)
        }
    }

    @Test func `what is not HTTP is a response that is not HTTP`() async throws {
        let network = MockNetwork(answering: mock)
        mock.on(.get, "/a", .failure(.notHTTP("x")))
        let answer = await load(
            URLRequest(url: try url("http://localhost/a")), over: network.makeSession())
        #expect(answer.code == nil)
        #expect(answer.response != nil && !(answer.response is HTTPURLResponse))
    }

    @Test func `a delay is held against the timeout of the request`() async throws {
        let network = MockNetwork(answering: mock)
        mock.on(.get, "/a", .never)
        var request = URLRequest(url: try url("http://localhost/a"))
        request.timeoutInterval = 3600
        #expect(await load(request, over: network.makeSession()).code == .timedOut)
    }

    @Test func `networks side by side have answers of their own`() async throws {
        let other = MockTransport { Issue.record("\($0)") }
        mock.on(.get, "/a", .json("1"))
        other.on(.get, "/a", .json("2"))
        let networks = [MockNetwork(answering: mock), MockNetwork(answering: other)]
        var texts: [String] = []
        for network in networks {
            let request = URLRequest(url: try url("http://localhost/a"))
            let data = await load(request, over: network.makeSession()).data
            texts.append(String(decoding: data ?? Data(), as: UTF8.self))
        }
        #expect(texts == ["1", "2"])
    }

    @Test func `a cancelled request is cancelled for the transport too`() async throws {
        let hold = Hold()
        let network = MockNetwork(answering: hold)
        let request = URLRequest(url: try url("http://localhost/a"))
        let session = network.makeSession()
        let code = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { _, _, error in
                continuation.resume(returning: (error as? URLError)?.code)
            }
            hold.onArrival { task.cancel() }
            task.resume()
        }
        #expect(code == .cancelled)
        await hold.cancelled()
    }

    @Test func `a method that the seam does not know is told`() async throws {
        let network = MockNetwork(answering: mock)
        var request = URLRequest(url: try url("http://localhost/a"))
        request.httpMethod = "OPTIONS"
        #expect(await load(request, over: network.makeSession()).code == .badURL)
        #expect(mock.requests.isEmpty)
    }

    @Test func `a network that has ended answers nothing`() async throws {
        let session = URLSession(configuration: MockNetwork(answering: mock).configuration)
        let request = URLRequest(url: try url("http://localhost/a"))
        #expect(await load(request, over: session).code == .cannotConnectToHost)
    }

    @Test func `a session keeps its network until it is invalidated`() async throws {
        mock.on(.get, "/a", .status(200))
        let session = MockNetwork(answering: mock).makeSession()
        let request = URLRequest(url: try url("http://localhost/a"))
        #expect(await load(request, over: session).code == nil)
        session.finishTasksAndInvalidate()
    }
}
