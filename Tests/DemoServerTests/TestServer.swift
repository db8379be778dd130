import APIClient
import CurlHTTP
import DemoServer
import ReferenceAPI
import Synchronization

/// Lines that a server logged, and errors after which it stopped answering.
final class Record: Sendable {
    private let entries = Mutex<(lines: [String], errors: [DemoError])>(([], []))

    var lines: [String] { entries.withLock { $0.lines } }
    var errors: [DemoError] { entries.withLock { $0.errors } }

    func log(_ line: String) { entries.withLock { $0.lines.append(line) } }
    func fail(_ error: DemoError) { entries.withLock { $0.errors.append(error) } }
}

/// A server of this process on a free port, and clients for it.
struct TestServer {
    let server: LoopbackServer
    let record = Record()
    let transport = CurlTransport(
        CurlSettings(
            connectTimeout: .seconds(10), proxy: nil, caFile: nil, maxConnectionsPerHost: 16))

    init(
        stateFile: String? = nil, seed: UInt64 = 1, untitled: Int = 0,
        lists: [String: ReferenceList] = [:],
        behaviour change: (inout ReferenceBehaviour) -> Void = { _ in },
        faults: (inout FaultRates) -> Void = { _ in }
    ) throws {
        var behaviour = ReferenceBehaviour()
        change(&behaviour)
        var rates = FaultRates()
        faults(&rates)
        let record = record
        var settings = DemoSettings(
            port: 0, stateFile: stateFile, password: "demo", behaviour: behaviour,
            movies: .generated(count: 60, seed: 1, overlap: true, dates: true), faults: rates,
            random: SeededGenerator(seed: seed), milliseconds: { 1_000_000_000 },
            log: { record.log($0) }, failed: { record.fail($0) })
        settings.untitled = untitled
        settings.lists = lists
        server = try LoopbackServer.start(settings)
    }

    func todos() throws -> TodosClient {
        TodosClient(
            baseURL: try BaseURL("http://localhost:\(server.port)"), limits: .standard,
            userAgent: "test", transport: transport)
    }

    func movies() throws -> MoviesClient {
        MoviesClient(
            baseURL: try BaseURL("http://127.0.0.1:\(server.port)/3"), credential: .apiKey("demo"),
            language: nil, region: nil, limits: .standard, userAgent: "test", transport: transport)
    }

    func token() async throws -> String {
        try await todos().login(email: "demo@example.com", password: "demo")
    }
}
