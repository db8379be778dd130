internal import Rules

/// Which operations have yet to free the values that others take.
struct LinkedOperations {
    private var freeing: [Int: Set<OperationSequence>] = [:]
    private var links: [OperationSequence: ValueLinks] = [:]

    mutating func add(_ links: ValueLinks, of operation: OperationSequence) {
        guard links != ValueLinks() else { return }
        self.links[operation] = links
        for value in links.frees { freeing[value, default: []].insert(operation) }
    }

    /// It frees nothing more; whether it did.
    mutating func remove(_ operation: OperationSequence) -> Bool {
        guard let links = links[operation], !links.frees.isEmpty else { return false }
        for value in links.frees { freeing[value]?.remove(operation) }
        return true
    }

    /// Whether another one has yet to free a value that `operation` takes.
    func isHindered(_ operation: OperationSequence) -> Bool {
        hindering(operation).contains { !$0.isEmpty }
    }

    /// Whether all of those are in `circle`.
    func isHindered(_ operation: OperationSequence, by circle: Set<OperationSequence>) -> Bool {
        hindering(operation).allSatisfy { $0.isSubset(of: circle) }
    }

    private func hindering(_ operation: OperationSequence) -> [Set<OperationSequence>] {
        (links[operation]?.takes ?? []).compactMap { freeing[$0]?.subtracting([operation]) }
    }
}
