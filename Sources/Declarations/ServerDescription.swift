package import Text

/// A server of the configuration: where it is, and how it is told who asks.
///
/// Its addresses and secrets are texts here. The room Configuration makes them what they are.
public struct ServerDescription: Sendable, Hashable {
    /// Where the paths of its lists begin.
    public let baseURL: String
    /// How it is told who asks.
    public let authentication: Authentication
    /// Header fields of each request.
    public let headers: [Header]
    /// How many requests may be under way at once, of all its lists together.
    public let concurrency: Int
    /// A text that tells this account from others of the same server; nil: there is one.
    public let account: String?
    /// The call that says whose the credential is; nil: there is none.
    public let whoami: WhoAmI?

    /// Reads the section `servers` of a configuration.
    ///
    /// - Parameters:
    ///   - node: The section.
    ///   - bytes: The whole configuration.
    ///   - rules: Which addresses can be used.
    /// - Returns: The servers by their names.
    /// - Throws: ``DeclarationError`` with everything that is wrong with the section.
    package static func section(
        _ node: JSONNode, in bytes: [UInt8], rules: Rules
    ) throws(DeclarationError) -> [String: ServerDescription] {
        var reader = DeclarationReader(bytes: bytes)
        let place = DeclarationReader.Place(name: "servers", offset: node.offset, node: node)
        let servers = reader.servers(place, rules: rules)
        let problems = reader.sorted
        guard problems.isEmpty else { throw DeclarationError(problems: problems) }
        return servers
    }

    /// A header field.
    public struct Header: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: String
    }

    /// How a server is told who asks.
    public enum Authentication: Sendable, Hashable {
        /// Not at all.
        case none
        /// A token in the header.
        case bearer(SecretPlace)
        /// A header field of the server's own.
        case header(name: String, prefix: String, SecretPlace)
        /// A parameter of the query.
        case query(name: String, SecretPlace)
        /// A name and a password in each request.
        case basic(user: String, SecretPlace)
        /// The token of a call that takes a name and a password.
        case login(LoginDescription, SecretPlace)

        /// Where its secret is.
        public var secret: SecretPlace? {
            switch self {
            case .none: nil
            case .bearer(let place), .header(_, _, let place), .query(_, let place),
                .basic(_, let place), .login(_, let place):
                place
            }
        }
    }

    /// Where a secret is.
    public enum SecretPlace: Sendable, Hashable {
        /// In the configuration itself.
        case inline(String)
        /// In a file.
        case file(String)
        /// Wherever the service manager has it; the key is not set.
        case credential
    }

    /// What a reader of servers has to ask others.
    public struct Rules: Sendable {
        /// Why the address cannot be used, and what to write instead; nil if it can.
        public let problem: @Sendable (_ address: String) -> (sentence: String, hint: String)?
        /// Whether the address is this machine's own, so that a secret may stand beside it.
        public let isOwnMachine: @Sendable (_ address: String) -> Bool

        /// Rules from their parts.
        public init(
            problem: @escaping @Sendable (String) -> (sentence: String, hint: String)?,
            isOwnMachine: @escaping @Sendable (String) -> Bool
        ) {
            self.problem = problem
            self.isOwnMachine = isOwnMachine
        }
    }
}
