internal import CommandLine
internal import Host

/// A verb of the command line, and what it does.
struct Command: Sendable {
    /// What it takes, and what its help says.
    let syntax: CommandSyntax
    /// Signals that it takes itself, blocked before any thread is made.
    let signals: [Signal]
    let run: @Sendable (Arguments, Composition) async throws(CommandError) -> ExitCode

    init(
        _ name: String, _ summary: String, operands: OperandRule = .none,
        options: [OptionSpec] = [], notes: [String] = [], statuses: [ExitCode] = [],
        examples: [String], signals: [Signal] = [],
        run: @escaping @Sendable (Arguments, Composition) async throws(CommandError) -> ExitCode
    ) {
        syntax = CommandSyntax(
            name, summary, operands: operands, options: options, notes: notes, statuses: statuses,
            examples: examples)
        self.signals = signals
        self.run = run
    }

    /// The product's own, in the order in which help lists them.
    static let all: [Command] = [
        .run, .sync, .status, .list, .add, .set, .remove, .movies, .todoList, .todoAdd, .todoRemove,
        .outboxList, .outboxRetry, .outboxDrop, .conflicts, .conflictsTake, .explain, .plan, .query,
        .watch, .backup, .check, .metrics, .declare, .listsCheck, .lists,
        .listsShow, .listsSchema, .setup, .login, .userCreate, .cacheReset, .config, .version,
        .completion,
        .help,
    ]
}
