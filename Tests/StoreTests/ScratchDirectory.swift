import Foundation
import Testing

/// A new directory with room for one database that a test makes itself.
final class ScratchDirectory: Sendable {
    let path: String
    var database: String { path + "/cache.sqlite" }

    init() throws { path = try Cache.newDirectory() }

    deinit {
        // What is left behind in the system's directory for such things harms nothing.
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    func contents() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: database)) }

    /// Runs SQL by the stock program.
    func sqlite(_ sql: String) throws {
        let result = try run("/usr/bin/sqlite3", [database, sql])
        try #require(result.status == 0, "\(result.errors)")
    }
}

/// How another program ended.
struct Ended {
    let status: Int32
    let output: String
    let errors: String
}

/// Runs another program to its end.
func run(_ program: String, _ arguments: [String], input: String = "") throws -> Ended {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    // Files, because a full pipe would stop the program while nobody reads.
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("syncd-store-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }  // Harmless where it stays.
    let names = ["in", "out", "err"].map { directory.appendingPathComponent($0) }
    for name in names { try Data(input.utf8).write(to: name) }
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    let output = try FileHandle(forWritingTo: names[1])
    let errors = try FileHandle(forWritingTo: names[2])
    try output.truncate(atOffset: 0)
    try errors.truncate(atOffset: 0)
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    return Ended(
        status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: names[1]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: names[2]), as: UTF8.self))
}
