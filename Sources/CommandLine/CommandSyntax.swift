/// What a verb of the command line takes, and what its help says.
package struct CommandSyntax: Sendable {
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

    /// A verb.
    package init(
        _ name: String, _ summary: String, operands: OperandRule, options: [OptionSpec],
        notes: [String], statuses: [ExitCode], examples: [String]
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
        self.statuses = statuses
        self.examples = examples
    }

    package var allOptions: [OptionSpec] { options + [.config, .quiet, .help] }

    /// `todo`, `add`.
    var words: [String] { name.split(separator: " ").map(String.init) }
}
