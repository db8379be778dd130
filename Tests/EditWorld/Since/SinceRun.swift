import APIClient
import Declarations
import Host
import Rules
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport
import Text

/// Random writes of a program and of another client to a list of which only changes are asked for, at a server that can
/// be unkind, behind a bad network.
///
/// One serial executor runs all of it.
final class SinceRun {
    static let timeout: Int64 = 10_000

    let plan: SincePlan
    let cache: RestartableCache
    let isTraced: Bool
    private(set) var now: Int64 = 3_600_000
    private(set) var boots = 1
    private(set) var bootedAt: Int64 = 0
    var server: SinceServer
    var fates: [String: SinceFate] = [:]
    var made = 0
    var written: Int64 = 1000
    /// What reaches the server when this moment has come, or before that.
    var late: [(request: HTTPRequest, until: Int64)] = []
    /// What is drawn in the step that is under way; nil while everything works.
    var unkindness: SeededRandom?
    private(set) var isDead = false
    private(set) var lives = 0
    private var wasEmpty = false
    var requests = 0
    private var looks = 0
    private var dyingLook: Int?
    /// The ids that an answer of this cycle has shown.
    var shown: Set<Int64> = []
    /// The rows at the server that the table has had.
    var living: Set<String> = []
    private(set) var problems: [String] = []
    private(set) var trace: [String] = []

    init(_ plan: SincePlan, cache: RestartableCache, isTraced: Bool) throws {
        (self.plan, self.cache, self.isTraced) = (plan, cache, isTraced)
        server = SinceServer(plan.setting)
        let random = SeededRandom(seed: plan.seed)
        for number in 0..<(3 + random.index(10)) {
            let title = "t\(number)"
            // An import has one moment for all rows.
            _ = server.add(title, Int64(number), at: random.happens(70) ? Int64(number) * 2000 : 0)
            fates[title] = SinceFate(isOurs: false)
        }
        try cache.empty()
    }

    func note(_ line: @autoclosure () -> String) {
        if isTraced { trace.append("\(now - 3_600_000): \(line())") }
    }

    func blame(_ law: String) {
        problems.append(law)
        note("!! \(law)")
    }

    func run() async {
        note("seed \(plan.seed): \(plan.setting), \(plan.unkindness.map(\.rawValue).sorted())")
        server.unkindness = plan.unkindness
        await cycle(SeededRandom(seed: plan.seed), isUnkind: false)
        pass(301_000)
        await cycle(SeededRandom(seed: plan.seed), isUnkind: false)
        for step in plan.steps {
            await perform(step)
            guard problems.isEmpty else { return }
        }
        await heal()
    }

    private func perform(_ step: SinceStep) async {
        let random = SeededRandom(seed: step.seed)
        switch step.event {
        case .program: program(random)
        case .others: others(random)
        case .lateArrival:
            guard !late.isEmpty else { return }
            arrive(late.remove(at: random.index(late.count)).request)
        case .timePasses(let milliseconds): pass(milliseconds)
        case .cycle:
            pass([0, 1100, 61_000, 61_000, 301_000][random.index(5)])
            await cycle(random, isUnkind: step.isUnkind)
        }
    }

    // MARK: Time

    func pass(_ milliseconds: Int64) {
        let next = now + milliseconds
        while let index = late.firstIndex(where: { $0.until <= next }) {
            let request = late.remove(at: index)
            now = max(now, request.until)
            arrive(request.request)
        }
        now = next
    }

    private func arrive(_ request: HTTPRequest) {
        note("late:")
        _ = apply(request, isLate: true)
    }

    /// syncd looks at the clock: the moment before a commit, or after one.
    func look() {
        looks += 1
        if looks == dyingLook { die() }
    }

    func die() {
        guard !isDead, let isOver = try? cache.die(), isOver else { return }
        isDead = true
        note("syncd dies")
    }

    // MARK: syncd

    func cycle(_ random: SeededRandom, isUnkind: Bool, isAsked: Bool = false) async {
        unkindness = isUnkind ? random : nil
        dyingLook = isUnkind && random.happens(plan.madness / 4) ? 1 + random.index(14) : nil
        (requests, looks, shown) = (0, 0, [])
        if isUnkind {
            // Twice in a row would be believed, and so would once where few rows were.
            let synced = rows("SELECT title FROM notes WHERE _server_id IS NOT NULL").count
            if plan.unkindness.contains(.emptyOnce), !wasEmpty, synced > 3, random.happens(15) {
                (wasEmpty, server.isEmptyOnce) = (true, true)
            }
            if plan.unkindness.contains(.forgets) { server.forgetsOnce = random.happens(20) }
        }
        note("cycle")
        do {
            let cause: CycleCause =
                isAsked
                ? .asked(acceptsRemovals: true) : random.happens(30) ? .localWrite : .scheduled
            let report = try await synchronizer(random).cycle(
                ListName(kept: "notes"), because: cause)
            note("\(report.state) \(report.error ?? "")")
        } catch {
            note("the cycle ends: \(error)")
            blame("CYCLE: a cycle fails: \(error)")
        }
        unkindness = nil
        dyingLook = nil
        server.isEmptyOnce = false
        server.forgetsOnce = false
        if isDead {
            isDead = false
            lives += 1
            if random.happens(40) {
                boots += 1
                bootedAt = now
            }
            note("restart, boot \(boots)")
            do { try cache.reopen() } catch { blame("REOPEN: \(error)") }
        }
        checkMark()
        checkLiving()
        noteCache()
    }

    private func synchronizer(_ random: SeededRandom) throws -> Synchronizer {
        let timeout = Duration.milliseconds(Self.timeout)
        let source = ListSource(
            table: cache.tables[0],
            client: ListClient(
                baseURL: try BaseURL("http://127.0.0.1:8080"), credential: .none, fields: [],
                limits: RequestLimits(timeout: timeout, maxBodyBytes: 1 << 20), userAgent: "",
                transport: SinceNetwork(self), secrets: Secrets()),
            lanes: ServerLanes(most: 1),
            writing: .init(
                account: Account(baseURL: "http://127.0.0.1:8080", email: "one"), timeout: timeout))
        return Synchronizer(
            store: cache.store, lists: [source], time: SinceClock(self), random: random,
            backoff: .standard, stop: StopSignal(), tell: { _ in })
    }

    // MARK: The cache

    /// The rows of a query, its columns joined; nil as `-`.
    func rows(_ sql: String) -> [String] {
        do {
            return try cache.with { connection in
                try connection.all(sql) { row in
                    (0..<row.columnCount).map { row.textOrNil($0) ?? "-" }.joined(separator: "|")
                }
            }
        } catch {
            blame("SQL: \(sql): \(error)")
            return []
        }
    }

    private func noteCache() {
        guard isTraced else { return }
        note("  notes \(rows("SELECT _id, _server_id, title, value, _state FROM notes"))")
        note("  outbox \(rows("SELECT seq, op, title, state FROM outbox ORDER BY seq"))")
        let columns = "mark, candidate, candidate_ms, newest, whole_ms, whole_wanted, missed"
        note("  \(rows("SELECT \(columns) FROM sync_state WHERE list = 'notes'"))")
        note("  server \(server.rows.map(server.text))")
    }
}
