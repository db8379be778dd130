internal import Glibc
internal import Host
internal import Rendering
internal import Text

/// Asks the person at the controlling terminal, whatever the standard streams are.
enum TerminalPrompt {
    private static let limit = 4096
    /// Ctrl-C.
    private static let interrupt: UInt8 = 3
    /// Ctrl-\.
    private static let quit: UInt8 = 28

    /// Whether there is anybody to ask.
    static var isThere: Bool {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// Says a sentence between two questions.
    static func say(_ sentence: String) {
        // Without a terminal there is nobody to say it to.
        try? with({ .interrupted }) { (terminal) throws(CommandError) in
            let columns = Terminal(descriptor: terminal, environment: [:])?.width ?? 80
            let lines = Paragraph.lines(of: ForeignText(sentence).escaped, columns: columns)
            StandardError(descriptor: terminal).write(lines.joined(separator: "\n") + "\n")
        }
    }

    /// Asks a question whose answer is y or n; without a terminal, the answer is no.
    static func agrees(_ question: String, usual: Bool) throws(CommandError) -> Bool {
        guard isThere else { return false }
        let answer = try line(
            "\(question) y or n", usual: usual ? "y" : "n", otherwise: .interrupted)
        return answer.lowercased().hasPrefix("y")
    }

    /// Asks for a line of text; an empty answer is `usual`. Without a terminal, it throws `problem`.
    static func line(
        _ subject: String, usual: String, otherwise problem: @autoclosure () -> CommandError
    ) throws(CommandError) -> String {
        try with(problem) { (terminal) throws(CommandError) in
            let shown = usual.isEmpty ? "" : " [\(usual)]"
            StandardError(descriptor: terminal).write(ForeignText("\(subject)\(shown): ").escaped)
            let answer = try line(from: terminal).filter { !$0.isNewline }
            return answer.isEmpty ? usual : answer
        }
    }

    /// Asks for a secret, which is not shown while it is typed and may be empty.
    static func hidden(
        _ subject: String, otherwise problem: @autoclosure () -> CommandError
    ) throws(CommandError) -> String {
        try with(problem) { (terminal) throws(CommandError) in try hidden(subject, at: terminal) }
    }

    /// Asks for a secret that was typed once, until something is typed.
    static func again(
        _ subject: String, otherwise problem: @autoclosure () -> CommandError
    ) throws(CommandError) -> String {
        try with(problem) { (terminal) throws(CommandError) in try again(subject, at: terminal) }
    }

    private static func again(
        _ subject: String, at terminal: Int32
    ) throws(CommandError) -> String {
        while true {
            let typed = try hidden("\(subject) again (not shown)", at: terminal)
            if !typed.isEmpty { return typed }
        }
    }

    /// Asks for a secret, which is not shown while it is typed; for a new one twice.
    static func secret(
        _ subject: String, isNew: Bool, otherwise problem: @autoclosure () -> CommandError
    ) throws(CommandError) -> String {
        try with(problem) { (terminal) throws(CommandError) in
            let first = try hidden(subject, at: terminal)
            guard !first.isEmpty else {
                throw .data("\(subject): nothing was typed", hint: "Run the command again.")
            }
            guard isNew else { return first }
            let second = try again(subject, at: terminal)
            guard first == second else {
                throw .data("\(subject): the two inputs differ", hint: "Run the command again.")
            }
            return first
        }
    }

    private static func with<Value>(
        _ problem: () -> CommandError, _ body: (Int32) throws(CommandError) -> Value
    ) throws(CommandError) -> Value {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw problem() }
        defer { close(terminal) }
        return try body(terminal)
    }

    private static func hidden(
        _ subject: String, at terminal: Int32
    ) throws(CommandError) -> String {
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else {
            throw .system(SystemError(operation: "tcgetattr", code: errno))
        }
        var silent = before
        // Without ISIG, Ctrl-C and Ctrl-\ are bytes that end a line, and no signals: the terminal is
        // never left without its echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        withUnsafeMutableBytes(of: &silent.c_cc) { characters in
            characters[Int(VEOL)] = interrupt
            characters[Int(VEOL2)] = quit
        }
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else {
            throw .system(SystemError(operation: "tcsetattr", code: errno))
        }
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        let screen = StandardError(descriptor: terminal)
        screen.write(ForeignText("\(subject): ").escaped)
        defer { screen.write("\n") }
        return try line(from: terminal)
    }

    private static func line(from terminal: Int32) throws(CommandError) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(terminal, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1, byte != interrupt, byte != quit else { throw .interrupted }
            if byte == 0x0A { break }
            bytes.append(byte)
            guard bytes.count <= limit else {
                throw .data("the input is longer than \(limit) bytes", hint: "Type less.")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .data("the input is not UTF-8", hint: "Run the command again.")
        }
        return text
    }
}
