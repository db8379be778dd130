internal import Glibc
internal import Host
internal import Rendering

/// Asks the person at the terminal for a password, which is not shown while it is typed.
enum PasswordPrompt {
    private static let limit = 1024
    /// Ctrl-C.
    private static let interrupt: UInt8 = 3
    /// Ctrl-\.
    private static let quit: UInt8 = 28

    /// Reads a password from the controlling terminal, whatever the standard streams are.
    static func ask(_ subject: String, twice: Bool) throws(CommandError) -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw .notConfigured(
                "there is no password in the configuration and no terminal to ask at",
                hint: "Name a file of mode 0600 under todos.passwordFile.")
        }
        defer { close(terminal) }
        let first = try read(from: terminal, prompt: "\(subject): ")
        guard twice else { return first }
        let second = try read(from: terminal, prompt: "again: ")
        guard first == second else {
            throw .data("the two passwords differ", hint: "Run the command again.")
        }
        return first
    }

    private static func read(from terminal: Int32, prompt: String) throws(CommandError) -> String {
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
        screen.write(ForeignText(prompt).escaped)
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
                throw .data("the password is longer than \(limit) bytes", hint: "Use another one.")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw .data("the password is empty or not UTF-8", hint: "Run the command again.")
        }
        return text
    }
}
