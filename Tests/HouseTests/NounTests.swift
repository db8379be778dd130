import Testing

/// One word for one thing: what syncd keeps is a list, in code, SQL, commands, configuration and documents.
@Suite struct NounTests {
    private let repository = Repository()

    /// The other noun, but for what has that name elsewhere: in the package manager, the kernel, and systemd.
    private func lines(in text: String) -> [(line: Int, text: Substring)] {
        let known =
            /PackageResources|resourcePath|__rlimit_resource_t|@resources|sys\/resource\.h|rdf:resource/
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap
        {
            place, line in
            guard line.replacing(known, with: "").contains(/resource/.ignoresCase()) else {
                return nil
            }
            return (place + 1, line)
        }
    }

    @Test func `what syncd keeps has one noun`() throws {
        let paths =
            try ["Sources", "Migrations", "docs", "examples", "packaging"].flatMap {
                try repository.files(below: $0)
            }
            + [
                "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md",
                "config.example.json",
            ]
        var findings: [Finding] = []
        for path in paths where path.contains(/\.(swift|sql|md|json|svg|yml|service)$/) {
            for found in lines(in: try repository.text(of: path)) {
                findings.append(
                    Finding(
                        file: path, line: found.line, problem: "the other noun for a list",
                        remedy: "Say list"))
            }
        }
        #expect(findings.isEmpty, "\(findings.report)")
    }

    @Test(arguments: [
        ("let resource = 1", 1), ("-- The Resources", 1), ("PackageResources.a, a resource", 1),
        ("PackageResources.a", 0), ("a list", 0), ("a source", 0),
    ])
    func `the other noun is found`(text: String, count: Int) {
        #expect(lines(in: text).count == count)
    }
}
