import Foundation

/// Programs whose system calls are changed by strace(1).
enum Tracing {
    static let program = Program(path: "/usr/bin/strace")

    /// Whether that works here: containers may forbid it.
    static let isAllowed: Bool = {
        let trial = Process()
        trial.executableURL = URL(fileURLWithPath: program.path)
        trial.arguments = ["-o", "/dev/null", "-e", "inject=fdatasync:delay_enter=1", "/bin/true"]
        trial.standardError = FileHandle.nullDevice
        // No strace is an answer, too.
        guard (try? trial.run()) != nil else { return false }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }()
}
