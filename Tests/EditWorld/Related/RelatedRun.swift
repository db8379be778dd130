import APIClient
import Declarations
import Host
import ReferenceAPI
import Rules
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport
import Text

/// Random writes of a program, of another client and of a bad network, to projects and tasks that refer to one
/// another.
///
/// One serial executor runs all of it.
final class RelatedRun {
    static let timeout: Int64 = 10_000
    static let lists = RelatedServer.List.allCases

    let plan: RelatedPlan
    let cache: RestartableCache
    let isTraced: Bool
    private(set) var now: Int64 = 3_600_000
    var server: RelatedServer
    var fates: [String: RelatedFate] = [:]
    var made = 0
    /// What reaches the server when this moment has come, or before that.
    var late: [(request: HTTPRequest, until: Int64)] = []
    /// What is drawn in the step that is under way; nil while everything works.
    var unkindness: SeededRandom?
    private(set) var isDead = false
    /// The processes that have died.
    private(set) var lives = 0
    /// How many requests the cycle has sent, and how often it has looked at the clock.
    var requests = 0
    private var looks = 0
    private var dyingLook: Int?
    /// When the newest list that was heard had been made.
    var listed: [RelatedServer.List: Int64] = [:]
    private(set) var problems: [String] = []
    private(set) var trace: [String] = []

    init(_ plan: RelatedPlan, cache: RestartableCache, isTraced: Bool) throws {
        (self.plan, self.cache, self.isTraced) = (plan, cache, isTraced)
        let random = SeededRandom(seed: plan.seed)
        // Ids that are small, and others than the numbers here.
        let projects = (1...3).map { #"{"id":\#(4 - $0),"title":"p\#($0)"}"# }
        let tasks = (1...4).map { number in
            let below = number > 2 && random.happens(50) ? "\(7 - number)" : "null"
            return
                #"{"id":\#(5 - number),"title":"t\#(number)","project_id":\#(1 + random.index(3)),"parent_id":\#(below)}"#
        }
        server = RelatedServer(plan, projects: projects, tasks: tasks)
        for title in server.titles { fates[title] = RelatedFate(isOurs: false) }
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
        note(
            "seed \(plan.seed): \(plan.rule.rawValue), \(plan.declaration), ids again \(plan.reusesIDs)"
        )
        note("\(server.rows(.projects)), \(server.rows(.tasks))")
        await cycle(.projects, SeededRandom(seed: plan.seed), isUnkind: false)
        await cycle(.tasks, SeededRandom(seed: plan.seed), isUnkind: false)
        for step in plan.steps {
            await perform(step)
            guard problems.isEmpty else { return }
        }
        await heal()
    }

    private func perform(_ step: RelatedStep) async {
        let random = SeededRandom(seed: step.seed)
        switch step.event {
        case .program: program(random)
        case .others: others(random)
        case .decision: decide(random)
        case .lateArrival:
            guard !late.isEmpty else { return }
            arrive(late.remove(at: random.index(late.count)).request)
        case .timePasses(let milliseconds): pass(milliseconds)
        case .cycle(let ofTasks):
            pass([0, 1100, 12_000, 61_000][random.index(4)])
            await cycle(ofTasks ? .tasks : .projects, random, isUnkind: step.isUnkind)
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
        _ = apply(request)
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

    func cycle(_ list: RelatedServer.List, _ random: SeededRandom, isUnkind: Bool) async {
        unkindness = isUnkind ? random : nil
        dyingLook = isUnkind && random.happens(plan.madness / 5) ? 1 + random.index(14) : nil
        (requests, looks) = (0, 0)
        note("cycle of \(list)")
        do {
            let report = try await synchronizer(random).cycle(
                ListName(kept: list.rawValue),
                because: isUnkind ? .scheduled : .asked(acceptsRemovals: true))
            note("\(report.state) \(report.error ?? "")")
        } catch {
            note("the cycle ends: \(error)")
            blame("CYCLE: a cycle fails: \(error)")
        }
        unkindness = nil
        dyingLook = nil
        if isDead {
            isDead = false
            lives += 1
            note("restart")
            do { try cache.reopen() } catch { blame("REOPEN: \(error)") }
            checkInvariants()
        }
        noteCache()
    }

    /// They take as long as ten cycles.
    func checkInvariants() {
        do {
            let broken = try cache.with { try StoreInvariants.violations(in: $0) }
            for law in broken { blame("INVARIANT: \(law)") }
        } catch {
            blame("INVARIANT: they cannot be looked at: \(error)")
        }
    }

    private func synchronizer(_ random: SeededRandom) throws -> Synchronizer {
        let timeout = Duration.milliseconds(Self.timeout)
        let sources = try cache.tables.map { table in
            ListSource(
                table: table,
                client: ListClient(
                    baseURL: try BaseURL("http://127.0.0.1:8080"),
                    credential: .bearer(HeldSecret { () throws(APIError) in "token" }), fields: [],
                    limits: RequestLimits(timeout: timeout, maxBodyBytes: 1 << 20), userAgent: "",
                    transport: RelatedNetwork(self), secrets: Secrets()),
                lanes: ServerLanes(most: plan.lanes),
                writing: .init(
                    account: Account(baseURL: "http://127.0.0.1:8080", email: "one"),
                    timeout: timeout))
        }
        return Synchronizer(
            store: cache.store, lists: sources, time: RelatedClock(self), random: random,
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
        note("  projects \(rows("SELECT _id, _server_id, title, _state FROM projects"))")
        note("  tasks \(rows("SELECT _id, _server_id, title, list, parent, _state FROM tasks"))")
        note("  outbox \(rows("SELECT seq, op, list, title, state FROM outbox ORDER BY seq"))")
        let columns = "seq, kind, row_id, state, stage, fields, sent"
        note("  operations \(rows("SELECT \(columns) FROM operation ORDER BY seq"))")
    }
}
