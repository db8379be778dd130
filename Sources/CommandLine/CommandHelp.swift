/// The texts of `help` and `--help`.
enum CommandHelp {
    /// Every command in a line.
    static func overview(of commands: [CommandSyntax]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let lines = commands.map { "  \(padded($0.name, to: width))  \($0.summary)" }
        return """
            syncd: lists of servers in one SQLite file, with or without the servers

            usage: syncd COMMAND [OPTION…]

            \(lines.joined(separator: "\n"))

            `syncd COMMAND -h` and `syncd help COMMAND` say more; `syncd -v` is the version.

            """
    }

    /// All about one command.
    static func text(for command: CommandSyntax) -> String {
        var parts = ["usage: syncd \(usage(of: command))", command.summary]
        if !command.notes.isEmpty { parts.append(wrapped(command.notes.joined(separator: " "))) }
        let options = command.allOptions.map { (heading($0), $0.meaning) }
        parts.append("options:\n" + table(options))
        let statuses = ExitCode.allCases.filter {
            ExitCode.general.contains($0) || command.statuses.contains($0)
        }
        parts.append("exit status:\n" + table(statuses.map { ("\($0.rawValue)", $0.meaning) }))
        let plural = command.examples.count == 1 ? "example" : "examples"
        parts.append(
            "\(plural):\n" + command.examples.map { "  \($0)" }.joined(separator: "\n"))
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// A text in lines that fit a terminal of 80 columns.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let line = lines.last, line.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }

    private static let columns = 80

    private static func usage(of command: CommandSyntax) -> String {
        [command.name, command.operands.usage, "[OPTION…]"].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private static func heading(_ option: OptionSpec) -> String {
        "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \(padded($0.0, to: width))  \($0.1)" }.joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
