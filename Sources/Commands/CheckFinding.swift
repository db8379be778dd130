internal import Rendering

/// Something that `check` found.
struct CheckFinding: Sendable, Hashable {
    /// How much it matters.
    enum Level: String, Sendable, Hashable {
        /// Wrong: the command ends with 1.
        case problem
        /// Worth knowing, and nothing is wrong.
        case note
        /// Was a problem until `--fix` mended it.
        case mended
    }

    var level: Level
    /// What it is about: `configuration`, `clock`, a path.
    let subject: String
    let problem: String
    /// One sentence: what the person can do.
    let hint: String
    /// The mode that `--fix` gives the file; nil where it leaves this to the person.
    let repair: FileMode?

    /// A file and the permission bits that it should have.
    struct FileMode: Sendable, Hashable {
        let path: String
        let mode: UInt32
    }

    init(
        _ level: Level, _ subject: String, _ problem: String, hint: String,
        repair: FileMode? = nil
    ) {
        self.level = level
        self.subject = subject
        self.problem = problem
        self.hint = hint
        self.repair = repair
    }

    var json: JSONValue {
        [
            "level": .string(level.rawValue), "subject": .string(subject),
            "problem": .string(problem), "hint": .string(hint), "fixable": .bool(repair != nil),
        ]
    }

    static func table(of findings: [CheckFinding]) -> Table {
        Table(
            columns: [
                .init("level"), .init("subject", isFlexible: true),
                .init("problem", isFlexible: true), .init("hint", isFlexible: true),
            ],
            rows: findings.map { finding in
                [
                    .init(finding.level.rawValue, finding.emphasis), .init(finding.subject),
                    .init(finding.problem), .init(finding.hint),
                ]
            })
    }

    private var emphasis: Style.Emphasis {
        switch level {
        case .problem: .bad
        case .note: .plain
        case .mended: .good
        }
    }
}
