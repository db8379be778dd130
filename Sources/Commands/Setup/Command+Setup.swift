internal import APIClient
internal import CommandLine
internal import Configuration
internal import Host
internal import Store
internal import Text

extension Command {
    static let setup = Command(
        "setup", "Asks for servers and lists, and writes the configuration.",
        options: SetupDialogue.options + [
            OptionSpec("create-account", "create the account before it is used"),
            OptionSpec("no-check", "ask no server"),
            OptionSpec("enable", "start the daemon now and at each login"),
            OptionSpec("replace", "replace a configuration that is there"),
        ],
        notes: [
            "What no option gives is asked for at the terminal, and each answer is tried before the next",
            "question. A secret is never an argument and never shown. Nothing is written before all",
            "answers are taken. The secrets go to files beside the configuration that only you can read.",
            "With --replace, the old configuration is kept beside the new one as ….bak; its values are",
            "offered, and what is not asked for stays. Without a terminal they hold where no option gives",
            "another. A list of any server is given by its URL, and declared as `syncd declare` does.",
            "\(SetupDialogue.tokenOfTMDB) What servers must offer is in docs/server-api.md. The",
            "service of --enable reads the usual configuration, so that it goes with no --config.",
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
        let replaced = try composition.replaced(at: path, arguments)
        var dialogue = SetupDialogue(
            arguments: arguments, composition: composition, path: path,
            present: replaced?.settings, text: replaced?.text ?? ConfigurationText())
        try await dialogue.answerAll()
        let files = SetupFiles(path: path, replaced: replaced?.file)
        let settings: Settings
        do throws(SetupProblem) {
            settings = try dialogue.settings(files.configuration(dialogue))
        } catch {
            throw .notConfigured(error.sentence, hint: error.hint)
        }
        let written = try CommandError.trying(
            CommandError.file, try files.write(dialogue, user: composition.facts.user))
        for path in written { composition.console.note("wrote \(path)") }
        for list in dialogue.lists {
            let file = NewListFile(name: list.name, settings: settings, composition: composition)
            composition.console.note("wrote \(try file.write(list.declaration))")
        }
        await composition.discardToken(of: replaced?.settings.account, for: settings)
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

/// The configuration that `setup` replaces.
private struct ReplacedConfiguration {
    let file: SetupFiles.Replaced
    let text: ConfigurationText
    let settings: Settings
}

extension Composition {
    /// What is at `path` now; nil where nothing is. It has to be a configuration: of anything else, the
    /// keys that nobody asks for would be lost.
    fileprivate func replaced(
        at path: String, _ arguments: Arguments
    ) throws(CommandError) -> ReplacedConfiguration? {
        let file = SmallFile(path: path, limit: Settings.fileLimit)
        guard file.exists else { return nil }
        guard arguments.flags.contains("replace") else {
            throw .data(
                "\(path) is there already",
                hint: "Edit it, or run the command again with --replace, which keeps a copy.")
        }
        return try CommandError.from(CommandError.configuration) {
            () throws(ConfigurationError) in
            let settings = try Settings.load(named: path, facts: facts)
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try file.readTrusted(user: facts.user).bytes
            } catch {
                throw .file(error)
            }
            return ReplacedConfiguration(
                file: .init(bytes: bytes, mode: FileFacts.mode(following: path)),
                text: try ConfigurationText(bytes, path: path), settings: settings)
        }
    }

    /// Takes the token of the account that was there away, if the configuration names another one now.
    fileprivate func discardToken(of before: Account?, for settings: Settings) async {
        // What fails here does no harm: a token is used only for the account that it names.
        guard let before, before != settings.account,
            let directory = try? StateDirectory(
                existing: settings.stateDirectory, user: facts.user)
        else { return }
        let tokens = TokenFile(
            directory: directory, name: settings.todos.list.server.tokenFile, secrets: secrets)
        guard let stored = try? await tokens.load(),
            Account(baseURL: stored.baseURL, email: stored.email) == before
        else { return }
        try? await tokens.discard()
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
        // Ctrl-C here is a no: all is written.
        let question = "start the daemon now and at each login?"
        guard isWanted || (try? TerminalPrompt.agrees(question, usual: true)) ?? false else {
            return console.note("later: systemctl --user enable --now syncd.service")
        }
        // A daemon that runs would go on with the configuration from before.
        let commands = ["enable", "restart"].map { "systemctl --user \($0) syncd.service" }
        guard try await shell(commands.joined(separator: " && ")) == 0 else {
            throw .notConfigured(
                "the service could not be started",
                hint: "Look at it with `systemctl --user status syncd.service`.")
        }
        console.note("the daemon runs; `loginctl enable-linger` keeps it when you log out")
    }

    private func shell(_ command: String) async throws(CommandError) -> Int32 {
        let child = try CommandError.trying(
            CommandError.system, try ChildCommand(shell: command, input: [], on: queue))
        return await child.ending()
    }
}
