import APIClient
import APIClientTesting
import Foundation
import Host
import ReferenceAPI
import Synchronization
import TestSupport

/// The reference server behind a network that does what a test wrote down for it.
final class ScriptedServer: Transport {
    /// What becomes of one request.
    indirect enum Act: Sendable {
        case works
        /// Nothing was sent.
        case refuses
        /// May have arrived, but was not applied.
        case losesRequest
        /// Was applied, which nobody learns.
        case losesAnswer
        case fails(TransportError)
        /// Is not applied.
        case answers(HTTPResponse)
        /// Is applied, and answered like this.
        case worksButAnswers(HTTPResponse)
        /// Something happens before the request arrives.
        case after(@Sendable () async -> Void, Act)
        /// Waits until the test opens the gate; a cancelled one may have arrived, but did not.
        case held(MockGate, Act)

        static func status(_ code: Int, retryAfter: String? = nil, date: String? = nil) -> Act {
            var fields = retryAfter.map { [HTTPField("Retry-After", $0)] } ?? []
            if let date { fields.append(HTTPField("Date", date)) }
            return .answers(HTTPResponse(status: code, fields: fields))
        }

        static func body(_ text: String, status: Int = 200) -> Act {
            .answers(HTTPResponse(status: status, body: Array(text.utf8)))
        }
    }

    private struct Rule {
        let prefix: String
        var acts: [Act]
        let isForEver: Bool
    }

    private struct World {
        var server: ReferenceServer
        var rules: [Rule] = []
        var lines: [String] = []
        var statuses: [Int] = []
        var requests: [HTTPRequest] = []
        var underWay = 0
        var peak = 0
    }

    private let world: Mutex<World>
    private let time: VirtualTime

    init(_ server: ReferenceServer, time: VirtualTime) {
        world = Mutex(World(server: server))
        self.time = time
    }

    /// The next requests whose line begins with `prefix` meet these acts, one each.
    func next(_ prefix: String, _ acts: Act...) {
        world.withLock { $0.rules.append(Rule(prefix: prefix, acts: acts, isForEver: false)) }
    }

    /// All requests whose line begins with `prefix`, until ``mend()``.
    func always(_ prefix: String, _ act: Act) {
        world.withLock { $0.rules.append(Rule(prefix: prefix, acts: [act], isForEver: true)) }
    }

    /// From now on everything works.
    func mend() { world.withLock { $0.rules = [] } }

    /// One line a request: `GET /todos`, `POST /todos milk`, `DELETE /todos/1`, `POST /login`.
    var lines: [String] { world.withLock { $0.lines } }

    /// What the server has answered, in the order of its answers.
    var statuses: [Int] { world.withLock { $0.statuses } }

    var requests: [HTTPRequest] { world.withLock { $0.requests } }

    /// Forgets what was asked so far.
    func forgetLines() {
        world.withLock {
            $0.lines = []
            $0.statuses = []
            $0.requests = []
            $0.peak = 0
        }
    }

    /// So many requests were under way at once.
    var peak: Int { world.withLock { $0.peak } }

    func withServer<Result: Sendable>(
        _ body: @Sendable (inout ReferenceServer) -> Result
    ) -> Result {
        world.withLock { body(&$0.server) }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let act = arrive(request)
        defer { world.withLock { $0.underWay -= 1 } }
        // Others may be sent beside this one.
        for _ in 0..<3 { await Task.yield() }
        return try await play(act, request)
    }

    private func arrive(_ request: HTTPRequest) -> Act {
        let line = Self.line(of: request)
        return world.withLock { world in
            world.lines.append(line)
            world.requests.append(request)
            world.underWay += 1
            world.peak = max(world.peak, world.underWay)
            for index in world.rules.indices
            where line.hasPrefix(world.rules[index].prefix) && !world.rules[index].acts.isEmpty {
                if world.rules[index].isForEver { return world.rules[index].acts[0] }
                return world.rules[index].acts.removeFirst()
            }
            return .works
        }
    }

    private func play(
        _ act: Act, _ request: HTTPRequest
    ) async throws(TransportError) -> HTTPResponse {
        switch act {
        case .works: return apply(request)
        case .refuses: throw .cannotConnect("refused")
        case .losesRequest: throw .interrupted("reset", mayHaveArrived: true)
        case .losesAnswer:
            _ = apply(request)
            throw .timedOut(mayHaveArrived: true)
        case .fails(let error): throw error
        case .answers(let response): return response
        case .worksButAnswers(let response):
            _ = apply(request)
            return response
        case .after(let happening, let then):
            await happening()
            return try await play(then, request)
        case .held(let gate, let then):
            guard await gate.pass() else { throw .cancelled(mayHaveArrived: true) }
            return try await play(then, request)
        }
    }

    private func apply(_ request: HTTPRequest) -> HTTPResponse {
        let now = time.wallTime().milliseconds
        return world.withLock { world in
            let answer = world.server.answer(request, at: now / 1000, milliseconds: now % 1000)
            world.statuses.append(answer.status)
            return answer
        }
    }

    private static func line(of request: HTTPRequest) -> String {
        let line = "\(request.method.rawValue) \(request.target)"
        guard request.target == "/todos", let body = request.body,
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            let title = object["title"] as? String
        else { return line }
        return "\(line) \(title)"
    }
}
