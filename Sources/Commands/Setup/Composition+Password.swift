internal import Configuration
internal import Declarations
internal import Host
internal import Text

extension Composition {
    /// The password of the account: from the configuration, else from the person at the terminal.
    func password(
        _ settings: Settings, isNew: Bool
    ) throws(CommandError) -> String {
        let password: String
        if let source = settings.todos.password {
            let user = facts.user
            password = try CommandError.trying(
                CommandError.configuration, try source.read(user: user).revealed)
        } else {
            password = try TerminalPrompt.secret(
                "password of \(settings.todos.email)", isNew: isNew,
                otherwise: .notConfigured(
                    "there is no password in the configuration and no terminal to ask at",
                    hint: "Name a file of mode 0600 under todos.passwordFile."))
        }
        secrets.register(password)
        return password
    }
}
