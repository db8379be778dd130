import APIClient
import APIClientTesting
import CurlHTTP
import Foundation
import FoundationNetworking
import HostileHTTP
import Testing
import Text
import URLSessionHTTP
import URLSessionTesting

/// One client over one of the networks, at whose other end happens what a case says.
struct Rig: Sendable {
    let baseURL: BaseURL
    let timeout: Duration
    private let transport: any Transport
    private let farEnd: FarEnd

    private enum FarEnd: Sendable {
        case mock(MockTransport, MockNetwork?)
        case server(HostileServer)
        case nobody
    }

    init(
        _ network: Network, _ call: Call, _ happening: Outcome.Happening, timeout: Duration,
        holds: Bool
    ) throws {
        self.timeout = timeout
        switch network {
        case .mock, .urlProtocol:
            let mock = Self.mock(call, happening, holds: holds)
            baseURL = try BaseURL("http://127.0.0.1:1")
            guard network == .urlProtocol else {
                farEnd = .mock(mock, nil)
                transport = mock
                return
            }
            let double = MockNetwork(answering: mock)
            farEnd = .mock(mock, double)
            transport = URLSessionTransport(session: double.makeSession())
        case .urlSession, .curl:
            if case .refusesConnections = happening {
                farEnd = .nobody
                baseURL = try BaseURL("http://127.0.0.1:\(HostileServer.unusedPort())")
            } else {
                let server = try Self.server(call, happening)
                farEnd = .server(server)
                baseURL = try BaseURL("http://127.0.0.1:\(server.port)")
            }
            transport = network == .curl ? Self.curl() : Self.urlSession()
        }
    }

    var todos: TodosClient {
        TodosClient(
            baseURL: baseURL, limits: limits, userAgent: Call.userAgent, transport: transport)
    }

    var movies: MoviesClient {
        MoviesClient(
            baseURL: baseURL, credential: .bearer(Call.token), language: "en-US", limits: limits,
            userAgent: Call.userAgent, transport: transport)
    }

    var list: ListClient {
        ListClient(
            baseURL: baseURL, credential: .bearer(HeldSecret { () throws(APIError) in Call.token }),
            fields: Call.listFields, limits: limits,
            userAgent: Call.userAgent, transport: transport, secrets: Secrets())
    }

    static let maxBodyBytes = 100_000

    private var limits: RequestLimits {
        RequestLimits(timeout: timeout, maxBodyBytes: Self.maxBodyBytes)
    }

    /// Every request that came to the far end.
    var arrived: [Arrival] {
        switch farEnd {
        case .mock(let mock, _): mock.requests.map { Arrival($0) }
        case .server(let server): server.received.map { Arrival($0) }
        case .nobody: []
        }
    }

    /// The requests as they were handed to the transport, where it is a mock.
    var handedOver: [HTTPRequest]? {
        if case .mock(let mock, nil) = farEnd { mock.requests } else { nil }
    }

    /// Waits until so many requests have come to the far end.
    func waitForArrivals(_ count: Int) async {
        switch farEnd {
        case .mock(let mock, _): await mock.waitForRequests(count)
        case .server(let server): for _ in 0..<count { _ = await server.nextArrival() }
        case .nobody: break
        }
    }

    /// Runs the call to its end.
    func run(_ call: Call) async -> Ending {
        do throws(APIError) {
            return .result(try await call.run(self))
        } catch {
            return Ending(error)
        }
    }

    // MARK: The transports

    static func curl() -> CurlTransport {
        CurlTransport(
            CurlSettings(
                connectTimeout: .seconds(10), proxy: nil, caFile: nil, maxConnectionsPerHost: 4))
    }

    static func urlSession() -> URLSessionTransport {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSessionTransport(session: URLSession(configuration: configuration))
    }

    // MARK: The far ends

    private static func mock(
        _ call: Call, _ happening: Outcome.Happening, holds: Bool
    ) -> MockTransport {
        let mock = MockTransport { Issue.record("\($0)") }
        for step in call.steps.dropLast() { mock.on(step.method, step.target, .json(step.answer)) }
        let answer: MockAnswer =
            switch happening {
            case .answers(let status, let fields, let body):
                .json(body, status: status, fields: fields)
            case .speaksAnotherProtocol: .failure(.notHTTP("SSH"))
            case .refusesConnections: .failure(.cannotConnect("refused"))
            case .closes: .failure(.interrupted("closed", mayHaveArrived: true))
            case .stalls: holds ? .held(MockGate(), then: .status(200)) : .never
            }
        mock.on(call.last.method, call.last.target, answer)
        return mock
    }

    private static func server(
        _ call: Call, _ happening: Outcome.Happening
    ) throws -> HostileServer {
        let earlier = Dictionary(
            uniqueKeysWithValues: call.steps.dropLast().map {
                ("\($0.method.rawValue) \($0.target) HTTP/1.1", $0.answer)
            })
        return try HostileServer { connection in
            while let request = connection.readRequest() {
                if let answer = earlier[request.line] {
                    connection.send(answer.answer)
                    continue
                }
                switch happening {
                case .answers(let status, let fields, let body):
                    connection.send(
                        "HTTP/1.1 \(status) X\r\n"
                            + fields.map { "\($0.name): \($0.value)\r\n" }.joined()
                            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
                case .speaksAnotherProtocol:
                    connection.send("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
                    return connection.finish()
                case .closes, .refusesConnections: return
                case .stalls: return connection.awaitClose()
                }
            }
        }
    }
}
