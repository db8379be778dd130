package import CommandLine

extension CommandTable {
    /// The product's own commands.
    package static let standard = CommandTable(commands: Command.all.map(\.syntax))
}
