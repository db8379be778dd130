internal import APIClient

extension Settings {
    /// Every key with the value in force, from the file or the default. Of a secret, it says only
    /// that there is one.
    static func effective(
        _ file: SettingsFile, database: (path: String, variable: String)?,
        lists: ListDirectory, movies: MoviesSettings.Credential?, password: SecretSource?
    ) throws(ConfigurationError) -> [EffectiveValue] {
        var token: SecretSource?
        var apiKey: SecretSource?
        switch movies {
        case .bearer(let source)?: token = source
        case .apiKey(let source)?: apiKey = source
        case nil: break
        }
        var values: [EffectiveValue] = []
        for key in KnownKey.all {
            let name = key.name
            let source = file.source(of: name)
            switch name {
            case "database" where database != nil:
                values.append(
                    EffectiveValue(
                        key: name, value: .text(database?.path ?? ""),
                        source: .environment(database?.variable ?? "")))
            case "lists":
                values.append(EffectiveValue(key: name, value: .text(lists.path), source: source))
            case "movies.token": values.append(secret(name, token, source))
            case "todos.password": values.append(secret(name, password, source))
            case "movies.apiKeyFile" where apiKey?.credentialPath != nil:
                values.append(secret(name, apiKey, source))
            default: values.append(.init(key: name, value: try file.value(name), source: source))
            }
        }
        return values
    }

    /// A secret's row: masked where it stands there or comes from a credential, else not set.
    private static func secret(
        _ name: String, _ secret: SecretSource?, _ source: EffectiveValue.Source
    ) -> EffectiveValue {
        switch secret?.place {
        case .inline: .init(key: name, value: .text(Secret.mask), source: source)
        case .credential(let path):
            .init(key: name, value: .text(Secret.mask), source: .credential(path))
        case .file, nil: .init(key: name, value: .null, source: source)
        }
    }
}

extension SecretSource {
    fileprivate var credentialPath: String? {
        switch place {
        case .credential(let path): path
        case .inline, .file: nil
        }
    }
}
