import Foundation
import FuzzTargets
import Testing

/// The seeds of the fuzzer, and the inputs that it once failed on, without the fuzzer.
@Suite struct FuzzRegressionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz")

    private static let names = [
        "addresses", "answers", "arguments", "configuration", "declarations", "edits", "escaping",
        "headers",
        "lists",
        "proposals",
        "pulls",
        "search",
    ]

    private static func inputs(_ name: String) throws -> [URL] {
        try ["corpus", "regressions"].flatMap { kind in
            let kept = folder.appending(path: "\(name)/\(kind)")
            guard FileManager.default.fileExists(atPath: kept.path) else { return [URL]() }
            return try FileManager.default.contentsOfDirectory(
                at: kept, includingPropertiesForKeys: nil
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
        }
    }

    @Test func `every target has a folder, and every folder its target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(try FuzzTarget.all().map(\.name).sorted() == Self.names)
        #expect(folders.sorted() == Self.names)
    }

    @Test(arguments: names)
    func `every kept input obeys every law`(name: String) async throws {
        let target = try #require(try FuzzTarget.all().first { $0.name == name })
        let inputs = try Self.inputs(name)
        #expect(inputs.count > 3)
        for input in inputs {
            do {
                try await target.feed(Array(try Data(contentsOf: input)))
            } catch {
                Issue.record("\(name)/\(input.lastPathComponent): \(error)")
            }
        }
    }

    @Test func `the seeds stay small`() throws {
        let sizes = try Self.names.flatMap(Self.inputs).map { try Data(contentsOf: $0).count }
        #expect(sizes.allSatisfy { $0 < 10_000 })
        #expect(sizes.reduce(0, +) < 200_000)
    }
}
