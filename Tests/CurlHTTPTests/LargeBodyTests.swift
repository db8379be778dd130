import APIClient
import CurlHTTP
import HostileHTTP
import Synchronization
import Testing

/// Bodies that are larger than may be there at once.
@Suite("Large bodies", .timeLimit(.minutes(3)))
final class LargeBodyTests: Sendable {
    private static let size = 2 * BodyShare.free

    private static func server(_ fields: String, _ body: [UInt8]) throws -> HostileServer {
        try HostileServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\n\(fields)Connection: close\r\n\r\n")
            connection.send(body)
            connection.finish()
        }
    }

    private func request(_ server: HostileServer, _ share: BodyShare) -> HTTPRequest {
        var request = HTTPRequest.to(server.port)
        request.share = share
        return request
    }

    private typealias Answer = Task<Result<HTTPResponse, TransportError>, Never>

    private func send(_ request: HTTPRequest, over transport: CurlTransport) -> Answer {
        Task {
            defer { isAnswered.store(true, ordering: .relaxed) }
            return await transport.outcome(request)
        }
    }

    private let isAnswered = Atomic(false)

    /// Waits until a transfer rests; one that was answered does not.
    private func rest(in budget: BodyBudget) async throws {
        while budget.waiting == 0 {
            let isOver = isAnswered.load(ordering: .relaxed)
            try #require(!isOver)
            await Task.yield()
        }
    }

    /// Framed by a length, which asks for as much; by its end and packed, which ask for all that the request allows.
    static let framings = [
        ("Content-Length: \(size)\r\n", Array(repeating: UInt8(ascii: "x"), count: size)),
        ("", Array(repeating: UInt8(ascii: "x"), count: size)),
        ("Content-Encoding: gzip\r\n", Gzip.of(Array(repeating: UInt8(ascii: "x"), count: size))),
    ]

    @Test(arguments: framings)
    func `N3: one rests until another one has been read`(
        fields: String, body: [UInt8]
    ) async throws {
        let server = try Self.server(fields, body)
        let transport = makeTransport()
        let budget = BodyBudget(bytes: Self.size)
        var held: BodyShare? = budget.share()
        let isHeld = held?.take(1) {}
        #expect(isHeld == true)
        let answer = send(request(server, budget.share()), over: transport)
        try await rest(in: budget)
        // A small one goes by it.
        let small = try HostileServer.keeping("[]".answer)
        #expect(try await transport.send(request(small, budget.share())).text == "[]")
        #expect(budget.waiting == 1)
        held = nil
        #expect(try await answer.value.get().body.count == Self.size)
        #expect(budget.waiting == 0)
    }

    @Test func `N3: one that rests ends with its task, and at its deadline`() async throws {
        let server = try Self.server(Self.framings[0].0, Self.framings[0].1)
        let transport = makeTransport()
        let budget = BodyBudget(bytes: Self.size)
        let held = budget.share()
        let isHeld = held.take(1) {}
        #expect(isHeld)
        let answer = send(request(server, budget.share()), over: transport)
        try await rest(in: budget)
        answer.cancel()
        #expect(await answer.value == .failure(.cancelled(mayHaveArrived: true)))
        #expect(budget.waiting == 0)
        var late = request(server, budget.share())
        late.timeout = .milliseconds(200)
        #expect(await transport.failureOnceSent(late, to: server).kind == "timedOut, sent")
        withExtendedLifetime(held) {}
    }
}
