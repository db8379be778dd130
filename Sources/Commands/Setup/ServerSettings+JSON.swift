internal import APIClient
internal import Configuration
internal import Declarations
internal import Text

extension ServerSettings {
    /// The server as a file of a list can describe it. A secret that stands in the configuration is masked.
    var json: JSONNode {
        .object([
            ("baseURL", .text(baseURL.description)),
            ("auth", credential.json(clientSecret: clientSecret)),
            (
                "headers",
                fields.isEmpty ? nil : .object(fields.map { ($0.name, .text($0.value)) })
            ),
            ("concurrency", concurrency == 4 ? nil : .number(concurrency)),
            ("account", account.map { .text($0) }), ("whoami", whoami?.node),
        ])
    }
}

extension ServerSettings.Credential {
    fileprivate func json(clientSecret: SecretSource?) -> JSONNode? {
        switch self {
        case .none: nil
        case .bearer(let source): .object([("kind", .text("bearer")), source.member("token")])
        case .header(let name, let prefix, let source):
            .object([
                ("kind", .text("header")), ("name", .text(name)),
                ("prefix", prefix.isEmpty ? nil : .text(prefix)), source.member("value"),
            ])
        case .query(let name, let source):
            .object([("kind", .text("query")), ("name", .text(name)), source.member("value")])
        case .basic(let user, let source):
            .object([
                ("kind", .text("basic")), ("user", .text(user)), source.member("password"),
            ])
        case .login(let login, let source):
            .object(
                [("kind", .text(login.renewal == nil ? "login" : "refresh"))] + login.members
                    + [source.member(login.renewal == nil ? "password" : "token")]
                    + (clientSecret.map { [$0.member("secret")] } ?? []))
        }
    }
}

extension SecretSource {
    fileprivate func member(_ stem: String) -> (key: String, node: JSONNode?) {
        switch place {
        case .inline(let secret):
            (stem, .text(isKnownToAll ? secret.revealed : secret.description))
        case .file(let path): ("\(stem)File", .text(path))
        case .credential: (stem, nil)
        }
    }
}
