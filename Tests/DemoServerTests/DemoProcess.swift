import Foundation
import Testing

/// The real `demo-api`, as it was built beside the tests.
///
/// `@unchecked Sendable`: its parts are set up in `init` and only read afterwards.
final class DemoProcess: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts it; with `fileSizeLimit`, no file that it writes can grow over so many bytes.
    init(_ arguments: [String], fileSizeLimit: Int? = nil) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("demo-api")
        if let fileSizeLimit {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
            process.arguments = ["--fsize=\(fileSizeLimit)", program.path] + arguments
        } else {
            process.executableURL = program
            process.arguments = arguments
        }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        // It has ended already in every test that passes.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var identifier: Int32 { process.processIdentifier }

    /// The port in the line that says where it listens.
    func port() throws -> UInt16 {
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let start = "demo-api listening on http://127.0.0.1:"
        try #require(line.hasPrefix(start) && line.hasSuffix("\n"), "\(line)")
        return try #require(UInt16(line.dropFirst(start.count).dropLast()))
    }

    /// Sends `signal`, waits for the end; a signal that killed it is its negative number.
    func end(by signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        return waitForEnd().status
    }

    /// Waits for the end, and returns what was printed since.
    func waitForEnd() -> (status: Int32, output: String, errors: String) {
        let errors = errors.fileHandleForReading.readDataToEndOfFile()
        let output = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let isKilled = process.terminationReason == .uncaughtSignal
        return (
            isKilled ? -process.terminationStatus : process.terminationStatus,
            String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self)
        )
    }
}
