import APIClient
import APIClientTesting
import Foundation
package import Host
import Migrations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import Synchronization

/// How a simulated world is made.
package struct SimulationPlan: Sendable, Hashable, CustomStringConvertible {
    package var seed: UInt64
    package var rates = FaultRates.bad
    package var steps = 100
    /// Both ends: the server honours keys, and the configuration says so.
    package var usesKeys = false
    package var reusesIDs = true
    package var crashes = true
    package var reboots = true
    /// The server changes titles within folding.
    package var altersTitles = false
    /// The server forgets everything now and then, tokens and the account too.
    package var forgets = false

    package init(seed: UInt64) { self.seed = seed }

    package var description: String {
        "seed \(seed)\(usesKeys ? " with keys" : "")\(altersTitles ? ", altered titles" : "")"
            + (forgets ? ", a server that forgets" : "")
    }
}

/// A person, a script and another client who change todos, the real engine on a real store, and a
/// bad server, all under one seed and one virtual clock. Everything runs on one serial executor,
/// so that a seed repeats its run.
package final class Simulation {
    static let email = "demo@example.com"
    static let timeout = Duration.seconds(10)
    static let interval = Duration.seconds(60)

    let plan: SimulationPlan
    let time = VirtualTime()
    let random: SeededRandom
    let person: Person
    let crash = CrashPoint()
    package let server: FaultyServer
    private let executor: QueueExecutor
    private let folder: URL
    private let tokens = MemoryTokenStore()
    private var store: CacheStore
    private var path: String
    private var generation = 0
    private var othersRows: [ReferenceID] = []

    /// What happened, one line each: the same for the same seed.
    package var log: [String] { person.log }

    /// The world of `plan`, with an empty cache and a few rows at the server.
    package init(_ plan: SimulationPlan, executor: QueueExecutor) throws {
        self.plan = plan
        self.executor = executor
        random = SeededRandom(seed: plan.seed)
        person = Person(
            random: random, foldsTitles: plan.altersTitles, usesFreshTitles: plan.forgets)
        var behaviour = ReferenceBehaviour()
        behaviour.seed = plan.seed
        behaviour.ids = plan.reusesIDs ? .reusedIntegers : .freshIntegers
        behaviour.honoursIdempotencyKeys = plan.usesKeys
        behaviour.entityTags = plan.seed % 2 == 0
        behaviour.listOrder = plan.seed % 3 == 0 ? .oldestFirst : .shuffled
        if plan.altersTitles {
            behaviour.altersTitles = plan.seed % 2 == 0 ? .collapsed : .trimmed
        }
        behaviour.deleteAnswer = plan.seed % 5 == 0 ? .empty : .todo
        var reference = ReferenceServer(
            state: ReferenceState(), behaviour: behaviour,
            movies: .generated(count: 40, seed: 1, overlap: false, dates: true))
        reference.addUser(name: "Demo", email: Self.email, password: "demo")
        server = FaultyServer(
            server: reference, time: time, random: random, lateness: Self.timeout * 0.9)
        folder = try Self.makeFolder()
        path = folder.appendingPathComponent("cache-0").path
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        store = try Self.open(path, executor: executor, now: time.wallTime())
        try person.open(path)
        for index in 0..<random.index(15) { addAtServer("first-\(index)") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // A left-over harms nobody.

    private static func makeFolder() throws -> URL {
        // Memory where there is a file system in it: the runs are about order, not about the disk.
        let parent =
            FileManager.default.isWritableFile(atPath: "/dev/shm")
            ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory
        let folder = parent.appendingPathComponent("syncd-simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func open(
        _ path: String, executor: QueueExecutor, now: WallTime
    ) throws -> CacheStore {
        try CacheStore(
            .file(path), migrations: Migration.all, maxBodyBytes: 1 << 20, executor: executor,
            now: now)
    }

    /// Runs the plan, then heals the world and returns what is wrong, empty when nothing is.
    package func run() async throws -> [String] {
        server.setRates(plan.rates)
        for _ in 0..<plan.steps { try await step() }
        return try await healAndCompare()
    }

    private func step() async throws {
        switch random.index(12) {
        case 0, 1, 2: try person.add()
        case 3, 4: try person.remove()
        case 5: otherClientActs()
        case 6: time.advance(by: .milliseconds(random.number(upTo: 30_000)))
        case 7 where plan.reboots && random.happens(20): reboot()
        case 7 where plan.forgets && random.happens(20): try forget()
        case 7 where random.happens(20):
            time.advance(by: .seconds(5 * 3600))
            person.note("the token expires")
        case 7 where random.happens(50): try person.mend()
        default: try await cycle()
        }
    }

    /// Another client adds rows of its own titles, and deletes only those: anything else is a
    /// residue that the documents name.
    private func otherClientActs() {
        if random.happens(60) || othersRows.isEmpty {
            addAtServer(person.freshTitle("other"))
        } else {
            let id = othersRows.remove(at: random.index(othersRows.count))
            let title = server.withServer { server -> String? in
                // The id may be another row's by now.
                let title = server.state.todos.first { $0.id == id }?.title
                guard let title, title.hasPrefix("other-") || title.hasPrefix("first-") else {
                    return nil
                }
                return server.removeTodo(id) ? title : nil
            }
            guard let title else { return }
            person.expect(0, of: title)
            person.note("other client removes \(title)")
        }
    }

    private func addAtServer(_ title: String) {
        guard let id = server.withServer({ $0.addTodo(owner: Self.email, title: title) }) else {
            return
        }
        othersRows.append(id)
        person.expect(1, of: title)
        person.note("other client adds \(title) as \(id)")
    }

    private func reboot() {
        server.settleLate()
        time.reboot()
        person.note("reboot")
    }

    /// What the server kept in memory is gone; its operator makes the account again.
    private func forget() throws {
        server.withServer { server in
            server.forgetEverything()
            server.addUser(name: "Demo", email: Self.email, password: "demo")
        }
        othersRows = []
        try person.noteAmnesia()
    }

    private func synchronizer() throws -> Synchronizer {
        let client = TodosClient(
            baseURL: try BaseURL("http://127.0.0.1:8080"),
            limits: RequestLimits(timeout: Self.timeout, maxBodyBytes: 1 << 20),
            userAgent: "syncd-simulation", transport: server)
        let session = TodosSession(
            client: client, email: Self.email, password: "demo", tokens: tokens)
        let source = TodosSource(
            session: session,
            account: Account(baseURL: client.baseURL.description, email: Self.email),
            interval: Self.interval, concurrency: 1 + random.index(5),
            honoursIdempotencyKeys: plan.usesKeys, timeout: Self.timeout)
        return Synchronizer(
            store: store, todos: source, movies: nil, time: time, random: random,
            backoff: .standard, stop: StopSignal())
    }

    private func cycle() async throws {
        let cause: CycleCause =
            switch random.index(3) {
            case 0: .scheduled
            case 1: .localWrite
            default: .asked(acceptsRemovals: random.happens(20))
            }
        if plan.crashes, random.happens(25) { armCrash() }
        let (crash, person, server, random) = (crash, person, server, random)
        server.onMoment {
            if crash.pass() { server.setCutOff(true) }
            // Scripts write whenever they like. What they would write after the death of the
            // process is written to an image that nobody goes on with.
            guard !server.isCutOff, random.happens(10) else { return }
            try? random.happens(60) ? person.add() : person.remove()
        }
        let report = try await synchronizer().cycle(.todos, because: cause)
        server.onMoment(nil)
        person.note("cycle \(cause): \(report.state) \(report.replay) \(report.error ?? "")")
        // A process that died told nobody when to come back.
        if !server.isCutOff { try checkQuiet(report) }
        try recover()
        try check()
        if random.happens(50) { time.advance(to: report.due) }
    }

    private func armCrash() {
        generation += 1
        crash.arm(
            after: random.index(12), source: path,
            target: folder.appendingPathComponent("cache-\(generation)").path)
    }

    /// Where a crash happened during the cycle, the world goes on from the image of that moment.
    private func recover() throws {
        guard let image = crash.takeImage() else { return }
        path = image
        store = try Self.open(path, executor: executor, now: time.wallTime())
        try person.open(path)
        server.setCutOff(false)
        person.note("crash and restart")
    }

    private func healAndCompare() async throws -> [String] {
        server.setRates(.none)
        try person.retryAll()
        for _ in 0..<60 {
            let report = try await synchronizer().cycle(.todos, because: .scheduled)
            person.note("healing: \(report.state) \(report.replay)")
            let left = try person.read { try $0.count("SELECT count(*) FROM outbox") }
            if left == 0, report.state == .ok { break }
            time.advance(to: report.due)
        }
        // One more pull, so that the cache shows what the server has now.
        time.advance(by: .seconds(61))
        _ = try await synchronizer().cycle(.todos, because: .scheduled)
        return try compare()
    }
}

/// A run that broke an invariant on the way.
package struct SimulationFailure: Error, CustomStringConvertible {
    package let description: String
}

@available(*, unavailable) extension Simulation: Sendable {}
