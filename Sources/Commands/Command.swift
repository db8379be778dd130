internal import Host

/// A verb of the command line: what it takes, what its help says, and what it does.
package struct Command: Sendable {
    /// One word or two: `status`, `todo add`.
    package let name: String
    /// What it does, in one line.
    let summary: String
    package let operands: OperandRule
    /// Its own options; ``allOptions`` has those that every command takes, too.
    let options: [OptionSpec]
    /// What else there is to know, a sentence a line.
    let notes: [String]
    /// What it can end with beside ``ExitCode/general``.
    let statuses: [ExitCode]
    /// Command lines as a person would write them.
    let examples: [String]
    /// Signals that it takes itself, blocked before any thread is made.
    let signals: [Signal]
    let run: @Sendable (Arguments, Composition) async throws(CommandError) -> ExitCode

    init(
        _ name: String, _ summary: String, operands: OperandRule = .none,
        options: [OptionSpec] = [], notes: [String] = [], statuses: [ExitCode] = [],
        examples: [String], signals: [Signal] = [],
        run: @escaping @Sendable (Arguments, Composition) async throws(CommandError) -> ExitCode
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

    package var allOptions: [OptionSpec] { options + [.config, .quiet, .help] }
}

/// How many operands a command takes, and what they are called.
package struct OperandRule: Sendable, Hashable {
    /// For messages: `at least one TITLE, or -`.
    let name: String
    /// For the line of usage: `TITLE… | -`.
    let usage: String
    package let count: ClosedRange<Int>
    /// The words that it can be; empty where it can be anything.
    package let choices: [String]

    init(name: String, usage: String, count: ClosedRange<Int>, choices: [String] = []) {
        self.name = name
        self.usage = usage
        self.count = count
        self.choices = choices
    }

    static let none = OperandRule(name: "no operand", usage: "", count: 0...0)
}
