internal import Rendering
internal import Store
internal import Text

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
    /// Whether `--fix` can mend it.
    private(set) var isFixable: Bool

    /// A file and the permission bits that it should have.
    struct FileMode: Sendable, Hashable {
        let path: String
        let mode: UInt32
    }

    init(
        _ level: Level, _ subject: String, _ problem: String, hint: String,
        repair: FileMode? = nil, isFixable: Bool = false
    ) {
        self.level = level
        self.subject = subject
        self.problem = problem
        self.hint = hint
        self.repair = repair
        self.isFixable = isFixable || repair != nil
    }

    /// What the store found.
    init(_ finding: Finding, isMended: Bool = false) {
        let level: Level = finding.severity == .note ? .note : .problem
        self.init(
            isMended ? .mended : level, finding.subject, finding.problem, hint: finding.hint)
        isFixable = finding.remedy != nil
    }

    var json: JSONValue {
        [
            "level": .string(level.rawValue), "subject": .string(subject),
            "problem": .string(problem), "hint": .string(hint), "fixable": .bool(isFixable),
        ]
    }

    /// For a stream: one line a finding.
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

    /// For a terminal of so many columns: a table would cut the very command that mends it.
    func lines(columns: Int, _ style: Style) -> [String] {
        let indent = "    "
        return [style.applied(emphasis, to: level.rawValue) + ": " + ForeignText(subject).escaped]
            + [problem, hint].flatMap {
                Paragraph.lines(of: ForeignText($0).escaped, columns: columns - indent.count)
                    .map { indent + $0 }
            }
    }

    private var emphasis: Style.Emphasis {
        switch level {
        case .problem: .bad
        case .note: .plain
        case .mended: .good
        }
    }
}

extension Console {
    /// Prints `findings`: nothing of them is cut.
    func write(_ findings: [CheckFinding]) throws(CommandError) {
        switch destination {
        case .stream: try write(CheckFinding.table(of: findings))
        case .terminal(let columns, let style):
            for finding in findings {
                for line in finding.lines(columns: columns, style) { try write(line: line) }
            }
        }
    }
}
