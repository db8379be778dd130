import APIClient
import Declarations
import Host
import Rules
import Store
import SyncEngine
import Tables
import TestSupport
import Text

extension EditWorld {
    /// Runs the plan up to the first broken law, then heals the world and compares.
    func run() async {
        note("seed \(plan.seed): \(setting)")
        let random = SeededRandom(seed: plan.seed)
        for _ in 0..<setting.rows {
            _ = server.create(
                setting.declaration.fields.map { random.element(of: $0.values) ?? nil }, by: .other)
        }
        await cycle(EditStep(number: -1, seed: plan.seed, event: .cycle(.scheduled)), .scheduled)
        for row in image().rows.keys { ledger.wishes[row] = .kept }
        pass(61_000)
        for step in plan.steps {
            await perform(step)
            check()
            guard problems.isEmpty else { return }
        }
        await heal()
        if problems.isEmpty { checkEnd() }
    }

    private func perform(_ step: EditStep) async {
        let random = SeededRandom(seed: step.seed)
        switch step.event {
        case .person(let act): person(act, random)
        case .others(let act): others(act, random)
        case .timePasses(let milliseconds):
            pass(milliseconds)
            note("\(milliseconds) ms pass")
        case .lateArrival:
            guard !late.isEmpty else { return }
            let request = late.remove(at: random.index(late.count))
            arrive(request)
        case .reboot:
            noteIntents()
            reboot(random)
        case .cycle(let cause):
            // Most cycles come when an earlier one has come to something.
            pass([0, 1100, 1100, 12_000, 21_000, 61_000][random.index(6)])
            await cycle(step, cause)
        }
    }

    func cycle(_ step: EditStep, _ cause: CycleCause) async {
        cycle = EditCycle(step: step)
        beginMarks()
        note("cycle \(cause)")
        do {
            let report = try await synchronizer(step.seed).cycle(name, because: cause)
            note("\(report.state) \(report.replay) \(report.error ?? "")")
            if isTraced { image().lines.forEach { note("  \($0)") } }
            if report.state == .ok, cycle?.isDead == false { noteListTaken() }
        } catch {
            note("the cycle ends: \(error)")
            blame("CYCLE: a cycle fails: \(error)")
        }
        if cycle?.isDead == true {
            lives += 1
            note("restart")
            do { try cache.reopen() } catch { blame("REOPEN: \(error)") }
            noteIntents()
            let random = SeededRandom(seed: step.seed)
            if setting.hasReboots, random.happens(60) { reboot(random) }
        }
        cycle = nil
        check()
    }

    private var name: ListName { cache.table.declaration.name }

    /// syncd dies; whether it does now.
    func die() -> Bool {
        noteHeard(image())
        guard let isDead = try? cache.die(), isDead else { return false }
        heard = [:]
        note("syncd dies")
        cycle?.isDead = true
        return true
    }

    /// syncd looks at the clock: the moment before a commit, or after one.
    func look() {
        guard var cycle, !cycle.isDead else { return }
        cycle.looks += 1
        self.cycle = cycle
        let looks = cycle.looks
        if cycle.step.disturbances.contains(where: { $0.kind == .deathAtLook && $0.place == looks })
        {
            _ = die()
        }
    }

    /// No fault any more, and a person who asks again and again, until nothing waits.
    private func heal() async {
        note("healing begins")
        pass(2 * Self.timeout)
        // A row that a filter hides, and that was read alone, goes with the second list after that.
        var left = setting.filteredSize == nil ? 1 : 3
        // A cache keeps a list for two minutes, and what was acknowledged is judged a minute after that.
        if !setting.unkindness.isEmpty { left = 5 }
        for round in 0..<(setting.unkindness.isEmpty ? 16 : 30) {
            let before = image().operations.map { "\($0.sequence) \($0.state)" }
            do {
                try await cache.store.acceptDeletes(of: [name])
            } catch {
                blame("HEAL: deletes cannot be accepted: \(error)")
            }
            let step = EditStep(number: -2, seed: plan.seed &+ UInt64(round), event: .lateArrival)
            await cycle(step, .asked(acceptsRemovals: true))
            guard problems.isEmpty else { return }
            pass(61_000)
            let after = image().operations.map { "\($0.sequence) \($0.state)" }
            let isQuiet = after == before && !image().hasWork && cache.trails() == 0
            if isQuiet, round > 0 { left -= 1 }
            if left == 0 { return }
        }
    }

    private func synchronizer(_ seed: UInt64) throws -> Synchronizer {
        let timeout = Duration.milliseconds(Self.timeout)
        let client = ListClient(
            baseURL: try BaseURL("http://127.0.0.1:8080"),
            credential: .bearer(HeldSecret { () throws(APIError) in "token" }), fields: [],
            limits: RequestLimits(timeout: timeout, maxBodyBytes: 1 << 20), userAgent: "",
            transport: EditNetwork(self), secrets: Secrets())
        let source = ListSource(
            table: cache.table, client: client, lanes: ServerLanes(most: setting.lanes),
            writing: .init(
                account: Account(baseURL: "http://127.0.0.1:8080", email: "one"), timeout: timeout))
        return Synchronizer(
            store: cache.store, lists: [source], time: EditClock(self),
            random: SeededRandom(seed: seed), backoff: .standard, stop: StopSignal(),
            tell: { _ in })
    }
}

/// How a run ended.
package struct EditOutcome: Sendable, Hashable {
    package let problems: [String]
    package let trace: [String]
    package let residues: Set<EditResidue>

    package var isClean: Bool { problems.isEmpty }
}

/// The caches of a process's runs, which come one after another.
///
/// `@unchecked Sendable`: only its executor's queue makes and uses them.
package final class EditWorkshop: SmallWorkshop, @unchecked Sendable {
    private let executor = QueueExecutor(label: "edits")
    private var caches: [EditDeclaration: EditCache] = [:]

    /// A workshop without caches.
    package init() {}

    /// Runs `plan` in a world of its own.
    package func outcome(of plan: EditPlan, isTraced: Bool) async -> EditOutcome {
        await withTaskExecutorPreference(executor) { await run(plan, isTraced) }
    }

    private func run(_ plan: EditPlan, _ isTraced: Bool) async -> EditOutcome {
        do {
            let declaration = plan.setting.declaration
            let cache =
                try caches[declaration] ?? EditCache(declaration, executor: executor)
            caches[declaration] = cache
            let world = try EditWorld(plan, cache: cache, isTraced: isTraced)
            await world.run()
            return EditOutcome(
                problems: world.problems, trace: world.trace, residues: world.residues)
        } catch {
            return EditOutcome(
                problems: ["WORLD: it cannot be made: \(error)"], trace: [], residues: [])
        }
    }
}
