internal import Configuration
internal import Declarations
internal import Text

extension ServerSettings {
    /// What `syncd login` calls it, where one of its lists is `list`.
    func loginName(of list: ListName) -> String {
        name.hasPrefix("servers.") ? String(name.dropFirst("servers.".count)) : list.text
    }

    /// What a person does about a secret that the server refuses, and the command that tries the new one.
    func mend(of list: ListName) -> String? {
        guard let source = credential.source else { return nil }
        let secret: String
        let command: String
        switch credential {
        case .login(let login, _):
            secret =
                login.renewal == nil
                ? "the password that is right" : "the refresh token of a new login"
            command = list == .todos ? "syncd login" : "syncd login \(loginName(of: list))"
        case .basic:
            secret = "the password that is right"
            command = "syncd sync \(list)"
        case .none, .bearer, .header, .query:
            secret = "the token that is right"
            command = "syncd sync \(list)"
        }
        let place =
            switch source.place {
            case .inline: "Correct \(source.name) in the configuration, reload a daemon that runs"
            case .file(let path): "Put \(secret) into \(ForeignText.shellWord(path))"
            case .credential(let path):
                "Give the service \(secret) as \(ForeignText.shellWord(path))"
            }
        return "\(place), then run `\(command)`."
    }
}

extension Settings {
    /// What to do about a secret of a list that the server refuses; nil where nothing is known of it.
    func mend(ofList name: String) -> String? {
        everyList.first { $0.declaration.name.text == name }
            .flatMap { $0.server.mend(of: $0.declaration.name) }
    }
}
