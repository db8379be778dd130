/// The rules for `Migrations/NNNN_verb_object.sql`.
enum MigrationFolder {
    /// Numbers from 0001 without a gap, the form of the names, and the list of the manifest.
    static func findings(files: [String], embedded: [String]) -> [Finding] {
        var findings: [Finding] = []
        for (index, file) in files.sorted().enumerated() {
            let number = String(index + 1)
            let expected = String(repeating: "0", count: max(0, 4 - number.count)) + number
            if !file.contains(/^[0-9]{4}_[a-z]+(?:_[a-z0-9]+)+\.sql$/) {
                findings.append(
                    finding(file, "its name is not NNNN_verb_object.sql", "Rename it"))
            } else if !file.hasPrefix(expected) {
                findings.append(
                    finding(file, "its number leaves a gap", "The next one is \(expected)"))
            }
        }
        if files.sorted() != embedded {
            let missing = Set(files).symmetricDifference(embedded).sorted()
            findings.append(
                Finding(
                    file: "Package.swift", line: 1,
                    problem: "its .embedInCode list is not the folder Migrations: \(missing)",
                    remedy: "List every file of the folder, in order"))
        }
        return findings
    }

    /// The three comment lines on top, in order.
    static func headFindings(file: String, text: String) -> [Finding] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return ["-- Why: ", "-- Invariant: ", "-- Check: "].enumerated().compactMap { index, head in
            guard index >= lines.count || !lines[index].hasPrefix(head) else { return nil }
            return Finding(
                file: "Migrations/" + file, line: index + 1,
                problem: "the line does not begin ‘\(head)’",
                remedy:
                    "Say on the first three lines why, which invariant is added, how to check it")
        }
    }

    private static func finding(_ file: String, _ problem: String, _ remedy: String) -> Finding {
        Finding(file: "Migrations/" + file, line: 1, problem: problem, remedy: remedy)
    }
}
