public import APIClient
public import Declarations

/// A server of declared lists.
public struct ServerSettings: Sendable, Hashable {
    /// What messages call it: `servers.NAME`, or the file of the list that describes it.
    public let name: String
    /// The name of the file in the state directory that keeps the token of a login.
    public let tokenFile: String
    /// Where the paths of its lists begin.
    public let baseURL: BaseURL
    /// How it is told who asks.
    public let credential: Credential
    /// Header fields of each request.
    public let fields: [HTTPField]
    /// How many requests may be under way at once, of all its lists together: 1 to 16.
    public let concurrency: Int
    /// Tells this account from others of the same server.
    public let account: String?
    /// The call that says whose the credential is; nil: there is none.
    public let whoami: WhoAmI?
    /// Where the secret of syncd itself is that a renewal sends; nil: it sends none.
    public let clientSecret: SecretSource?

    /// How a server is told who asks.
    public enum Credential: Sendable, Hashable {
        /// Not at all.
        case none
        /// A token in the header.
        case bearer(SecretSource)
        /// A header field of the server's own, with a text before the secret.
        case header(name: String, prefix: String, SecretSource)
        /// A parameter of the query.
        case query(name: String, SecretSource)
        /// A name and a password in each request.
        case basic(user: String, SecretSource)
        /// The token of a call that takes a name and a password, or a token that renews others.
        case login(LoginDescription, SecretSource)

        /// Where its secret is.
        public var source: SecretSource? {
            switch self {
            case .none: nil
            case .bearer(let source), .header(_, _, let source), .query(_, let source),
                .basic(_, let source), .login(_, let source):
                source
            }
        }
    }

    init(
        name: String, baseURL: BaseURL, credential: Credential, fields: [HTTPField],
        concurrency: Int, account: String?, tokenFile: String
    ) {
        self.name = name
        self.tokenFile = tokenFile
        self.baseURL = baseURL
        self.credential = credential
        self.fields = fields
        self.concurrency = concurrency
        self.account = account
        whoami = nil
        clientSecret = nil
    }
}

extension ServerSettings {
    /// The server that a configuration describes.
    ///
    /// - Parameters:
    ///   - description: As it was read.
    ///   - name: What messages call it.
    ///   - stem: What the service manager's credential begins with: `STEM-token`.
    ///   - locations: Where paths and credentials are.
    /// - Throws: ``ConfigurationError`` where a secret is missing, or cannot be one.
    init(
        _ description: ServerDescription, name: String, stem: String, locations: Locations
    ) throws(ConfigurationError) {
        self.name = name
        // No server and no list has a hyphen in its name.
        tokenFile = "token-" + (name.hasPrefix("servers.") ? "" : "list-") + stem + ".json"
        do throws(BaseURLError) {
            baseURL = try BaseURL(description.baseURL)
        } catch {
            // The reader has asked before.
            throw .missing(name: "\(name).baseURL", because: "\(error)")
        }
        fields = description.headers.map { HTTPField($0.name, $0.value) }
        concurrency = description.concurrency
        account = description.account
        whoami = description.whoami
        func source(
            _ place: ServerDescription.SecretPlace, _ word: String, _ form: SecretSource.Form
        ) throws(ConfigurationError) -> SecretSource {
            let key = "\(name).auth.\(word)"
            switch place {
            case .inline(let text):
                let secret = try SecretSource.check(Array(text.utf8), name: key, form: form)
                return SecretSource(name: key, place: .inline(secret), form: form)
            case .file(let path):
                let whole = try locations.expanded(path, of: "\(key)File")
                return SecretSource(name: "\(key)File", place: .file(whole), form: form)
            case .credential:
                let found = try locations.credential("\(stem)-\(word)", form: form)
                guard let found else {
                    throw .missing(
                        name: "\(key)File",
                        because: "and there is no credential \(stem)-\(word) of the service manager"
                    )
                }
                return found
            }
        }
        switch description.authentication {
        case .none: credential = .none
        case .bearer(let place): credential = .bearer(try source(place, "token", .token))
        case .header(let field, let prefix, let place):
            credential = .header(
                name: field, prefix: prefix, try source(place, "value", .token))
        case .query(let parameter, let place):
            credential = .query(name: parameter, try source(place, "value", .token))
        case .basic(let user, let place):
            credential = .basic(user: user, try source(place, "password", .password))
        case .login(let login, let place):
            let word = login.renewal == nil ? "password" : "token"
            credential = .login(
                login, try source(place, word, login.renewal == nil ? .password : .token))
        }
        if case .login(let login, _) = description.authentication,
            let place = login.renewal?.clientSecret
        {
            clientSecret = try source(place, "secret", .password)
        } else {
            clientSecret = nil
        }
    }

    /// The credential of the service manager that holds its secret; nil: it has none.
    var managedCredential: String? {
        guard case .credential(let path)? = credential.source?.place else { return nil }
        return path.split(separator: "/").last.map { String($0) }
    }
}
