import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct ContentionProcessTests {
    // What it measures is waiting, and other tests make everybody wait: scripts/test runs it alone.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["SYNCD_TEST_ALONE"] != nil, "runs alone"))
    func `ten writers and ten readers meet no lock, lose nothing and see whole pulls`()
        async throws
    {
        let stage = try Stage()
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../scripts/contention-test")
        let programs = URL(fileURLWithPath: Program.syncd.path).deletingLastPathComponent().path
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [script.standardized.path, "--seconds", "5", "--programs", programs])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
