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
final class SinceRun: SmallRun {
    let plan: SincePlan
    var server: SinceServer
    var fates: [String: SinceFate] = [:]
    var made = 0
    var written: Int64 = 1000
    private var wasEmpty = false
    /// The ids that an answer of this cycle has shown.
    var shown: Set<Int64> = []
    /// The rows at the server that the table has had.
    var living: Set<String> = []

    init(_ plan: SincePlan, cache: RestartableCache, isTraced: Bool) throws {
        self.plan = plan
        server = SinceServer(plan.setting)
        super.init(madness: plan.madness, cache: cache, isTraced: isTraced)
        let random = SeededRandom(seed: plan.seed)
        for number in 0..<(3 + random.index(10)) {
            let title = "t\(number)"
            // An import has one moment for all rows.
            _ = server.add(title, Int64(number), at: random.happens(70) ? Int64(number) * 2000 : 0)
            fates[title] = SinceFate(isOurs: false)
        }
        try cache.empty()
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

    override func others(_ random: SeededRandom) { change(random) }

    override func apply(_ request: HTTPRequest, isHeard: Bool, isLate: Bool) -> HTTPResponse {
        serve(request, isHeard: isHeard, isLate: isLate)
    }

    private func perform(_ step: SinceStep) async {
        let random = SeededRandom(seed: step.seed)
        switch step.event {
        case .program: program(random)
        case .others: others(random)
        case .lateArrival:
            letArrive(random)
        case .timePasses(let milliseconds): pass(milliseconds)
        case .cycle:
            pass([0, 1100, 61_000, 61_000, 301_000][random.index(5)])
            await cycle(random, isUnkind: step.isUnkind)
        }
    }

    // MARK: syncd

    func cycle(_ random: SeededRandom, isUnkind: Bool, isAsked: Bool = false) async {
        shown = []
        if isUnkind {
            // Twice in a row would be believed, and so would once where few rows were.
            let synced = rows("SELECT title FROM notes WHERE _server_id IS NOT NULL").count
            if plan.unkindness.contains(.emptyOnce), !wasEmpty, synced > 3, random.happens(15) {
                (wasEmpty, server.isEmptyOnce) = (true, true)
            }
            if plan.unkindness.contains(.forgets) { server.forgetsOnce = random.happens(20) }
        }
        let cause: CycleCause =
            isAsked
            ? .asked(acceptsRemovals: true) : random.happens(30) ? .localWrite : .scheduled
        await cycle(of: "notes", because: cause, random, isUnkind: isUnkind)
        server.isEmptyOnce = false
        server.forgetsOnce = false
        checkMark()
        checkLiving()
        noteCache()
    }

    // MARK: The cache

    private func noteCache() {
        guard isTraced else { return }
        note("  notes \(rows("SELECT _id, _server_id, title, value, _state FROM notes"))")
        note("  outbox \(rows("SELECT seq, op, title, state FROM outbox ORDER BY seq"))")
        let columns = "mark, candidate, candidate_ms, newest, whole_ms, whole_wanted, missed"
        note("  \(rows("SELECT \(columns) FROM sync_state WHERE list = 'notes'"))")
        note("  server \(server.rows.map(server.text))")
    }
}
