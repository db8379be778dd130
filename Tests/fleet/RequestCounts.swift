/// Requests at the server, second by second.
struct RequestCounts {
    private(set) var all: [Int]
    /// Those that are a daemon's first one since the server is back.
    private(set) var first: [Int]

    init(_ plan: FleetPlan) {
        all = Array(repeating: 0, count: Int(plan.end.components.seconds))
        first = all
    }

    mutating func note(_ moment: Duration, isFirst: Bool) {
        let second = Int(moment.components.seconds)
        guard all.indices.contains(second) else { return }
        all[second] += 1
        if isFirst { first[second] += 1 }
    }
}
