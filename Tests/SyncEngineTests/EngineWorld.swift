import APIClient
import APIClientTesting
import Declarations
import Foundation
import Host
import Migrations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Always the largest number: a backoff is its ceiling, a jitter is a tenth of the interval.
struct FullRandom: RandomSource {
    func number(upTo bound: Int64) -> Int64 { max(bound, 0) }
}

/// One machine with a cache in memory and the reference server, whose network a test scripts.
///
/// Timeout 10 s, so that doubt settles after a minute; interval 60 s, less 6 s of jitter.
final class EngineWorld {
    static let email = "demo@example.com"

    let time = VirtualTime()
    let server: ScriptedServer
    let tokens = MemoryTokenStore()
    var store: CacheStore
    var stop = StopSignal()
    var usesKeys = false
    var concurrency = 4
    var interval = Duration.seconds(60)
    var timeout = Duration.seconds(10)
    var password = "demo"
    var account = Account(baseURL: "http://127.0.0.1:8080", email: email)
    private let executor = QueueExecutor(label: "engine tests")
    private var session: TodosSession?
    /// Where the cache is, for a world that can die.
    private let folder: TemporaryDirectory?
    private var lives = 0

    /// The rows are at the server, in this order, with the ids 1, 2, 3 …
    init(
        _ rows: String..., behaviour: ReferenceBehaviour = ReferenceBehaviour(),
        usesKeys: Bool = false, onDisk: Bool = false, patience: Duration = .seconds(2),
        longestPull: Duration = .seconds(60)
    ) throws {
        var behaviour = behaviour
        behaviour.honoursIdempotencyKeys = usesKeys
        self.usesKeys = usesKeys
        var reference = ReferenceServer(
            state: ReferenceState(), behaviour: behaviour,
            movies: .generated(count: 60, seed: 1, overlap: false, dates: true))
        reference.addUser(name: "Demo", email: Self.email, password: "demo")
        for row in rows { reference.addTodo(owner: Self.email, title: row) }
        server = ScriptedServer(reference, time: time)
        folder = onDisk ? try TemporaryDirectory() : nil
        let place = try folder.map { CacheStore.Place.file(try $0.write("0")) }
        store = try CacheStore(
            place ?? .memory, migrations: Migration.all, maxBodyBytes: 1 << 20,
            executor: executor, patience: patience, longestPull: longestPull,
            now: time.wallTime(), whileMigrating: {})
    }

    /// The file of the cache in a world on the disk, as long as nobody has died.
    func cachePath() throws -> String { try #require(folder).path(of: "0") }

    // MARK: What people do

    /// Queues todos, as a script does.
    func add(_ titles: String...) async throws { _ = try await store.addTodos(titles) }

    /// Deletes the first visible todo of this title.
    func remove(_ title: String) async throws {
        let todo = try #require(try await store.todos(search: nil).first { $0.title == title })
        try await store.removeTodos([todo.id])
    }

    /// Another client of the account.
    func addAtServer(_ titles: String...) {
        server.withServer { server in
            for title in titles { server.addTodo(owner: Self.email, title: title) }
        }
    }

    func removeAtServer(_ id: Int64) {
        server.withServer { _ = $0.removeTodo(.integer(id)) }
    }

    // MARK: What the engine does

    func synchronizer(
        lists: [ListSource] = [], time other: (any TimeSource)? = nil,
        tell: @escaping @Sendable (CycleStep) -> Void = { _ in }
    ) throws -> Synchronizer {
        Synchronizer(
            store: store, lists: lists + [try todosSource()], time: other ?? time,
            random: FullRandom(), backoff: .standard, stop: stop, tell: tell)
    }

    func todosSource() throws -> ListSource {
        ListSource.todos(
            session: try currentSession(), account: account, interval: interval,
            concurrency: concurrency, honoursIdempotencyKeys: usesKeys, timeout: timeout)
    }

    @discardableResult
    func sync(_ cause: CycleCause = .scheduled) async throws -> CycleReport {
        let report = try await run(.todos, cause, on: try synchronizer())
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations.isEmpty)
        return report
    }

