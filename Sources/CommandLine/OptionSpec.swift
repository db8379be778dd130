/// A long option of a command.
package struct OptionSpec: Sendable, Hashable {
    /// Without the two dashes.
    package let name: String
    /// What stands for its value in the help; nil for an option without one.
    package let value: String?
    /// What it does, in a few words.
    let meaning: String

    /// An option with a value.
    package init(_ name: String, _ value: String, _ meaning: String) {
        self.name = name
        self.value = value
        self.meaning = meaning
    }

    /// An option without one.
    package init(_ name: String, _ meaning: String) {
        self.name = name
        value = nil
        self.meaning = meaning
    }

    package static let config = OptionSpec(
        "config", "FILE", "the configuration file, instead of the usual ones")
    package static let quiet = OptionSpec("quiet", "print only data and errors")
    package static let json = OptionSpec("json", "print one JSON document")
    package static let help = OptionSpec("help", "print this, as -h does")
}
