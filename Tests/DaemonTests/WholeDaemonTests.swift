import APIClient
import APIClientTesting
import Daemon
import Declarations
import Host
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// The daemon over the real engine and the reference server.
@Suite(.timeLimit(.minutes(3))) struct WholeDaemonTests {
    let rig: Rig
    let server: FaultyServer
    let email = "demo@example.com"

    init() throws {
        rig = try Rig()
        var reference = ReferenceServer(
            state: ReferenceState(), behaviour: ReferenceBehaviour(),
            movies: .generated(count: 40, seed: 1, overlap: false, dates: true))
        reference.addUser(name: "Demo", email: "demo@example.com", password: "demo")
        server = FaultyServer(
            server: reference, time: rig.time, random: SeededRandom(seed: 1), lateness: .zero)
    }

    private func synchronizer(
        _ transport: any Transport, password: String = "demo"
    ) throws -> Synchronizer {
        let base = try BaseURL("http://127.0.0.1:8080")
        let limits = RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20)
        let client = TodosClient(
            baseURL: base, limits: limits, userAgent: "", transport: transport)
        let movies = ListSource.movies(
            at: try BaseURL("http://127.0.0.1:8080/3"), limits: limits, userAgent: "",
            over: transport, interval: .seconds(3600))
        return Synchronizer(
            store: rig.store.cache,
            lists: [
                .todos(
                    session: TodosSession(
                        client: client, email: email, password: password, tokens: MemoryTokenStore()
                    ),
                    account: Account(baseURL: base.description, email: email),
                    interval: .seconds(60), concurrency: 4, honoursIdempotencyKeys: false,
                    timeout: .seconds(10)), movies,
            ], time: rig.time,
            random: SeededRandom(seed: 1), backoff: .standard, stop: rig.stop,
            tell: { _ in })
    }

    private func titlesAtServer() -> [String] {
        server.withServer { [email] in $0.state.todos(email: email).map(\.title) }
    }

    /// Asks for a cycle as `syncd sync` does, and waits for the answer.
    private func requested(_ list: ListName?) async throws {
        let before = rig.store.state.value.finished.count
        _ = try await rig.store.cache.requestSync(of: list, acceptsRemovals: false)
        rig.wakes.send(.syncNow)
        await rig.store.state.wait { $0.finished.count > before }
    }

    @Test func `what was added offline is at the server after one signal`() async throws {
        let cache = rig.store.cache
        _ = try await cache.addTodos(["milk", "bread"])
        let ended = try await rig.run(rig.daemon(try synchronizer(server))) {
            try await requested(nil)
            #expect(Set(titlesAtServer()) == ["milk", "bread"])
            _ = try await cache.addTodos(["salt"])
            try await requested(.todos)
            #expect(titlesAtServer().contains("salt"))
        }
        #expect(throws: Never.self) { try ended.get() }
        let states = Dictionary(
            uniqueKeysWithValues: try await cache.status().map { ($0.list, $0) })
        #expect(states["movies"]?.state == "ok" && states["movies"]?.rows == 40)
        #expect(states["todos"]?.state == "ok")
        #expect(try await cache.queueCounts().total == 0)
    }

    @Test func `a restart before the due time makes no request`() async throws {
        _ = try await rig.run(rig.daemon(try synchronizer(server))) { try await requested(nil) }
        let before = server.trace.count
        let again = try Rig.Again(rig)
        _ = try await again.run(try synchronizer(server)) {
            await again.ticker.armed.wait { $0 != nil }
        }
        #expect(server.trace.count == before && before > 0)
    }

    @Test func `mended credentials are used after a reload, and told once`() async throws {
        let good = try synchronizer(server)
        let daemon = rig.daemon(try synchronizer(server, password: "wrong")) {
            _ throws(ReloadError) in good
        }
        _ = try await rig.store.cache.addTodos(["milk"])
        _ = try await rig.run(daemon) {
            try await requested(.todos)
            try await requested(.todos)
            #expect(titlesAtServer() == [])
            rig.wakes.send(.reload)
            await rig.reloads.wait { $0 == 1 }
            try await requested(.todos)
            #expect(titlesAtServer() == ["milk"])
        }
        let lines = rig.pipe.lines().filter { $0.contains("needs credentials") }
        #expect(lines.count == 1)
    }

    @Test func `a stop during a stalled create leaves it in doubt, not lost`() async throws {
        let transport = MockTransport { Issue.record("\($0)") }
        transport.on(.post, "/login", .json(#"{"string":"token"}"#))
        transport.on(.get, "/todos", .json("[]"))
        transport.on(.post, "/todos", .held(MockGate(), then: .status(500)))
        transport.on(.get, "/3/movie/upcoming?page=1", .status(503))
        _ = try await rig.store.cache.addTodos(["milk"])
        let ended = try await rig.run(rig.daemon(try synchronizer(transport))) {
            while !transport.requests.contains(where: { $0.target == "/todos" && $0.body != nil }) {
                await transport.waitForRequests(transport.requests.count + 1)
            }
            rig.wakes.send(.stop)
            await rig.armed(in: 3)
            try rig.tick()
        }
        #expect(throws: Never.self) { try ended.get() }
        #expect(rig.ends.value == [])
        let outbox = try await rig.store.cache.outbox()
        #expect(outbox.map(\.title) == ["milk"] && outbox.map(\.state) == ["in doubt"])
    }
}
