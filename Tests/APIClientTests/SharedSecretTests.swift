import APIClient
import APIClientTesting
import Synchronization
import Testing
import Text

/// The secret that all lists of a server share, where the server refuses it.
@Suite struct SharedSecretTests {
    /// A server that reads `/open` and `/closed` with some secrets.
    private final class World: Sendable {
        let mock = MockTransport { Issue.record("\($0)") }
        private let minutes = Mutex<Int64>(1000)
        private let secret = Mutex("wrong")
        private let client = Mutex<ListClient?>(nil)

        init() {
            let held = HeldSecret(milliseconds: { [self] in minutes.withLock { $0 } * 60_000 }) {
                [self] () throws(APIError) in secret.withLock { $0 }
            }
            client.withLock {
                $0 = ListClient(
                    baseURL: .localhost, credential: .bearer(held), fields: [], limits: .standard,
                    userAgent: "", transport: mock, secrets: Secrets())
            }
        }

        func write(_ text: String) { secret.withLock { $0 = text } }
        func pass(minutes: Int64) { self.minutes.withLock { $0 += minutes } }

        /// Whether the list was read.
        func read(_ list: String, answered answer: MockAnswer? = nil) async -> Bool {
            if let answer { mock.replace(.get, list, answer) }
            guard let client = client.withLock({ $0 }) else { return false }
            return (try? await client.pull(list, validators: nil)) != nil
        }
    }

    private static let refusal = MockAnswer.status(401)
    private static let rows = MockAnswer.json("[]")

    @Test func `a refusal counts for all lists, until the secret has changed`() async {
        let world = World()
        #expect(await !world.read("/open", answered: Self.refusal))
        for _ in 1...5 { #expect(await !world.read("/closed")) }
        #expect(world.mock.requests.count == 1)
        world.write("right")
        #expect(await world.read("/open", answered: Self.rows))
    }

    @Test func `after a pause it is tried again`() async {
        let world = World()
        #expect(await !world.read("/open", answered: Self.refusal))
        world.pass(minutes: 1)
        #expect(await world.read("/open", answered: Self.rows))
    }

    @Test func `a list that it never read, while it reads others, is refused for itself`() async {
        let world = World()
        #expect(await world.read("/open", answered: Self.rows))
        #expect(await !world.read("/closed", answered: Self.refusal))
        #expect(await world.read("/open", answered: Self.rows))
    }
}
