internal import APIClient
internal import CommandLine
internal import Configuration
internal import Host
internal import Text

/// Asks for what no option gives, and tries each answer before the next question.
///
/// What an option gives is never asked for: where it fails, the command ends and names the option. What
/// was typed is asked for again. Nothing is written here.
struct SetupDialogue: Sendable {
    let arguments: Arguments
    let composition: Composition
    /// Where the configuration goes, absolute.
    let path: String
    /// The configuration that is to be replaced; nil where there is none.
    let present: Settings?
    /// What the configuration comes to, answer by answer.
    var text: ConfigurationText
    /// The files of new secrets, by the key that names them.
    var secrets: [(key: String, secret: String)] = []
    /// The lists that are declared beside the configuration.
    var lists: [SetupList] = []

    static let options = [
        OptionSpec("movies-url", "URL", "where the movies come from"),
        OptionSpec(
            "movies-token-file", "FILE", "take the movies' read token from FILE, - for input"),
        OptionSpec("no-movies", "keep no movies"),
        OptionSpec("todos-url", "URL", "where the todos live"),
        OptionSpec("email", "EMAIL", "the account at the todos' server"),
        OptionSpec("password-file", "FILE", "take the account's password from FILE, - for input"),
        OptionSpec("no-todos", "keep no todos"),
        OptionSpec("list-url", "URL", "a list of any server that needs no token"),
        OptionSpec("database", "FILE", "where the cache goes, instead of the usual place"),
    ]

    /// Asks everything.
    mutating func answerAll() async throws(CommandError) {
        let usesInputTwice = ["movies-token-file", "password-file"]
            .allSatisfy { arguments.values[$0] == "-" }
        guard !usesInputTwice else {
            throw arguments.usage("only one secret can come from standard input")
        }
        try requireOptions()
        let hasMovies = try await askForMovies()
        let hasTodos = try await askForTodos()
        try await askForCache()
        try await askForLists()
        guard hasMovies || hasTodos || !lists.isEmpty else {
            throw arguments.usage(
                "without movies, todos and another list there is nothing to sync")
        }
    }

    /// Without a terminal, names what is missing before any server is asked.
    private func requireOptions() throws(CommandError) {
        guard !TerminalPrompt.isThere, present == nil else { return }
        let groups = [
            ("no-movies", ["movies-url", "movies-token-file"]),
            ("no-todos", ["todos-url", "email", "password-file"]),
        ]
        for (exclusion, options) in groups
        where !arguments.flags.contains(exclusion) && arguments.values[options[0]] != "none" {
            for option in options where arguments.values[option] == nil { throw missing(option) }
        }
    }

    var triesServers: Bool { !arguments.flags.contains("no-check") }

    /// What `text` means; nothing is read or written for it.
    func settings(_ text: ConfigurationText) throws(SetupProblem) -> Settings {
        do throws(ConfigurationError) {
            return try Settings(
                text.bytes, path: path, environment: composition.facts.environment)
        } catch {
            throw SetupProblem(error)
        }
    }

    /// One answer: from `option`, else typed, else what is `present` where there is no terminal.
    func answer<Value: Sendable>(
        _ option: String, _ question: String, usual: String, present: String?,
        read: (String) throws(SetupProblem) -> Value, attempt: (Value) async -> SetupProblem?
    ) async throws(CommandError) -> SetupAnswer<Value> {
        if let given = arguments.values[option] ?? (TerminalPrompt.isThere ? nil : present) {
            let value: Value
            do throws(SetupProblem) {
                value = try read(given)
            } catch {
                throw error.refusal(of: [option])
            }
            if let problem = await attempt(value) { throw problem.refusal(of: [option]) }
            return SetupAnswer(value: value, wasTried: triesServers)
        }
        while true {
            let typed = try TerminalPrompt.line(
                question, usual: usual, otherwise: missing(option))
            let value: Value
            do throws(SetupProblem) {
                guard !typed.isEmpty else {
                    throw SetupProblem("nothing was typed", hint: "", status: .data)
                }
                value = try read(typed)
            } catch {
                tell(error)
                continue
            }
            guard let problem = await attempt(value) else {
                return SetupAnswer(value: value, wasTried: triesServers)
            }
            tell(problem)
            if try keeps(problem) { return SetupAnswer(value: value, wasTried: false) }
        }
    }

    /// Says why an answer is not taken, to a person who is asked again.
    func tell(_ problem: SetupProblem) {
        TerminalPrompt.say(composition.secrets.masked(problem.text))
    }

    /// Whether the person keeps an answer that no server could judge.
    func keeps(_ problem: SetupProblem) throws(CommandError) -> Bool {
        guard problem.isServerAway else { return false }
        return try TerminalPrompt.agrees("keep it all the same?", usual: false)
    }

    /// The end of the command where neither an option nor a person answers.
    func missing(_ option: String) -> CommandError {
        arguments.usage("--\(option) is missing, and there is no terminal to ask at")
    }
}
