package import Text

/// The call of a server that gives a token for a name and a password.
public struct LoginDescription: Sendable, Hashable {
    /// How name and password are sent: `@user` and `@password` stand for them.
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

    /// Below the base URL.
    public let path: String
    /// The name of the account.
    public let user: String
    /// How name and password are sent.
    package let body: Body
    /// Where the answer has the token.
    package let token: JSONPath
    /// The status by which the server asks for a new one.
    public let status: Int
    /// What stands before the token in the header field `Authorization`.
    public let prefix: String

    /// The prefix of most servers.
    ///
    /// Source: RFC 6750 §2.1.
    package static let standardPrefix = "Bearer "
}

extension LoginDescription {
    /// A text of the body, filled in.
    package func filled(_ text: String, password: String) -> String {
        switch text {
        case "@user": user
        case "@password": password
        default: text
        }
    }

    /// A body of JSON, filled in.
    package func filled(_ node: JSONNode, password: String) -> JSONNode {
        switch node.value {
        case .text(let text): .text(filled(text, password: password))
        case .list(let items): JSONNode(.list(items.map { filled($0, password: password) }))
        case .object(let members):
            .object(members.map { ($0.key, filled($0.node, password: password)) })
        case .null, .bool, .number: node
        }
    }

    /// The token in the answer to the call; nil where it is not there.
    package func token(in answer: [UInt8]) -> String? {
        guard let node = try? JSONReader.read(answer),
            case .text(let token)? = self.token.find(in: node)?.value
        else { return nil }
        return token
    }

    /// As a declaration has it, behind its kind and before its secret.
    package var members: [(key: String, node: JSONNode?)] {
        let (send, form): (JSONNode?, JSONNode?) =
            switch body {
            case .none: (nil, nil)
            case .json(let node): (node, nil)
            case .form(let fields):
                (.object(fields.map { ($0.name, .text($0.value)) }), .text("form"))
            }
        return [
            ("path", .text(path)), ("user", .text(user)), ("send", send), ("as", form),
            ("token", .text(token.description)), ("status", status == 401 ? nil : .number(status)),
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
