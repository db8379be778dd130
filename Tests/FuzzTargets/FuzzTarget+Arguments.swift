import CommandLine
import Commands

extension FuzzTarget {
    /// The words of a command line after the program's name, with NUL between them.
    ///
    /// Laws: they give a command, a help text or an error of usage on one safe line; what a command
    /// gets is among its options, and written out in full it is read as the same again.
    static let arguments = FuzzTarget("arguments") { bytes in
        let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        switch try request(words) {
        case .help(let text)?: try require(text.hasSuffix("\n"), "a help text ends its last line")
        case .command(let command, let arguments)?:
            try check(arguments, of: command)
            try readValues(of: arguments)
        case nil: break
        }
    }

    /// Nil for an error of usage.
    private static func request(_ words: [String]) throws -> CommandTable.Request? {
        do throws(UsageError) {
            return try CommandTable.standard.request(words)
        } catch {
            try check(.usage(error))
            return nil
        }
    }

    private static func check(_ error: CommandError) throws(BrokenLaw) {
        try require(error.status == .usage, "an error of usage, not \(error)")
        try Hazard.requireNone(in: error.description, "an error")
        try Hazard.requireNone(in: error.hint, "a hint")
        try require(error.description.utf8.count <= 10_000, "an error is short")
    }

    private static func check(_ arguments: Arguments, of command: CommandSyntax) throws {
        let names = Dictionary(
            uniqueKeysWithValues: command.allOptions.map { ($0.name, $0.value != nil) })
        try require(
            arguments.flags.allSatisfy { names[$0] == false }
                && arguments.values.keys.allSatisfy { names[$0] == true },
            "only options of \(command.name): \(arguments)")
        try require(
            command.operands.count.contains(arguments.operands.count),
            "as many operands as \(command.name) takes: \(arguments)")
        let written =
            command.name.split(separator: " ").map(String.init)
            + arguments.flags.sorted().map { "--\($0)" }
            + arguments.lists.sorted { $0.key < $1.key }.flatMap { name, values in
                values.map { "--\(name)=\($0)" }
            }
            + (arguments.readsInput ? [] : ["--"]) + arguments.operands
        guard case .command(let other, let again)? = try request(written) else {
            throw BrokenLaw(description: "it is a command again: \(written)")
        }
        try require(
            other.name == command.name && again == arguments, "it is read alike: \(written)")
    }

    /// The values as the commands read them.
    private static func readValues(of arguments: Arguments) throws {
        for option in ["limit", "timeout", "max-age", "from", "since"] {
            do throws(CommandError) {
                switch option {
                case "limit": _ = try arguments.positiveInteger(option)
                case "timeout", "max-age": _ = try arguments.duration(option)
                default: _ = try arguments.day(option, today: "2030-01-02")
                }
            } catch {
                try check(error)
            }
        }
        let ids: [Int64]
        do throws(CommandError) {
            ids = try arguments.identifiers(arguments.operands)
        } catch {
            return try check(error)
        }
        var seen: Set<String> = []
        try require(
            ids.map { String($0) } == arguments.operands.filter { seen.insert($0).inserted },
            "an id is what was written, once: \(ids)")
    }
}
