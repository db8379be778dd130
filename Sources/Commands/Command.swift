internal import Host

/// A verb of the command line: what it takes, what its help says, and what it does.
struct Command: Sendable {
    /// One word or two: `status`, `todo add`.
    let name: String
    /// What it does, in one line.
    let summary: String
    let operands: OperandRule
    /// Its own options; ``allOptions`` has those that every command takes, too.
    let options: [OptionSpec]
    /// What else there is to know, a sentence a line.
    let notes: [String]
    /// What it can end with beside ``ExitStatus/general``.
    let statuses: [ExitStatus]
    /// Command lines as a person would write them.
    let examples: [String]
    /// Signals that it takes itself, blocked before any thread is made.
    let signals: [Signal]
    let run: @Sendable (Arguments, Composition) async throws(CommandError) -> ExitStatus

    init(
        _ name: String, _ summary: String, operands: OperandRule = .none,
        options: [OptionSpec] = [], notes: [String] = [], statuses: [ExitStatus] = [],
        examples: [String], signals: [Signal] = [],
        run: @escaping @Sendable (Arguments, Composition) async throws(CommandError) -> ExitStatus
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.statuses = statuses
        self.examples = examples
        self.signals = signals
        self.run = run
    }

    var allOptions: [OptionSpec] { options + [.config, .quiet, .help] }
}

/// How many operands a command takes, and what they are called.
struct OperandRule: Sendable, Hashable {
    /// For messages: `at least one TITLE, or -`.
    let name: String
    /// For the line of usage: `TITLE… | -`.
    let usage: String
    let count: ClosedRange<Int>

    static let none = OperandRule(name: "no operand", usage: "", count: 0...0)
}
