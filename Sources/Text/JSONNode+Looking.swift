extension JSONNode {
    /// Of an object.
    package var members: [Member]? {
        if case .object(let members) = value { members } else { nil }
    }

    /// What stands under `names`, one below the other; `null` is nothing.
    package func node(at names: [String]) -> JSONNode? {
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
