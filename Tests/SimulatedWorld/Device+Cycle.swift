import Declarations
import Host
import SQLite
import Store
import SyncEngine
import TestSupport

extension Device {
    /// One cycle of the todos, and the laws that hold after it; its state, nil where it did not end.
    @discardableResult
    func cycle(_ step: Step, _ cause: CycleCause) async -> SyncState? {
        let before = image()
        let report = await run(listName, step, cause)
        guard var run = current else { return nil }
        current = nil
        let wasDead = isDead
        recover(SeededRandom(seed: step.seed))
        let after = image()
        run.takeNamed(in: after)
        let laws = CycleLaws(
            device: self, run: run, before: before, after: after, report: report, cause: cause)
        laws.check()
        checkStore()
        guard let report, !wasDead else {
            if !wasDead { retryAtOnce() }
            return nil
        }
        noteDue(report.due)
        return report.state
    }

    /// A person has meant every delete.
    func acceptDeletes() async {
        do {
            try await store?.acceptDeletes(of: [listName])
        } catch {
            blame("deletes cannot be accepted: \(error)")
        }
    }

    /// One cycle of the movies: a reader must never have seen it half-way.
    func moviesCycle(_ step: Step) async {
        let report = await run(.movies, step, .scheduled)
        noteMoviesSeen()
        guard let run = current else { return }
        current = nil
        recover(SeededRandom(seed: step.seed))
        if run.moviesSeen.count > 2 {
            blame("P15: a reader saw the movies half-way: \(run.moviesSeen)")
        }
        if let report, report.state != .ok, run.moviesSeen.count > 1, !isDead {
            blame("P14: a pull that was not taken changed the movies")
        }
        checkStore()
    }

    private func run(_ list: ListName, _ step: Step, _ cause: CycleCause) async
        -> CycleReport?
    {
        endedAt = nil
        current = CycleRun(step: step, isOfMovies: list == .movies, beganAt: world.clock.now)
        for disturbance in step.disturbances {
            switch disturbance.kind {
            case .deathAtWrite(let write): armDeath(atWrite: write)
            case .fullDisk(let write, let writes): armFullDisk(atWrite: write, writes: writes)
            case .fault, .script, .otherClient, .cycleOf, .death: break
            }
        }
        note("cycle of \(list) \(cause)")
        if list == .movies { noteMoviesSeen() }
        do {
            guard let synchronizer = try synchronizer(seed: step.seed) else { return nil }
            let report = try await synchronizer.cycle(list, because: cause)
            note(
                "\(report.state) \(report.replay) \(report.error ?? "") due \(report.due.milliseconds)"
            )
            return report
        } catch {
            note("the cycle ends: \(error)")
            let isExpected = isDead || error as? StoreError == .diskFull && hasMetFullDisk
            if !isExpected { blame("a cycle fails: \(error)") }
            return nil
        }
    }

    /// What a reader sees of the movies now, where it is another view than the last one.
    func noteMoviesSeen() {
        guard let run = current, case .moviesCycle = run.step.event else { return }
        let view =
            read(
                "SELECT count(*) || ' ' || coalesce(sum(id), 0) || ' ' || coalesce(sum(id * rank), 0) "
                    + "FROM movies"
            ) { $0.text(0) }.first ?? ""
        if run.moviesSeen.last != view { current?.moviesSeen.append(view) }
    }

    /// The laws of the cache, which hold after every commit.
    private func checkStore() {
        guard let scripts else { return }
        do {
            let problems = try SimulatedInvariants(seed: world.plan.seed).violations(in: scripts)
            for problem in problems { blame("the store: \(problem)") }
        } catch {
            blame("the store cannot be checked: \(error)")
        }
    }
}
