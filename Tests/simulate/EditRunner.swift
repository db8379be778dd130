import EditWorld
import SimulatedWorld

/// Runs worlds of edits and reports those in which a law did not hold, and what remains though all hold.
struct EditRunner {
    private let workshop = EditWorkshop()
    /// In which ways servers are unkind; nil for what each seed draws.
    let unkindness: Set<EditUnkindness>?

    private static let toldWhole = 3
    private static let mostFailures = 20

    /// How many seeds failed.
    func run(_ seeds: ClosedRange<UInt64>?, listed: [UInt64]) async -> Int {
        var failed = 0
        var count = 0
        var residues: [EditResidue: Int] = [:]
        for seed in listed + (seeds.map { Array($0) } ?? []) {
            if count > 0, count % 20_000 == 0 {
                Simulate.complain("\(count) seeds so far, \(failed) failed, next \(seed)")
            }
            count += 1
            Watchdog.watch(seed)
            let plan = EditPlan(seed: seed, only: unkindness)
            let outcome = await workshop.outcome(of: plan, isTraced: false)
            for residue in outcome.residues { residues[residue, default: 0] += 1 }
            guard !outcome.isClean else { continue }
            failed += 1
            if failed <= Self.toldWhole {
                await tell(plan)
            } else {
                Simulate.say("seed \(seed) fails: \(outcome.problems[0])")
            }
            guard failed < Self.mostFailures else { break }
        }
        let told = EditResidue.allCases.map { "\($0.rawValue) \(residues[$0] ?? 0)" }
        Simulate.say("\(count) seeds, \(failed) failed; residues: \(told.joined(separator: ", "))")
        return failed
    }

    /// Whether every law held.
    func trace(_ seed: UInt64) async -> Bool {
        Watchdog.watch(seed)
        let outcome = await workshop.outcome(
            of: EditPlan(seed: seed, only: unkindness), isTraced: true)
        Simulate.say(outcome.trace.joined(separator: "\n"))
        Simulate.say(outcome.isClean ? "seed \(seed): every law held" : "seed \(seed) fails")
        return outcome.isClean
    }

    private func tell(_ plan: EditPlan) async {
        let first = await workshop.outcome(of: plan, isTraced: false)
        Simulate.say("seed \(plan.seed) fails: \(first.problems.joined(separator: "; "))")
        // The same law, so that shrinking does not wander off to another failure.
        let law = first.problems.first.map(Self.law)
        let workshop = workshop
        let short = await Shrinker(mostTries: 400).shortest(of: plan) { candidate in
            Watchdog.watch(candidate.seed)
            let outcome = await workshop.outcome(of: candidate, isTraced: false)
            return outcome.problems.first.map(Self.law) == law
        }
        let outcome = await workshop.outcome(of: short, isTraced: true)
        Simulate.say("the shortest run of seed \(plan.seed) that fails so:")
        Simulate.say(outcome.trace.joined(separator: "\n"))
        let only = unkindness.map { kinds in
            let names = kinds.map(\.rawValue).sorted().joined(separator: ",")
            return " --only \(names.isEmpty ? "none" : names)"
        }
        Simulate.say("again: scripts/simulate --edits\(only ?? "") --trace \(plan.seed)")
    }

    private static func law(_ problem: String) -> String {
        String(problem.split(separator: ":").first ?? "")
    }
}
