internal import Declarations
internal import Text

extension JSONNode {
    /// Of an object.
    var members: [Member]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// What stands under `names`, one below the other; `null` is nothing.
    func node(at names: [String]) -> JSONNode? {
        var node = self
        for name in names {
            guard let next = node.members?.first(where: { $0.key == name })?.node else {
                return nil
            }
            node = next
        }
        return node.value == .null ? nil : node
    }
}

extension JSONPath {
    /// A path that a declaration can have; nil where a name cannot stand in one.
    static func checked(_ steps: [Step]) -> JSONPath? {
        let path = JSONPath(steps: steps)
        return (try? JSONPath(path.description)) == path ? path : nil
    }
}
