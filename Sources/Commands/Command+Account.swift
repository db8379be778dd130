internal import APIClient
internal import Configuration
internal import Host
internal import Rendering

extension Command {
    static let login = Command(
        "login", "Logs in at the todos' server and keeps the token.",
        notes: [
            "The password is read from where the configuration says, else asked for; it is never an",
            "argument. A daemon uses the new token by itself.",
        ], statuses: [.unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: ["syncd login"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        let tokens = try composition.tokenFile(settings)
        let client = composition.todosClient(settings, over: composition.transport(settings))
        let email = settings.todos.email
        let password = try composition.password(settings, isNew: false)
        let token = try await CommandError.from(CommandError.api) { () async throws(APIError) in
            try await client.login(email: email, password: password)
        }
        let stored = StoredToken(
            baseURL: client.baseURL.description, email: email, token: token)
        do throws(TokenStoreError) {
            try await tokens.save(stored)
        } catch {
            throw .input(error.description, hint: error.hint)
        }
        composition.console.note("logged in as \(email) at \(client.baseURL)")
        return .ok
    }

    static let userCreate = Command(
        "user create", "Creates the account that the configuration names.",
        options: [.json, OptionSpec("name", "NAME", "what the account is called")],
        notes: [
            "The password is read from where the configuration says, else asked for twice. Without",
            "--name, the account is called like its e-mail up to the @.",
        ], statuses: [.data, .unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: ["syncd user create --name Ada"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        let email = settings.todos.email
        let name = arguments.values["name"] ?? String(email.prefix { $0 != "@" })
        guard !name.isEmpty else { throw arguments.usage("--name needs a name that is not empty") }
        let client = composition.todosClient(settings, over: composition.transport(settings))
        let password = try composition.password(settings, isNew: true)
        let user = try await CommandError.from(CommandError.api) { () async throws(APIError) in
            try await client.createUser(name: name, email: email, password: password)
        }
        if arguments.wantsJSON {
            try composition.console.write([
                "id": .string(user.id.text), "email": .string(user.email),
                "name": .string(user.name),
            ])
        } else {
            try composition.console.write(
                line: ForeignText("created \(user.email) (\(user.name)), id \(user.id)").escaped)
        }
        return .ok
    }
}

extension Composition {
    /// The password of the account: from the configuration, else from the person at the terminal.
    fileprivate func password(
        _ settings: Settings, isNew: Bool
    ) throws(CommandError) -> String {
        let password: String
        if let source = settings.todos.password {
            let user = facts.user
            password = try CommandError.from(CommandError.configuration) {
                () throws(ConfigurationError) in try source.read(user: user).revealed
            }
        } else {
            password = try PasswordPrompt.ask(
                "password of \(settings.todos.email)", twice: isNew)
        }
        redactor.register(password)
        return password
    }
}
