internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Store

extension Command {
    static let login = Command(
        "login", "Logs in at the todos' server and keeps the token.",
        notes: [
            "The password comes from the place that the configuration names. If it names none, the",
            "command asks for the password; it is never an argument. A daemon uses the new token by",
            "itself.",
        ], statuses: [.unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: ["syncd login"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        try settings.require(.todos)
        let tokens = try composition.tokenFile(of: settings.todos.list.server, settings)
        let client = composition.todosClient(settings, over: composition.transport(settings))
        let email = settings.todos.email
        let password = try composition.password(settings, isNew: false)
        let token = try await CommandError.awaiting(
            CommandError.api, try await client.login(email: email, password: password))
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
}
