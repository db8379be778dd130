import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(4))) struct DocumentExampleTests {
    /// Every document of the repository, found, so that a new one is run, too.
    private static func documents() throws -> [String] {
        let files = FileManager.default
        // Beside them are builds, which hold documents of others.
        let folders = ["docs", "examples", "packaging", "scripts", "Sources", "Tests"]
        let top = try files.contentsOfDirectory(atPath: DocumentExample.path(""))
        let below = try folders.flatMap { folder in
            try files.subpathsOfDirectory(atPath: DocumentExample.path(folder))
                .map { folder + "/" + $0 }
        }
        return (top + below).filter { $0.hasSuffix(".md") }.sorted()
    }

    private static func documentsWithExamples() throws -> [String] {
        try documents().filter { try !DocumentExample.read($0).marked.isEmpty }
    }

    @Test func `every block that a person would run is marked to be run, or says why not`() throws {
        let documents = try Self.documents()
        for name in ["README.md", "docs/sql.md", "docs/metrics.md", "examples/README.md"] {
            #expect(documents.contains(name))
        }
        for document in documents {
            let unmarked = try DocumentExample.read(document).unmarked
            #expect(
                unmarked.isEmpty,
                "put an example marker above it, or ‘not run:’ with the reason above a ```text")
        }
        #expect(try DocumentExample.read("docs/sql.md").marked.count >= 11)
    }

    @Test(arguments: [
        "```sh\nls\n```", "```bash\nls\n```", "```python\npass\n```", "```sql\nSELECT 1\n```",
        "```console\n$ ls\n```", "```py\npass\n```", "```\nls\n```", "  ```sh\n  ls\n  ```",
        "> ```sh\n> ls\n> ```", "~~~sh\nls\n~~~", "```text\n$ ls\n```", "```text\n# ls\n```",
        "```sh\nls",
        "<!-- example:python -->\n```sh\nls\n```", "<!-- example:sh -->\n\n```sh\nls\n```",
        "<!-- not run: it is much too slow -->\n```sh\nls\n```",
        "<!-- not run: -->\n```text\n$ ls\n```",
    ]) func `a block without its marker is found`(text: String) {
        let blocks = DocumentExample.read("Words.\n\n" + text + "\n", of: "x.md")
        #expect(blocks.marked.isEmpty)
        #expect(blocks.unmarked.count == 1)
    }

    @Test func `a block with its marker is run, and one to look at is not`() {
        let blocks = DocumentExample.read(
            """
            <!-- example:sh prints /^a$/ -->
            ```sh
            echo a
            echo b
            ```
            <!-- not run: it builds a program -->
            ```text
            $ make
            ```
            ```json
            {}
            ```
            <!-- example:sql -->
            ```sql
            SELECT 1
            ```
            <!-- example:file lists/notes.json -->
            ```json
            {"list": "/notes"}
            ```
            """, of: "x.md")
        #expect(blocks.unmarked == [])
        #expect(blocks.marked.map(\.place) == ["x.md:2", "x.md:14", "x.md:18"])
        #expect(
            blocks.marked.map(\.text) == ["echo a\necho b", "SELECT 1", "{\"list\": \"/notes\"}"])
        #expect(blocks.marked.map(\.pattern) == ["^a$", nil, nil])
        #expect(blocks.marked.map(\.file) == [nil, nil, "lists/notes.json"])
    }

    /// The blocks of one document run in order on one cache, as somebody who reads it would.
    @Test(arguments: try documentsWithExamples()) func `every example runs and prints what it says`(
        document: String
    ) async throws {
        let examples = try DocumentExample.read(document).marked
        let stage = try Stage()
        let (server, address) = try await stage.startServer(stage.documentedLists())
        defer { server.kill(SIGKILL) }
        try stage.configure(
            address, extra: ", \"servers\": {\"office\": {\"baseURL\": \"\(address)\"}}")
        #expect(try await stage.syncd("todo", "add", "an older one").code == 0)
        #expect(try await stage.syncd("sync").code == 0)
        for example in examples {
            if let file = example.file {
                try stage.write(example.text, to: "config/syncd/" + file)
                continue
            }
            let ended = try await stage.run(example, at: address)
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
        return [
            "CACHE": cache, "PATH": folder + ":/usr/bin:/bin",
            "EXAMPLES": DocumentExample.path("examples"),
        ]
    }

    /// The lists of the server in the documents: in pages that a body names, in pages that a header names,
    /// and with ids of another name.
    fileprivate func documentedLists() throws -> [String] {
        let notes = """
            [{"id": 1, "title": "water the plants", "done": false, "author": {"name": "Ada"}},
             {"id": 2, "title": "pay", "done": true, "author": {"name": "Bob"}},
             {"id": 3, "title": "call Ada", "done": false, "author": null}]
            """
        let tickets = """
            [{"id": 1, "title": "Leak", "labels": [{"name": "bug"}, {"name": "urgent"}]},
             {"id": 2, "title": "Paint", "labels": []}]
            """
        let keys = notes.replacing("\"id\"", with: "\"_id\"").split(separator: "\n").prefix(2)
        return [
            "--lists-take-writes", "--list", "next:2=\(try write(notes, to: "served/notes.json"))",
            "--list", "link:2=\(try write(notes, to: "served/issues.json"))", "--list",
            try write(String(keys.joined().dropLast()) + "]", to: "served/keys.json"),
            "--list", try write(tickets, to: "served/tickets.json"),
        ]
    }

    func run(_ example: DocumentExample, at server: String) async throws -> Finished {
        let documented = documented.merging(["SERVER": server]) { $1 }
        return switch example.language {
        case "python":
            try await run(
                Program(path: "/usr/bin/python3"), ["-W", "error", "-c", example.text],
                environment: documented)
        case "sql":
            try await run(
                .sqlite3, ["-bail", "-cmd", ".timeout 5000", cache, example.text])
        default: try await run(.shell, ["-euc", example.text], environment: documented)
        }
    }
}
