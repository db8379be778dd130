internal import CommandLine

extension Command {
    /// Its text is made before any command runs; this is its place in the list of commands.
    static let help = Command(
        "help", "Prints all commands, or all about one of them.",
        operands: OperandRule(name: "a COMMAND", usage: "[COMMAND]", count: 0...2),
        examples: ["syncd help todo add"]
    ) { _, _ in .ok }
}
