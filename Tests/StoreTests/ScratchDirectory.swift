import Foundation
import TestSupport
import Testing

/// A new directory with room for one database that a test makes itself.
final class ScratchDirectory: Sendable {
    private let folder: TemporaryDirectory
    var path: String { folder.path }
    var database: String { folder.path(of: "cache.sqlite") }

    init() throws { folder = try TemporaryDirectory(in: TemporaryDirectory.inMemory) }

    var names: [String] { (try? folder.names()) ?? [] }

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
    let directory = try TemporaryDirectory()
    try directory.write("in", input)
    process.standardInput = FileHandle(forReadingAtPath: directory.path(of: "in"))
    process.standardOutput = FileHandle(forWritingAtPath: try directory.write("out"))
    process.standardError = FileHandle(forWritingAtPath: try directory.write("errors"))
    try process.run()
    process.waitUntilExit()
    return Ended(
        status: process.terminationStatus, output: try directory.text(of: "out"),
        errors: try directory.text(of: "errors"))
}
