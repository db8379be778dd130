internal import Text

/// Code for a shell that completes command lines, made from the table of commands.
///
/// Its words are written down in it, so a key press starts no process. Only ids come from the cache, and the
/// names of lists from the configuration.
package enum CompletionScript {
    /// The first words of all commands, each once, in the order of the table.
    static func firstWords(_ commands: [CommandSyntax]) -> [String] {
        var words: [String] = []
        for command in commands where !words.contains(command.words[0]) {
            words.append(command.words[0])
        }
        return words
    }

    /// The second words of a group such as `todo`, with their commands; empty for other words.
    static func verbs(
        of first: String, _ commands: [CommandSyntax]
    ) -> [(verb: String, command: CommandSyntax)] {
        commands.filter { $0.words.count == 2 && $0.words[0] == first }
            .map { ($0.words[1], $0) }
    }

    /// `text` as one word of a shell's code.
    static func quoted(_ text: String) -> String {
        text.quoted(by: "'", escaping: "'\\''")
    }
}

extension OptionSpec {
    /// Whether its value is the path of a file.
    var takesFile: Bool { value == "FILE" }
}

extension OperandRule {
    /// Whether its operands are paths of files.
    var takesFile: Bool { usage.hasPrefix("FILE") }

    /// Whether its first operand is the name of a list.
    var takesList: Bool { usage.hasPrefix("NAME") || usage.hasPrefix("[NAME]") }

    /// The command that lists the ids or the lists that it takes, and the columns of a name and what it
    /// stands for; nil where it takes none.
    var listing: (command: String, columns: String)? {
        if takesList { return ("lists", "1,8") }
        if usage.hasPrefix("ID") { return ("todo list", "1,3") }
        return usage.hasPrefix("SEQ") ? ("outbox list", "1,4") : nil
    }
}
