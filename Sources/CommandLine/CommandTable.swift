internal import Text

/// Every command, and how a command line names one.
package struct CommandTable: Sendable {
    package let commands: [CommandSyntax]

    /// A table of `commands`, in the order in which help lists them.
    package init(commands: [CommandSyntax]) { self.commands = commands }

    /// What a command line asks for.
    package enum Request: Sendable {
        case command(CommandSyntax, Arguments)
        /// A text for standard output.
        case help(String)
    }

    /// Reads the words after the program's name.
    package func request(_ words: [String]) throws(UsageError) -> Request {
        let (shared, words) = Self.splitShared(words)
        guard let first = words.first else {
            throw UsageError("there is no command", command: nil)
        }
        if first == "--help" || first == "-h" { return .help(CommandHelp.overview(of: commands)) }
        if ["--version", "-V", "-v"].contains(first) { return try request(["version"]) }
        guard !first.hasPrefix("-") else {
            throw UsageError(
                "the command comes first, then options such as \(Arguments.shown(first))",
                command: nil)
        }
        if first == "help" { return try help(on: Array(words.dropFirst())) }
        let group = commands.filter { $0.name.hasPrefix(first + " ") }
        // `conflicts` is a command, and `conflicts take` another one.
        let isOwn = commands.contains { $0.name == first }
        guard group.isEmpty || isOwn && !isVerb(words.dropFirst().first, in: group) else {
            return try request(words, shared: shared, in: group, named: first)
        }
        return try request(try command(named: first), shared + words.dropFirst())
    }

    private func isVerb(_ word: String?, in group: [CommandSyntax]) -> Bool {
        group.contains { $0.words.last == word }
    }

    /// The options that every command takes can stand before it, too.
    private static func splitShared(_ words: [String]) -> (shared: [String], rest: [String]) {
        var rest = words[...]
        while let word = rest.first {
            if word == "--quiet" || word.hasPrefix("--config=") {
                rest.removeFirst()
            } else if word == "--config", rest.count > 1 {
                rest.removeFirst(2)
            } else {
                break
            }
        }
        return (Array(words[..<rest.startIndex]), Array(rest))
    }

    /// A command of two words.
    private func request(
        _ words: [String], shared: [String], in group: [CommandSyntax], named first: String
    ) throws(UsageError) -> Request {
        let verbs = group.map { String($0.name.dropFirst(first.count + 1)) }
        guard words.count > 1 else {
            throw UsageError(
                "`\(first)` needs a verb: \(verbs.joined(separator: ", "))", command: first)
        }
        if ["--help", "-h"].contains(words[1]) { return .help(CommandHelp.overview(of: group)) }
        guard let command = group.first(where: { $0.name == "\(first) \(words[1])" }) else {
            let shown = Arguments.shown(words[1])
            let nearest = NearestName.remark(on: words[1], among: verbs)
            let remark =
                first == "todo" ? Self.remarkOnTodoVerb(words[1]) ?? nearest : nearest
            throw UsageError(
                "`\(first)` has no verb ‘\(shown)’"
                    + (remark.isEmpty ? "; it has \(verbs.joined(separator: ", "))" : remark),
                command: first)
        }
        return try request(command, shared + words.dropFirst(2))
    }

    /// What there is instead of the verbs that other programs have; nil for any other word.
    private static func remarkOnTodoVerb(_ verb: String) -> String? {
        switch verb {
        case "done", "finish", "complete", "close", "check":
            "; a todo has no mark for done: `syncd todo rm` deletes it"
        case "delete", "remove", "del": "; `syncd todo rm` deletes todos"
        case "edit", "update", "rename", "set":
            "; a todo cannot be changed: delete it, and add another"
        case "new", "create": "; `syncd todo add` adds todos"
        case "ls", "show", "search": "; `syncd todo list` shows them, with --search TEXT too"
        default: nil
        }
    }

    private func request(
        _ command: CommandSyntax, _ words: [String]
    ) throws(UsageError) -> Request {
        let arguments = try Arguments(words, for: command)
        return arguments.isHelpWanted
            ? .help(CommandHelp.text(for: command)) : .command(command, arguments)
    }

    private func command(named name: String) throws(UsageError) -> CommandSyntax {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let firstWords = commands.map { String($0.name.prefix { $0 != " " }) }
        throw UsageError(
            "there is no command ‘\(Arguments.shown(name))’"
                + NearestName.remark(on: name, among: firstWords), command: nil)
    }

    /// `help`, `help todo`, `help todo add`.
    private func help(on words: [String]) throws(UsageError) -> Request {
        let name = words.filter { !$0.hasPrefix("-") }.joined(separator: " ")
        guard !name.isEmpty else { return .help(CommandHelp.overview(of: commands)) }
        if let command = commands.first(where: { $0.name == name }) {
            return .help(CommandHelp.text(for: command))
        }
        let group = commands.filter { $0.name.hasPrefix(name + " ") }
        guard group.isEmpty else { return .help(CommandHelp.overview(of: group)) }
        throw UsageError(
            "there is no command ‘\(Arguments.shown(name))’"
                + NearestName.remark(on: name, among: commands.map(\.name)), command: nil)
    }
}
