import Dispatch
import Foundation
import Host
import Testing

@Suite(.timeLimit(.minutes(3))) struct ChildCommandTests {
    private let queue = DispatchQueue(label: "test")

    private func status(_ command: String, input: [UInt8] = []) async throws -> Int32 {
        try await ChildCommand(shell: command, input: input, on: queue).ending()
    }

    @Test func `the status of the command is told`() async throws {
        #expect(try await status("exit 0") == 0)
        #expect(try await status("exit 7") == 7)
        #expect(try await status("kill -9 $$") == 128 + 9)
        #expect(try await status("no-such-program 2>/dev/null") == 127)
    }

    @Test func `all of the input can be read, and need not be`() async throws {
        let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(try await status("test $(wc -c) -eq 1048576", input: bytes) == 0)
        #expect(try await status("true", input: bytes) == 0)
    }

    @Test func `its signals are the default ones, whatever is blocked here`() async throws {
        // Signals 32 and 33 are the C library's own.
        let script = """
            grep -Eq 'SigBlk:.0+$' /proc/self/status \\
                && grep -Eq 'SigIgn:.[0-9a-f]{8}[08]0{7}$' /proc/self/status
            """
        #expect(try await status(script) == 0)
    }

    @Test func `it can be asked to end`() async throws {
        let child = try ChildCommand(shell: "exec tail -f /dev/null", input: [], on: queue)
        child.terminate()
        #expect(await child.ending() == 128 + 15)
        child.terminate()
    }

    @Test func `a command that ended keeps no descriptor, however fast it was`() async throws {
        for _ in 0..<100 { #expect(try await status("exit 0") == 0) }
        // They are closed on the queue, after the end was told; the suite's limit ends a wait in vain.
        while try Self.descriptorsOfEndedProcesses() > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// How many of our descriptors stand for a process that has been collected.
    private static func descriptorsOfEndedProcesses() throws -> Int {
        let folder = "/proc/self/fdinfo/"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
            // Another test may have closed it by now.
            let facts = try? String(contentsOfFile: folder + name, encoding: .utf8)
            return facts?.split(separator: "\n").contains("Pid:\t-1") ?? false
        }
    }
}
