import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct NetworkProcessTests {
    // What it measures is waiting, and other tests make everybody wait: scripts/test runs it alone.
    @Test(
        .enabled(if: geteuid() == 0, "network namespaces need root"),
        .enabled(if: ProcessInfo.processInfo.environment["SYNCD_TEST_ALONE"] != nil, "runs alone"))
    func `P10: a link, a route or an address that comes back ends the backoff`()
        async throws
    {
        let stage = try Stage()
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../scripts/network-test")
        let programs = URL(fileURLWithPath: Program.syncd.path).deletingLastPathComponent().path
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            // Less than the backoff that is left, and enough beside all the other tests.
            [script.standardized.path, "--limit", "2.5", "--programs", programs])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
