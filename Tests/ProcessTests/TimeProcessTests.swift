import Foundation
import Glibc
import Testing

/// Promise P25 on the kernel's own clock: a time namespace moves `CLOCK_BOOTTIME`, as a sleep of
/// the machine does, and leaves the boot's id.
@Suite(.timeLimit(.minutes(3)), .enabled(if: geteuid() == 0, "time namespaces need root"))
struct TimeProcessTests {
    /// A stage on which a daemon has synced both lists and ended: movies are due in five to six
    /// hours, todos in a minute.
    private func syncedStage() async throws -> (Stage, Child) {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        try stage.configure(address, extra: #", "log": {"level": "debug"}"#)
        let (daemon, reader) = try await stage.startDaemon()
        for list in ["movies", "todos"] {
            let line = try #require(await reader.line(holding: "\(list): cycle ended"))
            #expect(line.contains("cycle ended: ok"))
        }
        daemon.kill(SIGTERM)
        #expect(await daemon.ending() == .exited(0))
        return (stage, server)
    }

    /// Starts a daemon on a machine that has slept for so many hours.
    private func startDaemon(
        _ stage: Stage, afterHours hours: Int
    ) async throws -> (Child, LineReader) {
        let (child, reader) = try stage.start(
            Program(path: "/usr/bin/unshare"),
            [
                "--time", "--boottime", "\(hours * 3600)", "--fork", "--kill-child=SIGTERM",
                Program.syncd.path, "run",
            ], readingErrors: true)
        try #require(await reader.line(holding: "started") != nil, "\(reader.lines)")
        return (child, reader)
    }

    @Test func `what became due while the machine slept is served at once`() async throws {
        let (stage, server) = try await syncedStage()
        defer { server.kill(SIGKILL) }
        let (daemon, reader) = try await startDaemon(stage, afterHours: 7)
        #expect(await reader.line(holding: "movies: cycle ended: ok") != nil)
        daemon.kill(SIGKILL)
        #expect(await reader.line(holding: "stopped") != nil)
    }

    @Test func `what is not due after a sleep is left alone`() async throws {
        let (stage, server) = try await syncedStage()
        defer { server.kill(SIGKILL) }
        let (daemon, reader) = try await startDaemon(stage, afterHours: 3)
        #expect(await reader.line(holding: "todos: cycle ended: ok") != nil)
        // Both were looked at together, and a cycle that has begun is told before the end.
        daemon.kill(SIGKILL)
        #expect(await reader.line(holding: "stopped") != nil)
        #expect(!reader.lines.contains { $0.contains("movies: cycle") })
    }
}
