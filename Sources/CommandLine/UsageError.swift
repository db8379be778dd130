/// What is wrong with a command line.
package struct UsageError: Error, Sendable, Hashable {
    /// In one sentence.
    package let description: String
    /// The command whose help to read, where one was recognised.
    package let command: String?

    /// A wrong line of `command`.
    package init(_ description: String, command: String?) {
        self.description = description
        self.command = command
    }

    /// One imperative sentence: what the person can do.
    package var hint: String {
        command.map { "Run `syncd \($0) --help`." } ?? "Run `syncd help`."
    }
}

extension UsageError: CustomStringConvertible {}
