import Foundation

extension Stage {
    /// Whether no other test runs beside this one, as scripts/test sees to for what measures waiting.
    static let isAlone = ProcessInfo.processInfo.environment["SYNCD_TEST_ALONE"] != nil

    /// The top of the repository.
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../..").standardized

    /// Runs a script of the repository that is written in Python, with the programs of this build.
    func script(_ name: String, _ arguments: [String]) async throws -> Finished {
        let programs = URL(fileURLWithPath: Program.syncd.path).deletingLastPathComponent().path
        return try await run(
            Program(path: "/usr/bin/python3"),
            [
                Self.repository.appendingPathComponent("scripts/\(name)").path, "--programs",
                programs,
            ] + arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    }
}
