import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServiceProcessTests {
    /// Where `scripts/service-test` keeps its Debian by default. To make one takes minutes and a
    /// mirror, so it is not made here.
    private static let tree = NSTemporaryDirectory() + "syncd-trees/debian-12"

    @Test(
        .enabled(if: geteuid() == 0, "booting systemd needs root"),
        .enabled(if: Stage.isAlone, "runs alone, because it measures waiting"),
        .enabled(
            if: FileManager.default.fileExists(atPath: tree),
            "there is no Debian to boot: run scripts/service-test once"))
    func `the units do under real systemd what an administrator relies on`() async throws {
        let ended = try await Stage().script(
            "service-test",
            [
                "--syncd", Program.syncd.path, "--cache",
                URL(fileURLWithPath: Self.tree).deletingLastPathComponent().path,
            ])
        #expect(ended.code == 0, "\(ended.output)\(ended.errors)")
    }
}
