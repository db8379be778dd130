import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(4))) struct DocumentExampleTests {
    /// Every document for people in the repository, found, so that a new one is run, too.
    private static func documents() throws -> [String] {
        let folder = try FileManager.default.contentsOfDirectory(
            atPath: DocumentExample.path("docs"))
        return ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"]
            + folder.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }

    @Test func `every block of shell or Python in a document is marked to be run`() throws {
        for document in try Self.documents() {
            let unmarked = try DocumentExample.read(document).unmarked
            #expect(
                unmarked.isEmpty,
                "put an example marker above it, or call it text if it cannot be run")
        }
        #expect(try DocumentExample.read("docs/sql.md").marked.count >= 11)
    }

    /// The blocks of one document run in order on one cache, as somebody who reads it would.
    @Test(arguments: try documents()) func `every example runs and prints what it says`(
        document: String
    ) async throws {
        let examples = try DocumentExample.read(document).marked
        guard !examples.isEmpty else { return }
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("todo", "add", "an older one").code == 0)
        #expect(try await stage.syncd("sync").code == 0)
        for example in examples {
            let ended = try await stage.run(example)
            #expect(ended.code == 0, "\(example.place): \(ended.errors)")
            #expect(ended.errors == "", "\(example.place)")
            guard let pattern = example.pattern else { continue }
            let expression = try Regex(pattern).anchorsMatchLineEndings()
            #expect(
                ended.output.contains(expression),
                "\(example.place) printed ‘\(ended.output)’, not /\(pattern)/")
        }
    }
}

extension Stage {
    /// The variables of somebody who has installed syncd and named the cache.
    var documented: [String: String] {
        let folder = URL(fileURLWithPath: Program.syncd.path).deletingLastPathComponent().path
        return ["CACHE": cache, "PATH": folder + ":/usr/bin:/bin"]
    }

    func run(_ example: DocumentExample) async throws -> Finished {
        switch example.language {
        case "python":
            try await run(
                Program(path: "/usr/bin/python3"), ["-W", "error", "-c", example.text],
                environment: documented)
        default: try await run(.shell, ["-euc", example.text], environment: documented)
        }
    }
}
