internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Store
internal import Text

extension Command {
    static let login = Command(
        "login", "Logs in at a server and keeps the token.",
        operands: OperandRule(
            name: "the name of a server or a list, or nothing", usage: "[SERVER]", count: 0...1),
        notes: [
            "SERVER is a name of the section servers, or a list whose server has a login; left out: the",
            "todos' server, or the only one with a login. The password comes from the place that the",
            "configuration names, and it is tried at once, also after refusals. If none is named for the",
            "todos, the command asks for the password; it is never an argument. A daemon uses the new",
            "token by itself. If a token renews others (`refresh`), it is used once.",
        ], statuses: [.data, .unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: ["syncd login", "syncd login office"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.usableSettings(for: arguments)
        if let target = try settings.loginTarget(arguments) {
            try await composition.login(at: target, settings)
            return .ok
        }
        try settings.require(.todos)
        let tokens = try composition.tokenFile(of: settings.todos.list.server, settings)
        let client = composition.todosClient(settings, over: composition.transport(settings))
        let email = settings.todos.email
        let password = try composition.password(settings, isNew: false)
        let token = try await CommandError.awaiting(
            CommandError.api, try await client.login(email: email, password: password))
        try await composition.keep(
            StoredToken(baseURL: client.baseURL.description, email: email, token: token), in: tokens
        )
        composition.console.note("logged in as \(email) at \(client.baseURL)")
        return .ok
    }
}

extension Settings {
    /// The server that is named, or the only one with a login; nil for the todos.
    fileprivate func loginTarget(_ arguments: Arguments) throws(CommandError) -> LoginTarget? {
        let named = serverNames.compactMap { name in server(named: name).map { (name, $0) } }
        guard let word = arguments.operands.first else {
            guard !keeps(ListName.todos.text) else { return nil }
            let all = (named.map(\.1) + lists.map(\.server)).compactMap(target)
            let names = all.map { $0.server.name }
            guard Set(names).count > 1 else { return all.first }
            let known = (named.filter { target($0.1) != nil }.map(\.0)).joined(separator: ", ")
            throw arguments.usage("several servers have a login: name one, such as \(known)")
        }
        guard word != ListName.todos.text else { return nil }
        let list = everyList.first { $0.declaration.name.text == word }?.server
        guard let server = server(named: word) ?? list else {
            let names = named.map(\.0) + everyList.map(\.declaration.name.text)
            throw arguments.usage(
                "there is no server and no list ‘\(Arguments.shown(word))’"
                    + Arguments.remark(on: word, among: names))
        }
        guard let target = target(server) else {
            throw .data(
                "\(ForeignText(word)) has no login: nothing is exchanged for a token there",
                hint: "`syncd config servers` shows how each server is told who asks.")
        }
        return target
    }

    private func target(_ server: ServerSettings) -> LoginTarget? {
        guard case .login(let login, let secret) = server.credential else { return nil }
        return LoginTarget(server: server, login: login, secret: secret)
    }
}

extension Composition {
    /// Logs in with the password as it is now, whatever was refused before, and keeps the token.
    fileprivate func login(
        at target: LoginTarget, _ settings: Settings
    ) async throws(CommandError) {
        let server = target.server
        let tokens = try tokenFile(of: server, settings)
        let secret = try CommandError.trying(
            CommandError.configuration, try target.secret.read(user: facts.user).revealed)
        let call = try loginCall(
            target, keptBeside: tokens, settings, over: transport(settings))
        let (token, account): (String, String)
        do throws(APIError) {
            (token, account) = (try await call.token(by: secret), try call.account())
        } catch {
            let list = settings.everyList.first { $0.server.name == server.name }
            throw server.refusal(of: error, list: list?.declaration.name)
        }
        try await keep(
            StoredToken(baseURL: server.baseURL.description, email: account, token: token),
            in: tokens)
        LoginRefusalFile(directory: tokens.directory, name: tokens.name + ".refused").discard()
        let name = target.login.user
        console.note("logged in\(name.isEmpty ? "" : " as \(name)") at \(server.baseURL)")
    }

    fileprivate func keep(
        _ token: StoredToken, in tokens: TokenFile
    ) async throws(CommandError) {
        do throws(TokenStoreError) {
            try await tokens.save(token)
        } catch {
            throw .input(error.description, hint: error.hint)
        }
    }
}

extension ServerSettings {
    /// A failed login, with the key or the file to mend.
    func refusal(of error: APIError, list: ListName?) -> CommandError {
        guard case .status(let failure) = error, case .login(let login, let source) = credential
        else {
            return .api(error)
        }
        let status = CommandError.api(error).status
        let auth = name + ".auth"
        if failure.refusesCredentials {
            let hint =
                list.flatMap { mend(of: $0) }
                ?? (login.renewal == nil
                    ? "Correct \(auth).user, or the password where \(source.name) says."
                    : "Put the refresh token of a new login where \(source.name) says.")
            return .answer(options: [], failure.description, hint: hint, status: status)
        }
        guard [404, 405, 410].contains(failure.code) else { return .api(error) }
        return .answer(
            options: [], failure.description,
            hint: "Correct \(auth).path: the server has no login there.", status: status)
    }
}
