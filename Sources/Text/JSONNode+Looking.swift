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

    /// The node with `value` at the end of `names`, its other members as they are. What is no object on the way
    /// becomes one.
    package func setting(_ names: ArraySlice<String>, to value: JSONNode) -> JSONNode {
        guard let name = names.first else { return value }
        var members: [(key: String, node: JSONNode?)] = []
        if case .object(let own) = self.value { members = own.map { ($0.key, $0.node) } }
        let index = members.firstIndex { $0.key.utf8.elementsEqual(name.utf8) }
        let old = index.flatMap { members[$0].node } ?? JSONNode.object([])
        let new = old.setting(names.dropFirst(), to: value)
        if let index { members[index].node = new } else { members.append((name, new)) }
        return .object(members)
    }
}
