public import Declarations

/// Why an operation waits although it is its turn: its row refers to another one, or others refer to its row.
public struct RowWait: Sendable, Hashable {
    /// The operation that has to go first; the one that waits, where no other one brings what it ``lacks``.
    public let operation: OperationSequence
    /// The list of its row.
    public let list: ListName
    /// What it does.
    public let kind: OperationKind
    /// Where it stands.
    public let state: OperationState
    /// Whether that one waits for this one in turn, be it by others: then none of them ever goes by itself.
    public var isCircle = false

    /// The column that the row in ``list`` has to get at the server first. Nil: an operation has to go.
    public var lacks: String?

    /// A wait for one operation.
    public init(
        for operation: OperationSequence, of list: ListName, kind: OperationKind,
        state: OperationState
    ) {
        self.operation = operation
        self.list = list
        self.kind = kind
        self.state = state
    }

    /// The first wait of each operation, with those marked that stand in a circle.
    public static func marked(
        _ waits: [(operation: OperationSequence, wait: RowWait)]
    ) -> [OperationSequence: RowWait] {
        let edges = Dictionary(grouping: waits.filter { $0.wait.lacks == nil }, by: \.operation)
            .mapValues { $0.map(\.wait.operation) }
        var first = Dictionary(waits.map { ($0.operation, $0.wait) }) { first, _ in first }
        for operation in first.keys where leadsBack(to: operation, edges) {
            first[operation]?.isCircle = true
        }
        return first
    }

    private static func leadsBack(
        to start: OperationSequence, _ edges: [OperationSequence: [OperationSequence]]
    ) -> Bool {
        var seen: Set<OperationSequence> = []
        var open = edges[start] ?? []
        while let next = open.popLast() {
            if next == start { return true }
            guard seen.insert(next).inserted else { continue }
            open += edges[next] ?? []
        }
        return false
    }
}
