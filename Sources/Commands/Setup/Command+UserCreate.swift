internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Rendering
internal import Store
internal import Text

extension Command {
    static let userCreate = Command(
        "user create", "Creates the account that the configuration names.",
        options: [.json, OptionSpec("name", "NAME", "what the account is called")],
        notes: [
            "The password comes from the place that the configuration names. If it names none, the",
            "command asks for it twice. Without --name, the account is called like its e-mail up to",
            "the @.",
        ], statuses: [.data, .unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: ["syncd user create --name Ada"]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        try settings.require(.todos)
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
                line: ForeignText(
                    composition.secrets.masked(
                        "created \(user.email) (\(user.name)), id \(user.id)")
                ).escaped)
        }
        return .ok
    }
}
