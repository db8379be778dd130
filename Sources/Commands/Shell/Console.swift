internal import Host
internal import Rendering
internal import Text

/// Where a command writes: data to standard output, everything else to standard error.
struct Console: Sendable {
    private let output: StandardOutput
    private let errors: StandardError
    private let isQuiet: Bool
    /// Who reads standard output.
    let destination: Destination
    /// Whether the screen behind standard output can be drawn anew.
    private let redrawsOutput: Bool
    private let errorStyle: Style
    /// The columns of the terminal behind standard error; nil where it is none.
    private let errorColumns: Int?
    /// Nil where standard error is no terminal, or the person wants quiet.
    private let progress: ProgressDisplay?
    private let secrets: Secrets

    init(
        output: StandardOutput, errors: StandardError, isQuiet: Bool,
        environment: [String: String], secrets: Secrets
    ) {
        self.output = output
        self.errors = errors
        self.isQuiet = isQuiet
        self.secrets = secrets
        if let terminal = Terminal(descriptor: 1, environment: environment) {
            destination = .terminal(
                columns: terminal.width, style: Style(colour: terminal.allowsColour))
            redrawsOutput = terminal.allowsRedrawing
        } else {
            destination = .stream
            redrawsOutput = false
        }
        let terminal = Terminal(descriptor: 2, environment: environment)
        errorStyle = Style(colour: terminal?.allowsColour ?? false)
        errorColumns = terminal?.width
        if let terminal, terminal.allowsRedrawing, !isQuiet {
            progress = ProgressDisplay(on: errors, columns: terminal.width, style: errorStyle)
        } else {
            progress = nil
        }
    }

    /// Draws how far the work is over what was drawn before, on a terminal.
    func show(_ line: ProgressLine) { progress?.show(line) }

    /// Takes the line of progress away, as each message does by itself.
    func clearProgress() { progress?.clear() }

    /// Adds data to standard output; it is written whole when the command has ended.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        try CommandError.trying(CommandError.output, try output.write(bytes))
    }

    func write(_ table: Table) throws(CommandError) {
        try write(table.bytes(for: destination))
    }

    /// Adds the one document of `--json`.
    func write(_ value: JSONValue) throws(CommandError) {
        try write(JSONDocument(value).bytes)
    }

    /// Adds one line for a person; foreign text in it has to be escaped already.
    func write(line: String) throws(CommandError) {
        try write(Array((line + "\n").utf8))
    }

    /// Adds a text of our own, with newlines in it.
    func write(text: String) throws(CommandError) { try write(Array(text.utf8)) }

    /// Empties the screen, where standard output is a terminal that can, for a text that is drawn anew
    /// at each change (ECMA-48 §8.3.21, CUP, and §8.3.39, ED); adds nothing anywhere else.
    func clearScreen() throws(CommandError) {
        if redrawsOutput { try write(Array("\u{1b}[H\u{1b}[J".utf8)) }
    }

    /// Writes what has been added: every command's last act.
    func flush() throws(CommandError) {
        try CommandError.trying(CommandError.output, try output.flush())
    }

    /// Says something beside the data, unless the person wants quiet.
    func note(_ text: String) {
        guard !isQuiet else { return }
        say(text, .quiet)
    }

    /// Says what the person must know, also when quiet.
    func warn(_ text: String) { say(text, .warning) }

    /// Says why the command failed: what and where, and what to do.
    func complain(_ error: CommandError) {
        say(Sentence.joined(error.description, error.hint), .bad)
    }

    /// What begins each message.
    private static let name = "syncd:"

    private func say(_ text: String, _ emphasis: Style.Emphasis) {
        clearProgress()
        let line = ForeignText(secrets.masked(text)).escaped
        let lines = errorColumns.map {
            Paragraph.lines(of: line, columns: $0, after: Self.name.count + 1)
        }
        errors.write(
            errorStyle.applied(emphasis, to: Self.name) + " "
                + (lines ?? [line]).joined(separator: "\n") + "\n")
    }
}
