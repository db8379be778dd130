package import Text

/// The call of a server that gives a token for a name and a password, or for a token that renews others.
public struct LoginDescription: Sendable, Hashable {
    /// How the secrets are sent: `@user` and `@password` stand for them, or `@token`, and `@secret` for the client's.
    package enum Body: Sendable, Hashable {
        /// In the header, without a body.
        case none
        /// As JSON.
        case json(JSONNode)
        /// As a form of HTML sends it.
        case form([Field])
    }

    /// A field of a form.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// A token that renews others, and how it is told.
    public struct Renewal: Sendable, Hashable {
        /// Where an answer has the token that takes its place; an answer without one leaves it.
        package let next: JSONPath
        /// Where the client's own secret is; nil: it has none.
        public let clientSecret: ServerDescription.SecretPlace?
    }

    /// Below the base URL, or a whole address.
    public let path: String
    /// The name of the account; empty where a token renews others.
    public let user: String
    /// How the secrets are sent.
    package let body: Body
    /// Where the answer has the token.
    package let token: JSONPath
    /// The status by which the server asks for a new one.
    public let status: Int
    /// What stands before the token in the header field `Authorization`.
    public let prefix: String
    /// Set where the secret is a token that renews others, and no password.
    public let renewal: Renewal?

    /// The prefix of most servers.
    ///
    /// Source: RFC 6750 §2.1.
    package static let standardPrefix = "Bearer "
}

extension LoginDescription {
    /// What goes into the body.
    package struct Secrets: Sendable {
        /// The password, or the token that renews others.
        package let main: String
        /// The client's own; nil where it has none.
        package let client: String?

        /// A password or token, and what the client has beside it.
        package init(_ main: String, client: String? = nil) {
            self.main = main
            self.client = client
        }
    }

    /// What stands for the secret in a body.
    static func placeholder(renews: Bool) -> String { renews ? "@token" : "@password" }

    /// A text of the body, filled in.
    package func filled(_ text: String, with secrets: Secrets) -> String {
        switch text {
        case "@user" where renewal == nil: user
        case "@secret" where renewal != nil: secrets.client ?? ""
        case Self.placeholder(renews: renewal != nil): secrets.main
        default: text
        }
    }

    /// A body of JSON, filled in.
    package func filled(_ node: JSONNode, with secrets: Secrets) -> JSONNode {
        switch node.value {
        case .text(let text): .text(filled(text, with: secrets))
        case .list(let items): JSONNode(.list(items.map { filled($0, with: secrets) }))
        case .object(let members):
            .object(members.map { ($0.key, filled($0.node, with: secrets)) })
        case .null, .bool, .number: node
        }
    }

    /// The token in the answer to the call, and the one that renews it from now on; nil where it is not there.
    package func tokens(in answer: [UInt8]) -> (token: String, next: String?)? {
        guard let node = try? JSONReader.read(answer),
            case .text(let token)? = self.token.find(in: node)?.value
        else { return nil }
        guard case .text(let next)? = renewal?.next.find(in: node)?.value else {
            return (token, nil)
        }
        return (token, next)
    }

    /// As a declaration has it, behind its kind and before its secret.
    package var members: [(key: String, node: JSONNode?)] {
        let (send, form): (JSONNode?, JSONNode?) =
            switch body {
            case .none: (nil, nil)
            case .json(let node): (node, renewal.map { _ in .text("json") })
            case .form(let fields):
                (
                    .object(fields.map { ($0.name, .text($0.value)) }),
                    renewal == nil ? .text("form") : nil
                )
            }
        return [
            ("path", .text(path)), ("user", renewal == nil ? .text(user) : nil), ("send", send),
            ("as", form), ("token", .text(token.description)),
            ("next", renewal.map { .text($0.next.description) }),
            ("status", status == 401 ? nil : .number(status)),
            ("prefix", prefix == Self.standardPrefix ? nil : .text(prefix)),
        ]
    }
}

extension JSONPath {
    /// What stands there; nil where nothing does. Names are compared by their code points, as SQLite does.
    package func find(in root: JSONNode) -> JSONNode? {
        steps.reduce(root as JSONNode?) { node, step in
            switch (node?.value, step) {
            case (.object(let members)?, .member(let name)):
                members.first { $0.key.utf8.elementsEqual(name.utf8) }?.node
            case (.list(let items)?, .element(let number)):
                items.indices.contains(number) ? items[number] : nil
            default: nil
            }
        }
    }
}
