package import Host

/// How a run ended.
package struct Outcome: Sendable, Hashable {
    package let problems: [String]
    package let trace: [String]

    package var isClean: Bool { problems.isEmpty }

    /// Runs `plan` in a world of its own.
    package static func of(
        _ plan: Plan, on disk: Disk, executor: QueueExecutor, traces: Bool
    ) async -> Outcome {
        await withTaskExecutorPreference(executor) {
            do {
                let world = try World(plan, disk: disk, executor: executor, traces: traces)
                await world.run()
                return Outcome(problems: world.problems, trace: world.trace)
            } catch {
                return Outcome(problems: ["the world cannot be made: \(error)"], trace: [])
            }
        }
    }
}
