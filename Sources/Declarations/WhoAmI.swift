package import Text

/// The call that says whose a credential is.
public struct WhoAmI: Sendable, Hashable {
    /// Its path below the base URL, with a query or not.
    public let path: String
    /// Where the answer has what tells the account from others.
    public let id: JSONPath

    /// The call at `path`, in whose answer `id` is.
    package init(path: String, id: JSONPath) {
        self.path = path
        self.id = id
    }

    /// What tells the account from others, in the answer to the call; nil where it is not there.
    package func account(in answer: [UInt8]) -> String? {
        guard let node = (try? JSONReader.read(answer)).flatMap({ id.find(in: $0) }) else {
            return nil
        }
        switch node.value {
        case .text(let text) where (1...200).contains(text.utf8.count): return text
        case .number(let text): return text
        case .null, .bool, .text, .list, .object: return nil
        }
    }

    /// As a declaration has it.
    package var node: JSONNode {
        .object([("path", .text(path)), ("id", .text(id.description))])
    }
}
