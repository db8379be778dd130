import APIClient
import Rules
import SyncEngine
import TestSupport

/// What became of a row, as far as anybody but syncd decides.
struct PartsFate {
    /// A program or another client has deleted it, or the row above it.
    var mayBeGone = false
    /// What the program wrote last, if nobody has written since.
    var wanted: Int64?
    /// The number that it had in the table first.
    var number: String?
}

/// Random writes of a program and of another client to a list below rows, at a server that can be unkind, behind a bad
/// network.
final class PartsRun: SmallRun {
    let plan: PartsPlan
    var server: PartsServer
    var fates: [String: PartsFate] = [:]
    var made = 0
    var written: Int64 = 1000
    /// The ids that an answer of this cycle has shown.
    var shown: Set<Int64> = []
    /// When a row last moved, until a list has shown it where it is.
    var moving: Set<String> = []
    private var wasEmpty = false

    init(_ plan: PartsPlan, cache: RestartableCache, isTraced: Bool) throws {
        self.plan = plan
        server = PartsServer(plan.setting)
        super.init(madness: plan.madness, cache: cache, isTraced: isTraced)
        let random = SeededRandom(seed: plan.seed)
        for number in 0..<(2 + random.index(4)) {
            let above = server.addAbove("a\(number)")
            for note in 0..<random.index(4) {
                let title = "t\(number)\(note)"
                _ = server.add(title, Int64(note), below: above.id, from: 0, isSilent: false)
                fates[title] = PartsFate()
            }
        }
        try cache.empty()
    }

    override func others(_ random: SeededRandom) { change(random) }

    override func apply(_ request: HTTPRequest, isHeard: Bool, isLate: Bool) -> HTTPResponse {
        serve(request, isHeard: isHeard, isLate: isLate)
    }

    func run() async {
        note("seed \(plan.seed): \(plan.setting), \(plan.unkindness.map(\.rawValue).sorted())")
        await cycles(SeededRandom(seed: plan.seed), isUnkind: false)
        for step in plan.steps {
            await perform(step)
            guard problems.isEmpty else { return }
        }
        await heal()
    }

    private func perform(_ step: PartsStep) async {
        let random = SeededRandom(seed: step.seed)
        switch step.event {
        case .program: program(random)
        case .others: others(random)
        case .lateArrival: letArrive(random)
        case .timePasses(let milliseconds): pass(milliseconds)
        case .cycle:
            pass([0, 1100, 61_000, 61_000, 301_000][random.index(5)])
            await cycles(random, isUnkind: step.isUnkind)
        }
    }

    func cycles(_ random: SeededRandom, isUnkind: Bool, isAsked: Bool = false) async {
        let names =
            isUnkind
            ? [["above", "notes"], ["above"], ["notes"]][random.index(3)] : ["above", "notes"]
        if isUnkind { spoil(random) }
        for name in names {
            shown = []
            let cause: CycleCause =
                isAsked
                ? .asked(acceptsRemovals: true) : random.happens(30) ? .localWrite : .scheduled
            await cycle(of: name, because: cause, random, isUnkind: isUnkind)
            guard problems.isEmpty else { return }
        }
        (server.statuses, server.empty, server.isAboveEmpty) = ([:], [], false)
        checkLiving()
        noteCache()
    }

    /// What is wrong with the server's answers in this step. Lists that are empty are believed when they come twice.
    private func spoil(_ random: SeededRandom) {
        let kinds = plan.unkindness
        for (kind, status) in [
            (PartsUnkindness.missing, 404), (.forbidden, 403), (.broken, 500), (.away, 503),
        ]
        where kinds.contains(kind) && random.happens(40) {
            guard let above = random.element(of: server.above) else { continue }
            server.statuses[above.id] = status
            // Nobody can see what has moved there.
            guard [403, 404].contains(status) else { continue }
            for row in server.rows where row.above == above.id && moving.contains(row.title) {
                fates[row.title]?.mayBeGone = true
            }
        }
        let synced = rows("SELECT 1 FROM above WHERE _server_id IS NOT NULL").count
        guard !wasEmpty, synced > 1 else { return }
        // What moves from a part to one that is wrong is missed at both.
        if kinds.contains(.emptyPart), moving.isEmpty, random.happens(20),
            let above = random.element(of: server.above)
        {
            (wasEmpty, server.empty) = (true, [above.id])
        } else if kinds.contains(.emptyAbove), random.happens(15) {
            (wasEmpty, server.isAboveEmpty) = (true, true)
        }
    }

    private func noteCache() {
        guard isTraced else { return }
        note("  above \(rows("SELECT _id, _server_id, title, _state FROM above"))")
        note("  notes \(rows("SELECT _id, _server_id, parent, title, value, _state FROM notes"))")
        note("  outbox \(rows("SELECT seq, op, list, title, state FROM outbox ORDER BY seq"))")
        note("  trail \(rows("SELECT row_id, is_new, fields FROM trail"))")
        note("  parts \(rows("SELECT part, read_ms, round, wanted, error FROM part"))")
        note("  missed \(rows("SELECT row_id, pulls, round FROM missed_row WHERE list = 'notes'"))")
        note(
            "  server \(server.above.map(\.title)) \(server.rows.map { "\($0.above): \(PartsServer.text($0))" })"
        )
    }
}
