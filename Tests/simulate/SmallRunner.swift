import EditWorld
import SimulatedWorld

/// Runs small worlds and reports those in which a law did not hold, and what remains though all hold.
struct SmallRunner<Workshop: SmallWorkshop> {
    private let workshop = Workshop()
    /// The option that asks for such worlds, and those that ask for some of them alone.
    let option: String
    let plan: @Sendable (UInt64) -> Workshop.Plan

    private let toldWhole = 3
    private let mostFailures = 20

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
            let plan = plan(seed)
            let outcome = await workshop.outcome(of: plan, isTraced: false)
            for residue in outcome.residues { residues[residue, default: 0] += 1 }
            guard !outcome.isClean else { continue }
            failed += 1
            if failed <= toldWhole {
                await tell(plan, seed)
            } else {
                Simulate.say("seed \(seed) fails: \(outcome.problems[0])")
            }
            guard failed < mostFailures else { break }
        }
        let told = residues.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue) \($0.value)" }
        Simulate.say(
            "\(count) seeds, \(failed) failed"
                + (told.isEmpty ? "" : "; residues: \(told.joined(separator: ", "))"))
        return failed
    }

    /// Whether every law held.
    func trace(_ seed: UInt64) async -> Bool {
        Watchdog.watch(seed)
        let outcome = await workshop.outcome(of: plan(seed), isTraced: true)
        Simulate.say(outcome.trace.joined(separator: "\n"))
        Simulate.say(outcome.isClean ? "seed \(seed): every law held" : "seed \(seed) fails")
        return outcome.isClean
    }

    private func tell(_ plan: Workshop.Plan, _ seed: UInt64) async {
        let first = await workshop.outcome(of: plan, isTraced: false)
        Simulate.say("seed \(seed) fails: \(first.problems.joined(separator: "; "))")
        // The same law, so that shrinking does not wander off to another failure.
        let law = first.problems.first.map(Self.law)
        let workshop = workshop
        let short = await Shrinker(mostTries: 400).shortest(of: plan) { candidate in
            Watchdog.watch(seed)
            let outcome = await workshop.outcome(of: candidate, isTraced: false)
            return outcome.problems.first.map(Self.law) == law
        }
        let outcome = await workshop.outcome(of: short, isTraced: true)
        Simulate.say("the shortest run of seed \(seed) that fails so:")
        Simulate.say(outcome.trace.joined(separator: "\n"))
        Simulate.say("again: scripts/simulate \(option) --trace \(seed)")
    }

    private static func law(_ problem: String) -> String {
        String(problem.split(separator: ":").first ?? "")
    }
}