    /// One cycle on one serial executor, so that requests that overlap come in one order.
    func run(
        _ list: ListName, _ cause: CycleCause, on engine: Synchronizer
    ) async throws -> CycleReport {
        try await withTaskExecutorPreference(executor) {
            try await engine.cycle(list, because: cause)
        }
    }

    /// Goes on to when the next cycle is due, and runs it.
    @discardableResult
    func syncWhenDue() async throws -> CycleReport {
        time.advance(to: try await synchronizer().due(.todos))
        return try await sync()
    }

    /// Two lists, a minute apart: what neither of them shows is absent.
    func syncTwice() async throws {
        try await sync()
        time.advance(by: .seconds(60))
        try await sync()
    }

    private func currentSession() throws -> TodosSession {
        if let session { return session }
        let client = TodosClient(
            baseURL: try BaseURL("http://127.0.0.1:8080"),
            limits: RequestLimits(timeout: .seconds(10), maxBodyBytes: 1 << 20),
            userAgent: "syncd-tests", transport: server)
        let made = TodosSession(
            client: client, email: Self.email, password: password, tokens: tokens)
        session = made
        return made
    }

    /// The process ends and begins again; the stored token stays.
    func restart() { session = nil }

    /// The process dies while `line` is at the server, which does `act` with it; a new one opens
    /// what was on the disk at that moment. Only where nothing else is under way.
    func die(during line: String, _ act: ScriptedServer.Act) async throws {
        let folder = try #require(folder)
        let old = folder.path(of: "\(lives)")
        lives += 1
        let new = folder.path(of: "\(lives)")
        server.next(
            line,
            .after(
                {
                    do {
                        for suffix in ["", "-wal"] {
                            try FileManager.default.copyItem(
                                atPath: old + suffix, toPath: new + suffix)
                        }
                    } catch {
                        Issue.record(error)
                    }
                }, act))
        try await sync()
        store = try CacheStore(
            .file(new), migrations: Migration.all, maxBodyBytes: 1 << 20, executor: executor,
            patience: .seconds(2), now: time.wallTime(), whileMigrating: {})
        restart()
    }

    // MARK: What there is

    /// The whole state: rows at the server as `1 milk`, todos as `milk synced 1`, operations as
    /// `create milk in doubt`, the state of the list, and why its replay stopped.
    func expect(
        server: [String], todos: [String], outbox: [String] = [], status: String = "ok",
        halt: SyncState? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let rows = self.server.withServer { $0.state.todos.map { "\($0.id) \($0.title)" } }
        #expect(rows == server, "at the server", sourceLocation: sourceLocation)
        let cached = try await store.todos(search: nil).map {
            "\($0.title) \($0.state)\($0.serverID.map { " \($0)" } ?? "")"
        }
        #expect(cached == todos, "in the cache", sourceLocation: sourceLocation)
        let queue = try await store.outbox().map { "\($0.kind) \($0.title) \($0.state)" }
        #expect(queue == outbox, "in the queue", sourceLocation: sourceLocation)
        let row = try await store.status().first { $0.list == "todos" }
        #expect(row?.state == status, "in the status", sourceLocation: sourceLocation)
        #expect(row?.halt?.state == halt, "of the replay", sourceLocation: sourceLocation)
    }

    /// Seconds from now until the next cycle of the todos is due.
    func secondsUntilDue() async throws -> Double {
        let due = try await synchronizer().due(.todos)
        return Double(due.milliseconds - time.bootTime().milliseconds) / 1000
    }

    /// The local id of the first visible todo of this title.
    func id(of title: String) async throws -> TodoID {
        try #require(try await store.todos(search: nil).first { $0.title == title }).id
    }

    func count(_ line: String) -> Int { server.lines.filter { $0.hasPrefix(line) }.count }
}

@available(*, unavailable) extension EngineWorld: Sendable {}
