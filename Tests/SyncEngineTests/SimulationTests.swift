import Foundation
import Host
import TestSupport
import Testing

/// Which seeds are run; `SIMULATION_SEEDS=1000..2000` names others.
enum SimulationSeeds {
    static let range: ClosedRange<Int> = {
        let text = ProcessInfo.processInfo.environment["SIMULATION_SEEDS"] ?? ""
        let bounds = text.components(separatedBy: "..").compactMap(Int.init)
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return 1...70 }
        return bounds[0]...bounds[1]
    }()
}

@Suite(.serialized) struct SimulationTests {
    @Test(arguments: SimulationSeeds.range)
    func `a bad server loses and doubles nothing`(seed: Int) async throws {
        try await expectClean(SimulationPlan(seed: UInt64(seed)))
    }

    @Test(arguments: SimulationSeeds.range)
    func `a bad server with idempotency keys loses and doubles nothing`(seed: Int) async throws {
        var plan = SimulationPlan(seed: UInt64(seed))
        plan.usesKeys = true
        try await expectClean(plan)
    }

    @Test(arguments: SimulationSeeds.range)
    func `a bad server that alters titles loses and doubles nothing`(seed: Int) async throws {
        var plan = SimulationPlan(seed: UInt64(seed))
        plan.altersTitles = true
        try await expectClean(plan)
    }

    @Test(arguments: SimulationSeeds.range)
    func `a bad server that forgets everything takes nothing with it that waits`(
        seed: Int
    ) async throws {
        var plan = SimulationPlan(seed: UInt64(seed))
        plan.forgets = true
        try await expectClean(plan)
    }

    @Test(arguments: 1...10)
    func `the same seed gives the same run`(seed: Int) async throws {
        let plan = SimulationPlan(seed: UInt64(seed))
        let first = try await Self.log(of: plan)
        let second = try await Self.log(of: plan)
        #expect(first == second)
        #expect(!first.isEmpty)
    }

    private func expectClean(_ plan: SimulationPlan) async throws {
        let executor = QueueExecutor(label: "simulation")
        try await withTaskExecutorPreference(executor) {
            let simulation = try Simulation(plan, executor: executor)
            let problems = try await simulation.run()
            #expect(
                problems.isEmpty,
                "\(plan):\n\((problems + simulation.log + simulation.server.trace).joined(separator: "\n"))"
            )
        }
    }

    private static func log(of plan: SimulationPlan) async throws -> [String] {
        let executor = QueueExecutor(label: "simulation")
        return try await withTaskExecutorPreference(executor) {
            let simulation = try Simulation(plan, executor: executor)
            _ = try await simulation.run()
            return simulation.log + simulation.server.trace
        }
    }
}
