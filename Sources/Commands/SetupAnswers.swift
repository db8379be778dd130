internal import Glibc
internal import Host

/// What a new configuration is made of: taken from options, and asked for where they are silent.
struct SetupAnswers: Sendable {
    struct Movies: Sendable {
        var baseURL: String
        var token: String
    }

    struct Todos: Sendable {
        var baseURL: String
        var email: String
        var password: String
    }

    var movies: Movies?
    var todos: Todos?

    static let tmdb = "https://api.themoviedb.org/3"

    static let options = [
        OptionSpec("movies-url", "URL", "where the movies come from"),
        OptionSpec(
            "movies-token-file", "FILE", "take the movies' read token from FILE, - for input"),
        OptionSpec("no-movies", "keep no movies"),
        OptionSpec("todos-url", "URL", "where the todos live"),
        OptionSpec("email", "EMAIL", "the account at the todos' server"),
        OptionSpec("password-file", "FILE", "take the account's password from FILE, - for input"),
        OptionSpec("no-todos", "keep no todos"),
    ]

    init(_ arguments: Arguments, by composition: Composition) throws(CommandError) {
        let usesInputTwice = ["movies-token-file", "password-file"]
            .allSatisfy { arguments.values[$0] == "-" }
        guard !usesInputTwice else {
            throw arguments.usage("only one secret can come from standard input")
        }
        movies = try Self.movies(arguments, composition)
        todos = try Self.todos(arguments, composition)
        guard movies != nil || todos != nil else {
            throw arguments.usage("without movies and without todos there is nothing to sync")
        }
    }

    private static func movies(
        _ arguments: Arguments, _ composition: Composition
    ) throws(CommandError) -> Movies? {
        if arguments.flags.contains("no-movies") { return nil }
        let url = try text("movies-url", arguments, "the movies' base URL, or none", usual: tmdb)
        guard url != "none" else { return nil }
        let token = try secret(
            "movies-token-file", arguments, composition, "the movies' read token (not shown)",
            isNew: false)
        return Movies(baseURL: url, token: token)
    }

    private static func todos(
        _ arguments: Arguments, _ composition: Composition
    ) throws(CommandError) -> Todos? {
        if arguments.flags.contains("no-todos") { return nil }
        let url = try text("todos-url", arguments, "the todos' base URL, or none", usual: "")
        guard url != "none" else { return nil }
        let email = try text("email", arguments, "the account's e-mail", usual: "")
        let password = try secret(
            "password-file", arguments, composition, "the password of \(email) (not shown)",
            isNew: arguments.flags.contains("create-account"))
        return Todos(baseURL: url, email: email, password: password)
    }

    private static func text(
        _ option: String, _ arguments: Arguments, _ subject: String, usual: String
    ) throws(CommandError) -> String {
        if let given = arguments.values[option] { return given }
        let answer = try TerminalPrompt.line(
            subject, usual: usual, otherwise: missing(option, arguments))
        guard !answer.isEmpty else {
            throw .data("\(subject): nothing was typed", hint: "Run the command again.")
        }
        return answer
    }

    private static func secret(
        _ option: String, _ arguments: Arguments, _ composition: Composition, _ subject: String,
        isNew: Bool
    ) throws(CommandError) -> String {
        guard let file = arguments.values[option] else {
            return try TerminalPrompt.secret(
                subject, isNew: isNew, otherwise: missing(option, arguments))
        }
        let bytes: [UInt8]
        if file == "-" {
            bytes = try InputLines.bytes()
        } else {
            let path = try composition.absolute(file)
            bytes = try CommandError.from(CommandError.file) { () throws(FileError) in
                try SmallFile(path: path, limit: 8192).read()
            }
        }
        var line = bytes[...]
        if line.last == 0x0A {
            line.removeLast()
            if line.last == 0x0D { line.removeLast() }
        }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty,
            line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw .data(
                "what --\(option) names is empty, not UTF-8 or holds a control character, such as a second line",
                hint: "Put the secret there alone.")
        }
        return text
    }

    private static func missing(_ option: String, _ arguments: Arguments) -> CommandError {
        arguments.usage("--\(option) is missing, and there is no terminal to ask at")
    }
}
