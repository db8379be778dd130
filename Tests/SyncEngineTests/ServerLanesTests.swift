import APIClient
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
                    _ = try? await lanes.read(by: VirtualTime(), until: StopSignal()) {
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

    @Test func `one list that is refused slows down the other`() async throws {
        let lanes = ServerLanes(most: 4)
        let time = VirtualTime()
        let answers = Mutex([refusal(after: .seconds(3))])
        func ask() async throws -> Duration {
            let began = time.bootTime().milliseconds
            try await lanes.read(by: time, until: StopSignal()) { () async throws(APIError) in
                if let error = answers.withLock({ $0.popLast() }) { throw error }
            }
            return .milliseconds(time.bootTime().milliseconds - began)
        }
        #expect(try await ask() == .seconds(3))
        // The next one, whosever it is, keeps three quarters of the gap.
        #expect(try await ask() == .milliseconds(2250))
        lanes.begin()
        #expect(try await ask() == .zero, "a pull that begins alone begins anew")
    }

    @Test func `a server that refuses for good is asked five times`() async {
        let lanes = ServerLanes(most: 4)
        let asked = Mutex(0)
        await #expect(throws: APIError.self) {
            try await lanes.read(by: VirtualTime(), until: StopSignal()) {
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
            try await lanes.read(by: time, until: StopSignal()) { () async throws(APIError) in
                throw APIError.transport(.timedOut(mayHaveArrived: true))
            }
        }
        let began = time.bootTime()
        try await lanes.read(by: time, until: StopSignal()) { () async throws(APIError) in }
        #expect(time.bootTime() == began)
    }
}
