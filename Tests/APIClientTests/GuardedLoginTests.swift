import APIClient
import Synchronization
import Testing

/// A login that the server has refused.
@Suite struct GuardedLoginTests {
    private final class Memory: LoginRefusalStore {
        private let kept = Mutex<LoginRefusal?>(nil)

        func load() -> LoginRefusal? { kept.withLock { $0 } }
        func save(_ refusal: LoginRefusal) { kept.withLock { $0 = refusal } }
        func discard() { kept.withLock { $0 = nil } }
    }

    /// A server that takes one password, and counts how often it is asked.
    private final class Server: Sendable {
        let memory = Memory()
        private let minutes = Mutex<Int64>(0)
        private let calls = Mutex(0)

        var asked: Int { calls.withLock { $0 } }

        func pass(minutes: Int64) { self.minutes.withLock { $0 += minutes } }

        /// As each process has one of its own.
        func login(_ secret: String, refusal: Int = 401) async throws(APIError) -> String {
            let guarded = GuardedLogin(refusals: memory) { [self] in
                ("boot", minutes.withLock { $0 } * 60_000)
            }
            return try await guarded.token(with: secret) { () async throws(APIError) in
                calls.withLock { $0 += 1 }
                guard secret == "right" else {
                    var failure = StatusFailure(
                        code: refusal, reason: "wrong password", retryAfter: nil, endpoint: "POST")
                    failure.isOfLogin = true
                    throw .status(failure)
                }
                return "token"
            }
        }
    }

    @Test func `a refused secret is told of again, and not sent again`() async throws {
        let server = Server()
        for _ in 1...20 {
            let error = await #expect(throws: APIError.self) { try await server.login("wrong") }
            #expect(error?.description == "POST was answered 401: wrong password")
        }
        #expect(server.asked == 1)
    }

    @Test func `the pause grows to four hours`() async throws {
        let server = Server()
        for pause: Int64 in [1, 4, 16, 64, 240, 240] {
            _ = try? await server.login("wrong")
            let asked = server.asked
            server.pass(minutes: pause - 1)
            _ = try? await server.login("wrong")
            #expect(server.asked == asked)
            server.pass(minutes: 1)
        }
        #expect(server.asked == 6)
    }

    @Test func `a changed secret is tried at once, and ends it`() async throws {
        let server = Server()
        _ = try? await server.login("wrong")
        #expect(try await server.login("right") == "token")
        #expect(server.memory.load() == nil)
    }

    @Test func `what is no refusal of the secret is tried again at once`() async throws {
        let server = Server()
        for _ in 1...3 { _ = try? await server.login("wrong", refusal: 503) }
        #expect(server.asked == 3)
    }
}
