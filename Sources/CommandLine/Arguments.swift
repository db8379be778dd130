internal import Text

/// What the command line gave to one command: its options and operands, all of them known.
package struct Arguments: Sendable, Hashable {
    /// The command's name, for messages.
    package let command: String
    /// Every value of an option, in the order in which they were given.
    package private(set) var lists: [String: [String]] = [:]
    package private(set) var flags: Set<String> = []
    /// What is no option, in order.
    package private(set) var operands: [String] = []
    /// Whether the last of as few operands as there can be is the `-` that stands for standard input; after
    /// `--`, it is a text.
    package private(set) var readsInput = false

    /// Reads what follows the command's name.
    ///
    /// `--name value` and `--name=value` are the same; options and operands can be mixed; after
    /// `--` everything is an operand, and `-` alone is one everywhere.
    init(_ words: [String], for command: CommandSyntax) throws(UsageError) {
        self.command = command.name
        var rest = words[...]
        var hasEnded = false
        while let word = rest.popFirst() {
            if hasEnded || word == "-" || !word.hasPrefix("-") {
                readsInput = word == "-" && !hasEnded
                operands.append(word)
            } else if word == "--" {
                hasEnded = true
            } else {
                try take(word, from: &rest, among: command.allOptions)
            }
        }
        readsInput = readsInput && operands.count == max(1, command.operands.count.lowerBound)
        guard !isHelpWanted else { return }
        try check(command.operands)
    }

    /// Of an option that is given twice, the last value.
    package var values: [String: String] { lists.compactMapValues(\.last) }
    var isHelpWanted: Bool { flags.contains("help") }
    package var isQuiet: Bool { flags.contains("quiet") }
    package var wantsJSON: Bool { flags.contains("json") }
    /// What `--config` names.
    package var configuration: String? { values["config"] }

    private mutating func take(
        _ word: String, from rest: inout ArraySlice<String>, among options: [OptionSpec]
    ) throws(UsageError) {
        if word == "-h" {
            flags.insert("help")
            return
        }
        guard word.hasPrefix("--") else {
            throw error(
                "\(Self.shown(word)) is not an option of `\(command)`; options begin with two "
                    + "dashes, and operands that begin with a dash follow after --")
        }
        // By scalars: a value that begins with a combining mark makes one character with the `=`.
        let halves = word.unicodeScalars.dropFirst(2)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = halves.first.map { String($0) } ?? ""
        guard let option = options.first(where: { $0.name == name }) else {
            let remark = NearestName.remark(on: name, among: options.map(\.name), prefix: "--")
            throw error("--\(Self.shown(name)) is not an option of `\(command)`\(remark)")
        }
        guard option.value != nil else {
            guard halves.count == 1 else { throw error("--\(name) takes no value") }
            flags.insert(name)
            return
        }
        if halves.count == 2 {
            lists[name, default: []].append(String(halves[1]))
        } else if let next = rest.first, !next.hasPrefix("--") {
            lists[name, default: []].append(next)
            rest.removeFirst()
        } else {
            throw error("--\(name) needs a value")
        }
    }

    private func check(_ rule: OperandRule) throws(UsageError) {
        if operands.count < rule.count.lowerBound {
            throw error("`\(command)` needs \(rule.name)")
        }
        if operands.count > rule.count.upperBound {
            let first = Self.shown(operands[rule.count.upperBound])
            throw error("`\(command)` takes no operand \(first)")
        }
    }

    /// An error about this command's line.
    package func error(_ text: String) -> UsageError { UsageError(text, command: command) }

    /// A word of the command line as a message shows it.
    package static func shown(_ word: String) -> String {
        let start = word.unicodeScalars.prefix(100)
        let isWhole = start.endIndex == word.unicodeScalars.endIndex
        return ForeignText(String(start) + (isWhole ? "" : "…")).escaped
    }
}
