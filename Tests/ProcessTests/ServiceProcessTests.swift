import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServiceProcessTests {
    /// Where `scripts/service-test` keeps its Debian by default. To make one takes minutes and a
    /// mirror, so it is not made here.
    private static let tree = NSTemporaryDirectory() + "syncd-trees/debian-12"

    @Test(
        .enabled(if: geteuid() == 0, "booting systemd needs root"),
        .enabled(
            if: FileManager.default.fileExists(atPath: tree),
            "there is no Debian to boot: run scripts/service-test once"))
    func `the units do under real systemd what an administrator relies on`() async throws {
        let stage = try Stage()
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("../../scripts/service-test")
        let programs = URL(fileURLWithPath: Program.syncd.path).deletingLastPathComponent().path
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [
                script.standardized.path, "--syncd", Program.syncd.path, "--programs", programs,
                "--cache", URL(fileURLWithPath: Self.tree).deletingLastPathComponent().path,
            ], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
