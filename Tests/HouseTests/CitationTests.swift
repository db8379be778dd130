import Testing

/// What sources cite, and where links of documents lead, is there.
@Suite struct CitationTests {
    private let repository = Repository()

    @Test func `what a source cites is a document, and a heading of it`() throws {
        var findings: [Finding] = []
        for path in try ["Sources", "Migrations", "Tests", "scripts"].flatMap({
            try repository.files(below: $0)
        }) where [".swift", ".sql", ".h", ".py"].contains(where: path.hasSuffix) {
            for citation in Citation.found(in: try repository.text(of: path)) {
                // A fixed text of a test is no citation.
                guard !path.hasPrefix("Tests/HouseTests/") else { continue }
                guard let problem = try problem(of: citation) else { continue }
                findings.append(
                    Finding(
                        file: path, line: citation.line, problem: problem,
                        remedy: "Cite the document by its path, and a heading that it has"))
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `a link into a document leads to a heading`() throws {
        var findings: [Finding] = []
        for path in try repository.files(suffix: ".md") {
            let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            let text = try repository.text(of: path)
            for link in text.matches(of: /\]\(([^)#:]*)#([^)]+)\)/) {
                let target = link.output.1.isEmpty ? path : folder + link.output.1
                let anchors = try Citation.headings(of: repository.text(of: target))
                    .map(Citation.anchor)
                if !anchors.contains(String(link.output.2)) {
                    findings.append(
                        Finding(
                            file: path, line: 1, problem: "no heading \(link.output.0)",
                            remedy: "Name the heading as it is called now"))
                }
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test func `citations are read as they are written`() {
        let text = """
            /// Source: docs/a.md, "One thing", and docs/b.md.
            let page = "docs/c.md"
            -- docs/d.md says more.
            """
        #expect(
            Citation.found(in: text) == [
                Citation(line: 1, path: "docs/a.md", heading: "One thing"),
                Citation(line: 1, path: "docs/b.md", heading: nil),
                Citation(line: 3, path: "docs/d.md", heading: nil),
            ])
        #expect(Citation.anchor("What remains: `a` and b") == "what-remains-a-and-b")
    }

    private func problem(of citation: Citation) throws -> String? {
        guard repository.exists(citation.path) else { return "\(citation.path) does not exist" }
        guard let heading = citation.heading else { return nil }
        let headings = try Citation.headings(of: repository.text(of: citation.path))
        return headings.contains(heading) ? nil : "\(citation.path) has no heading “\(heading)”"
    }
}
