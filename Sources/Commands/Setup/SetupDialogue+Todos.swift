internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Text

extension SetupDialogue {
    /// Asks for the todos' server and the account there, each tried before the next; false for no todos.
    mutating func askForTodos() async throws(CommandError) -> Bool {
        guard let server = try await todosServer(), let found = server.value else {
            text.set("todos.enabled", to: .bool(false))
            return false
        }
        text = found.text
        let login = try await login(at: found, isTried: server.wasTried)
        if !found.isPresent || login.email != present?.todos.email {
            text.set("todos.baseURL", to: .text(found.address))
            text.set("todos.email", to: .text(login.email))
        }
        if case .new(let secret) = login.password {
            text.set("todos.password", to: nil)
            secrets.append((key: "todos.passwordFile", secret: secret))
        }
        return true
    }

    private func todosServer() async throws(CommandError) -> SetupAnswer<SetupServer?>? {
        if arguments.flags.contains("no-todos") { return nil }
        let now = present.map { $0.todos.isEnabled ? $0.todos.baseURL.description : "none" }
        return try await answer(
            "todos-url", "the todos' base URL, or none", usual: now ?? "", present: now,
            read: { (typed) throws(SetupProblem) in
                try server(
                    typed, .todos, now: present?.todos.baseURL,
                    secrets: ["todos.password", "todos.passwordFile"])
            }, attempt: { await probe($0, .todos) })
    }

    /// E-mail and password with which the server lets us in, or which no server could judge.
    private func login(
        at server: SetupServer, isTried: Bool
    ) async throws(CommandError) -> (email: String, password: SetupSecret) {
        var creates = arguments.flags.contains("create-account")
        var usual = server.isPresent ? present?.todos.email : nil
        // Standard input, for one, can be read once.
        var given: SetupSecret?
        while true {
            let email = try await email(at: server, usual: usual)
            let isPresent = server.isPresent && email == present?.todos.email
            let password: SetupSecret
            if let given {
                password = given
            } else {
                password = try secret(
                    "password-file", "the password of \(email)", form: .password,
                    kept: isPresent ? present?.todos.password : nil, isNew: creates)
            }
            if arguments.values["password-file"] != nil { given = password }
            guard isTried else { return (email, password) }
            guard var problem = await attempt(email, password, creates, at: server) else {
                return (email, password)
            }
            let options = ["email", "password-file"].filter { arguments.values[$0] != nil }
            guard TerminalPrompt.isThere, options.count < 2 else {
                throw refusal(problem, of: options, creates: creates)
            }
            tell(problem)
            if try keeps(problem) { return (email, password) }
            if problem.isRefusal, !creates, try isCreationWanted(email, password) {
                guard let other = await attempt(email, password, true, at: server) else {
                    return (email, password)
                }
                problem = other
                tell(problem)
            }
            // It is created once, or it was there before.
            creates = false
            usual = email
        }
    }

    private func email(
        at server: SetupServer, usual: String?
    ) async throws(CommandError) -> String {
        let present = present?.todos.isEnabled == true ? present?.todos.email : nil
        return try await answer(
            "email", "the account's e-mail", usual: usual ?? "",
            present: server.isPresent ? present : nil,
            read: { (typed) throws(SetupProblem) in
                var judged = server.text
                judged.set("todos.email", to: .text(typed))
                _ = try settings(judged)
                return typed
            }, attempt: { (_: String) in nil }
        ).value
    }

    /// Creates the account if it is wanted, and logs in; nil where that went well.
    private func attempt(
        _ email: String, _ password: SetupSecret, _ creates: Bool, at server: SetupServer
    ) async -> SetupProblem? {
        let client = composition.todosClient(
            server.settings, over: composition.transport(server.settings))
        do throws(APIError) {
            if creates {
                let name = String(email.prefix { $0 != "@" })
                _ = try await client.createUser(
                    name: name.isEmpty ? email : name, email: email, password: password.text)
                composition.console.note("\(server.url): created the account \(email)")
            }
            _ = try await client.login(email: email, password: password.text)
            composition.console.note("\(server.url): logged in as \(email)")
            return nil
        } catch {
            return SetupProblem(error)
        }
    }

    /// Whether the person wants the account that the server does not know, and knows the password.
    private func isCreationWanted(
        _ email: String, _ password: SetupSecret
    ) throws(CommandError) -> Bool {
        guard try TerminalPrompt.agrees("create the account \(email) there?", usual: false) else {
            return false
        }
        guard arguments.values["password-file"] == nil else { return true }
        return try isRepeated(password.text, as: "the password of \(email)")
    }

    private func refusal(
        _ problem: SetupProblem, of given: [String], creates: Bool
    ) -> CommandError {
        let options = creates ? ["create-account"] : given.isEmpty ? ["password-file"] : given
        let hint = "Give the account as the server knows it, or add --create-account."
        return problem.refusal(of: options, hint: problem.isRefusal && !creates ? hint : "")
    }
}
