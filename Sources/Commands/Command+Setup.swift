internal import APIClient
internal import Configuration
internal import Host
internal import Text

extension Command {
    static let setup = Command(
        "setup", "Asks for servers and account, and writes the configuration.",
        options: SetupAnswers.options + [
            OptionSpec("create-account", "create the account before it is used"),
            OptionSpec("no-check", "ask no server"),
            OptionSpec("enable", "start the daemon now and at each login"),
            OptionSpec("replace", "replace a configuration that is there"),
        ],
        notes: [
            "What no option gives is asked for at the terminal; a secret is never an argument and never",
            "shown. Nothing is written unless every server takes what it is given. The secrets go to",
            "files beside the configuration that only you can read. The service of --enable reads the",
            "usual configuration, so that it goes with no --config.",
        ], statuses: [.data, .unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: [
            "syncd setup",
            "syncd setup --no-movies --todos-url https://todos.example.com \\\n"
                + "    --email ada@example.com --password-file ~/password",
        ]
    ) { arguments, composition async throws(CommandError) in
        let isEnabling = arguments.flags.contains("enable")
        guard arguments.configuration == nil || !isEnabling else {
            throw arguments.usage(
                "--enable starts the service, which reads the usual configuration, not --config")
        }
        let path = try CommandError.from(CommandError.configuration) {
            () throws(ConfigurationError) in
            try Settings.place(named: arguments.configuration, facts: composition.facts)
        }
        let isThere = SmallFile(path: path, limit: Settings.fileLimit).exists
        guard !isThere || arguments.flags.contains("replace") else {
            throw .data(
                "\(path) is there already",
                hint: "Edit it, or run the command again with --replace.")
        }
        let files = SetupFiles(path: path, answers: try SetupAnswers(arguments, by: composition))
        for secret in [files.answers.movies?.token, files.answers.todos?.password] {
            if let secret { composition.secrets.register(secret) }
        }
        let settings = try CommandError.from(CommandError.configuration) {
            () throws(ConfigurationError) in try files.settings(composition.facts)
        }
        if !arguments.flags.contains("no-check") {
            try await composition.tryServers(
                settings, files.answers, creating: arguments.flags.contains("create-account"))
        }
        let written = try CommandError.from(CommandError.file) { () throws(FileError) in
            try files.write(user: composition.facts.user)
        }
        for path in written { composition.console.note("wrote \(path)") }
        guard arguments.configuration == nil else {
            let option = "--config \(ForeignText.shellWord(path))"
            composition.console.note(
                "next: `syncd sync \(option)` syncs once, `syncd run \(option)` goes on")
            return .ok
        }
        try await composition.enableService(isWanted: isEnabling)
        return .ok
    }
}

extension Composition {
    /// One request to each server, with the credentials that are not written yet.
    fileprivate func tryServers(
        _ settings: Settings, _ answers: SetupAnswers, creating: Bool
    ) async throws(CommandError) {
        let transport = transport(settings)
        if let movies = answers.movies {
            let client = moviesClient(settings, .bearer(movies.token), over: transport)
            let page = try await CommandError.from(CommandError.api) { () async throws(APIError) in
                try await client.upcomingMovies(page: 1)
            }
            console.note("\(settings.movies.baseURL): \(page.totalResults) upcoming movies")
        }
        guard let todos = answers.todos else { return }
        let client = todosClient(settings, over: transport)
        try await CommandError.from(CommandError.api) { () async throws(APIError) in
            if creating {
                _ = try await client.createUser(
                    name: String(todos.email.prefix { $0 != "@" }), email: todos.email,
                    password: todos.password)
            }
            _ = try await client.login(email: todos.email, password: todos.password)
        }
        console.note("\(settings.todos.baseURL): logged in as \(todos.email)")
    }

    /// Enables the unit of the person's own service manager, where both are there and it is wanted.
    fileprivate func enableService(isWanted: Bool) async throws(CommandError) {
        guard try await shell("systemctl --user cat syncd.service >/dev/null 2>&1") == 0 else {
            guard !isWanted else {
                throw .notConfigured(
                    "there is no syncd.service of yours, or no service manager of yours runs",
                    hint: "Run `syncd run`, or enable the service of the machine.")
            }
            return console.note("next: `syncd sync` syncs once, `syncd run` goes on")
        }
        var isWanted = isWanted
        if !isWanted {
            let answer = try? TerminalPrompt.line(
                "start the daemon now and at each login? y or n", usual: "y",
                otherwise: .interrupted)
            // Nobody to ask: nobody wants it.
            isWanted = answer?.lowercased().hasPrefix("y") ?? false
        }
        guard isWanted else {
            return console.note("later: systemctl --user enable --now syncd.service")
        }
        guard try await shell("systemctl --user enable --now syncd.service") == 0 else {
            throw .notConfigured(
                "the service could not be started",
                hint: "Look at it with `systemctl --user status syncd.service`.")
        }
        console.note("the daemon runs; `loginctl enable-linger` keeps it when you log out")
    }

    private func shell(_ command: String) async throws(CommandError) -> Int32 {
        let child = try CommandError.from(CommandError.system) { () throws(SystemError) in
            try ChildCommand(shell: command, input: [], on: queue)
        }
        return await child.ending()
    }
}
