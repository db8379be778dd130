import Testing

@Suite struct DocumentTests {
    private let repository = Repository()

    private func documents() throws -> [String] {
        try repository.files(suffix: ".md")
    }

    @Test func `every file that a document names exists`() throws {
        let files = try repository.files()
        let names = Set(files.compactMap { $0.split(separator: "/").last.map(String.init) })
        var findings: [Finding] = []
        for document in try documents() {
            let folder = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            for (line, path) in DocumentPaths.named(in: try repository.text(of: document)) {
                let isThere =
                    repository.exists(path) || repository.exists(folder + path)
                    || (!path.contains("/") && names.contains(path))
                if !isThere {
                    findings.append(
                        Finding(
                            file: document, line: line, problem: "\(path) does not exist",
                            remedy: "Name the file as it is called now"))
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `no file tells where it was written, or leaves work open`() throws {
        // In two pieces, so that the rule does not find itself.
        let workplace = try Regex("(?:^|[\\s\"'`(=:])/" + "(?:work|tmp/w|Users)/")
        let open = try Regex("\\b(?:TO" + "DO|FIX" + "ME|XX" + "X)\\b")
        var findings: [Finding] = []
        for path in try repository.files() where path != "LICENSE" {
            // A file that is no text has no line to find.
            guard let text = try? repository.text(of: path) else { continue }
            // A plain search first: the patterns are slow, and few files hold a piece of one.
            let pieces = ["work/", "tmp/w/", "Users/", "TO" + "DO", "FIX" + "ME", "XX" + "X"]
            guard pieces.contains(where: text.contains) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                if line.contains(workplace) {
                    findings.append(
                        Finding(
                            file: path, line: index + 1, problem: "a path of one machine",
                            remedy: "Write a path relative to the repository"))
                }
                if line.contains(open) {
                    findings.append(
                        Finding(
                            file: path, line: index + 1, problem: "work left open",
                            remedy: "Do it now, or open an issue"))
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `paths are told from other quoted words`() {
        let text = """
            `Sources/Store` and `./scripts/demo --keep`, `Replay.swift`, [sql](docs/sql.md#ids),
            `.ci/run`, `application/json`, `GET /todos`, `config.json`, `todos.baseURL`, `a b/c`,
            [web](https://example.com), `Migrations/NNNN_verb_object.sql`
            ```
            cat `Sources/None.swift`
            ```
            `~/.local/x.md`
            """
        #expect(
            DocumentPaths.named(in: text).map { "\($0.line) \($0.path)" } == [
                "1 Sources/Store", "1 scripts/demo", "1 Replay.swift", "1 docs/sql.md", "2 .ci/run",
                "3 Migrations/NNNN_verb_object.sql",
            ])
    }
}
