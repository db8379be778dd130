import Foundation
import Glibc
import Host
import SimulatedWorld
import Synchronization

/// Runs worlds and reports those in which a law did not hold.
struct Runner {
    let disk: Disk
    private let executor = QueueExecutor(label: "simulation")

    /// So many failing seeds are told whole; a break that fails every seed needs no more.
    private static let toldWhole = 3
    private static let mostFailures = 20

    /// How many seeds failed.
    func run(_ seeds: ClosedRange<UInt64>?, listed: [UInt64]) async -> Int {
        var failed = 0
        var count = 0
        for seed in listed + (seeds.map { Array($0) } ?? []) {
            if count > 0, count % 1000 == 0 {
                Simulate.complain("\(count) seeds so far, \(failed) failed, next \(seed)")
            }
            count += 1
            Watchdog.watch(seed)
            let plan = Plan(seed: seed)
            let outcome = await Outcome.of(plan, on: disk, executor: executor, traces: false)
            guard !outcome.isClean else { continue }
            failed += 1
            if failed <= Self.toldWhole {
                await tell(plan)
            } else {
                Simulate.say("seed \(seed) fails: \(outcome.problems[0])")
            }
            guard failed < Self.mostFailures else { break }
        }
        Simulate.say("\(count) seeds, \(failed) failed")
        return failed
    }

    /// Whether every law held.
    func trace(_ seed: UInt64) async -> Bool {
        Watchdog.watch(seed)
        let outcome = await Outcome.of(Plan(seed: seed), on: disk, executor: executor, traces: true)
        Simulate.say(outcome.trace.joined(separator: "\n"))
        Simulate.say(outcome.isClean ? "seed \(seed): every law held" : "seed \(seed) fails")
        return outcome.isClean
    }

    private func tell(_ plan: Plan) async {
        let whole = await Outcome.of(plan, on: disk, executor: executor, traces: true)
        Simulate.say("seed \(plan.seed) fails: \(whole.problems.joined(separator: "; "))")
        Simulate.say(whole.trace.joined(separator: "\n"))
        // The same law, so that shrinking does not wander off to another failure.
        let law = whole.problems.first.map(Self.law) ?? ""
        let (disk, executor) = (disk, executor)
        let short = await Shrinker(mostTries: 400).shortest(of: plan) { candidate in
            Watchdog.watch(candidate.seed)
            let outcome = await Outcome.of(
                candidate, on: disk, executor: executor, traces: false)
            return outcome.problems.first.map(Self.law) == law
        }
        let outcome = await Outcome.of(short, on: disk, executor: executor, traces: true)
        Simulate.say("the shortest run of seed \(plan.seed) that fails so:")
        Simulate.say(outcome.trace.joined(separator: "\n"))
        Simulate.say("again: scripts/simulate --trace \(plan.seed)")
    }

    /// What a problem breaks, without its numbers and names.
    private static func law(_ problem: String) -> String {
        String(problem.filter { !$0.isNumber }.split(separator: "'").first ?? "")
    }
}

/// Ends the process when one seed takes a minute: it hangs.
enum Watchdog {
    private static let seed = Atomic<UInt64>(0)

    static func watch(_ seed: UInt64) {
        self.seed.store(seed, ordering: .relaxed)
        signal(SIGALRM, onAlarm)
        alarm(60)
    }

    /// Only what a signal handler may do: no memory is allocated.
    private static let onAlarm: @convention(c) (Int32) -> Void = { _ in
        var digits: (UInt8, UInt8) = (0, 0x0A)
        var rest = Watchdog.seed.load(ordering: .relaxed)
        let start: StaticString = "a seed hangs, its digits from the last one: "
        write(1, start.utf8Start, start.utf8CodeUnitCount)
        repeat {
            digits.0 = UInt8(rest % 10) + 0x30
            rest /= 10
            write(1, &digits, rest == 0 ? 2 : 1)
        } while rest > 0
        _exit(1)
    }
}
