import APIClient
import Declarations
import Host
import SyncEngine
import Synchronization
import TestSupport
import Testing

/// How many reads there are at once.
private final class Counts: Sendable {
    private let state = Mutex((now: 0, most: 0, done: 0))

    var most: Int { state.withLock(\.most) }
    var done: Int { state.withLock(\.done) }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
        }
    }

    func end() {
        state.withLock { state in
            state.now -= 1
            state.done += 1
        }
    }
}

private let notes = ListName(kept: "notes")
private let slow = ListName(kept: "slow")

/// How the lists of one server share it.
@Suite struct ServerLanesTests {
    private func refusal(after wait: Duration? = nil) -> APIError {
        .status(StatusFailure(code: 429, reason: nil, retryAfter: wait))
    }

    @Test(arguments: [1, 3, 16]) func `so many requests are under way at once, of all its lists`(
        most: Int
    ) async {
        let lanes = ServerLanes(most: most)
        let counts = Counts()
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    _ = try? await lanes.read(of: notes, by: VirtualTime(), until: StopSignal()) {
                        () async throws(APIError) in
                        counts.begin()
                        await Task.yield()
                        counts.end()
                    }
                }
            }
        }
        #expect(counts.done == 100)
        #expect(counts.most <= most)
    }

    @Test(arguments: [ServerLanes.Use.read, .write])
    func `R5: a list that hangs takes no turn from another`(use: ServerLanes.Use) async throws {
        let lanes = ServerLanes(most: 2)
        let time = VirtualTime()
        #expect(lanes.turns(3, for: use, of: slow, by: time).count == 2)
        #expect(lanes.turns(1, for: use, of: notes, by: time).isEmpty)
        // Whoever waits is let in without an answer: this clock moves on for those that wait.
        let turn = await lanes.turn(for: use, of: notes, by: time, patience: .zero)
        #expect(lanes.turns(1, for: use, of: slow, by: time).isEmpty)
        #expect(lanes.turns(9, for: use, of: notes, by: time).count == 1)
        lanes.end(try #require(turn), as: .taken, by: time)
        #expect(lanes.turns(9, for: use, of: notes, by: time).count == 1)
    }

    @Test func `one list that is refused slows down the other`() async throws {
        let lanes = ServerLanes(most: 4)
        let time = VirtualTime()
        let answers = Mutex([refusal(after: .seconds(3)), nil])
        func ask() async throws -> Duration {
            let began = time.bootTime().milliseconds
            try await lanes.read(of: notes, by: time, until: StopSignal()) {
                () async throws(APIError) in
                if let error = answers.withLock({ $0.popLast() ?? nil }) { throw error }
            }
            return .milliseconds(time.bootTime().milliseconds - began)
        }
        #expect(try await ask() == .zero)
        #expect(try await ask() == .seconds(3))
        #expect(try await ask() > .zero, "the next one, whosever it is, keeps a gap")
        time.advance(by: .seconds(61))
        #expect(try await ask() == .zero, "after a minute it begins anew")
    }

    @Test func `a server that refuses for good is asked five times`() async {
        let lanes = ServerLanes(most: 4)
        let asked = Mutex(0)
        await #expect(throws: APIError.self) {
            try await lanes.read(of: notes, by: VirtualTime(), until: StopSignal()) {
                () async throws(APIError) in
                asked.withLock { $0 += 1 }
                throw refusal()
            }
        }
        #expect(asked.withLock { $0 } == 5)
    }

    @Test func `another failure is nobody else's`() async throws {
        let lanes = ServerLanes(most: 1)
        let time = VirtualTime()
        await #expect(throws: APIError.self) {
            try await lanes.read(of: notes, by: time, until: StopSignal()) {
                () async throws(APIError) in
                throw APIError.transport(.timedOut(mayHaveArrived: true))
            }
        }
        let began = time.bootTime()
        try await lanes.read(of: notes, by: time, until: StopSignal()) {
            () async throws(APIError) in
        }
        #expect(time.bootTime() == began)
    }

    @Test func `L7: where the server is asked slowly, reads and writes go by turns`() async throws {
        let lanes = ServerLanes(most: 4)
        let time = VirtualTime()
        let order = Order()
        let first = try #require(await lanes.turn(for: .read, of: notes, by: time, patience: .zero))
        lanes.end(first, as: .refused(asked: nil), by: time)
        time.advance(by: .seconds(1))
        // The next one finds out whether the server takes some again; the others come behind it.
        let probe = try #require(await lanes.turn(for: .read, of: notes, by: time, patience: .zero))
        await withTaskGroup { group in
            for use in [.read, .read, .read, .write, .write, .write] as [ServerLanes.Use] {
                group.addTask {
                    guard
                        let turn = await lanes.turn(
                            for: use, of: notes, by: time, patience: .seconds(60))
                    else { return }
                    order.note(use)
                    lanes.end(turn, as: .taken, by: time)
                }
            }
            while lanes.waiting < 6 { await Task.yield() }
            lanes.end(probe, as: .taken, by: time)
        }
        #expect(order.uses == [.write, .read, .write, .read, .write, .read])
    }

    @Test func `L7: a longer wait than somebody has patience for is not begun`() async throws {
        let lanes = ServerLanes(most: 1)
        let time = VirtualTime()
        let first = try #require(await lanes.turn(for: .read, of: notes, by: time, patience: .zero))
        lanes.end(first, as: .refused(asked: .seconds(6)), by: time)
        let began = time.bootTime()
        #expect(await lanes.turn(for: .write, of: notes, by: time, patience: Pace.patience) == nil)
        #expect(time.bootTime() == began)
    }

    @Test func `L8: what the header says is waited for`() async throws {
        let lanes = ServerLanes(most: 1)
        let time = VirtualTime()
        let answer = HTTPResponse(
            status: 200,
            fields: [
                HTTPField("RateLimit-Remaining", "0"), HTTPField("RateLimit-Reset", "0.5"),
            ])
        let transport = PacingTransport(Always(answer: answer), lanes: lanes, time: time)
        let origin = try BaseURL("http://127.0.0.1:8080").origin
        _ = try await transport.send(
            HTTPRequest(
                method: .get, origin: origin, target: "/", fields: [], timeout: .seconds(1),
                maxBodyBytes: 1))
        let began = time.bootTime()
        _ = await lanes.turn(for: .read, of: notes, by: time, patience: .seconds(1))
        #expect(time.bootTime().elapsed(since: began) == .milliseconds(500))
    }
}

/// In which order turns began.
private final class Order: Sendable {
    private let state = Mutex<[ServerLanes.Use]>([])

    var uses: [ServerLanes.Use] { state.withLock { $0 } }

    func note(_ use: ServerLanes.Use) { state.withLock { $0.append(use) } }
}

/// The same answer to each request.
private struct Always: Transport {
    let answer: HTTPResponse

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { answer }
}
