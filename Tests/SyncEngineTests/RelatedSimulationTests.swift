import Foundation
import Testing

/// Random worlds of projects and tasks. `SYNCD_RELATED_WORLDS` says how many each test case runs instead of four.
@Suite(.serialized) struct RelatedSimulationTests {
    @Test(arguments: 0..<10)
    func `rows that refer to rows are neither lost nor misfiled in random worlds`(
        part: Int
    ) async throws {
        let named = ProcessInfo.processInfo.environment["SYNCD_RELATED_WORLDS"]
        let span = named.flatMap { Int($0) } ?? 4
        for seed in 1...span {
            let number = UInt64(part * span + seed)
            let run = try await RelatedRun(seed: number)
            try await run.run(steps: 14)
            #expect(
                run.problems.isEmpty,
                "seed \(number): \((run.problems + run.trace).joined(separator: "\n"))")
        }
    }

    /// 7: a delete waited for one below it whose refusals did not count, because the first one waited. 511: the same by
    /// an edit beneath a delete.
    @Test(arguments: [7, 511])
    func `a world that once waited for ever comes to its end`(seed: UInt64) async throws {
        let run = try await RelatedRun(seed: seed)
        try await run.run(steps: 14)
        #expect(run.problems.isEmpty, "\((run.problems + run.trace).joined(separator: "\n"))")
    }
}
