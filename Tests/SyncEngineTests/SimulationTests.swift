import Foundation
import Host
import SimulatedWorld
import Testing

/// Some seeds of the simulation; `scripts/simulate` runs as many as wanted.
@Suite(.serialized) struct SimulationTests {
    private static let disk: Result<Disk, any Error> = Result {
        let disk = try Disk()
        atexit { try? SimulationTests.disk.get().remove() }
        return disk
    }
    private let executor = QueueExecutor(label: "simulation")

    private func outcome(_ plan: Plan, traces: Bool = true) async throws -> Outcome {
        await Outcome.of(plan, on: try Self.disk.get(), executor: executor, traces: traces)
    }

    @Test(arguments: 101...130)
    func `P1: every law holds in the world of a seed`(seed: UInt64) async throws {
        let outcome = try await outcome(Plan(seed: seed))
        #expect(
            outcome.isClean,
            "seed \(seed): \((outcome.problems + outcome.trace).joined(separator: "\n"))")
    }

    @Test(arguments: 1...50)
    func `the same seed gives the same run`(seed: UInt64) async throws {
        let first = try await outcome(Plan(seed: seed))
        let second = try await outcome(Plan(seed: seed))
        #expect(first == second)
        #expect(first.trace.count > 10)
    }

    @Test func `a hundred seeds draw every kind of world and every kind of fault`() {
        let plans = (1...100).map { Plan(seed: $0) }
        #expect(Set(plans.map(\.setting.devices)) == [1, 2, 3])
        #expect(Set(plans.map(\.setting.usesKeys)) == [true, false])
        let kinds = plans.flatMap { $0.steps.flatMap { $0.disturbances.map(\.kind) } }
        let names = Set(kinds.map { String("\($0)".prefix { $0 != "(" }) })
        #expect(
            names == [
                "fault", "script", "otherClient", "cycleOf", "death", "deathAtWrite", "fullDisk",
            ])
        let faults = Set(
            kinds.compactMap { kind -> String? in
                guard case .fault(let fault) = kind else { return nil }
                return String("\(fault)".prefix { $0 != "(" })
            })
        #expect(faults.count == 18, "\(faults.sorted())")
    }

    @Test func `a step that is left out shifts nothing in the others`() {
        let plan = Plan(seed: 7)
        let parts = plan.parts
        let rest = plan.keeping(parts.filter { $0.step != 2 })
        #expect(rest.steps == plan.steps.filter { $0.number != 2 })
        #expect(plan.keeping(parts) == plan)
        #expect(plan.keeping([]).steps.isEmpty)
    }

    @Test func `the shrinker finds the two parts that a failure needs`() async throws {
        let plans = (1...20).map { Plan(seed: $0) }
        let plan = try #require(plans.first { $0.parts.last?.disturbance ?? 0 > 1 })
        let disturbed = try #require(plan.parts.last)
        let first = try #require(plan.steps.first).number
        let short = await Shrinker(mostTries: 500).shortest(of: plan) { candidate in
            candidate.steps.contains { $0.number == first }
                && candidate.steps.contains {
                    $0.number == disturbed.step && !$0.disturbances.isEmpty
                }
        }
        #expect(short.steps.map(\.number) == [first, disturbed.step])
        #expect(short.steps.map(\.disturbances.count).reduce(0, +) == 1)
    }

    @Test(arguments: [
        [], ["--seeds"], ["--seeds", "5..1"], ["--seeds", "x"], ["--jobs", "0", "--seeds", "1..2"],
        ["--trace", "-1"], ["--list", "/nowhere"], ["--frob"],
    ])
    func `the script refuses what it does not understand`(arguments: [String]) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "scripts/simulate")
        let process = Process()
        process.executableURL = script
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
    }
}
