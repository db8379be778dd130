/// Seeds by what their databases have in common, so that runs of one group can use one database.
package struct SeedGroups: Sendable {
    /// Each group in the order of the seeds.
    let groups: [[UInt64]]

    /// Groups all seeds to run.
    package init(_ seeds: some Sequence<UInt64>) {
        let groups = Dictionary(grouping: seeds) { seed in
            var random = SeededGenerator(seed: seed)
            return Setting(seed: seed, &random).script
        }
        self.groups = groups.values.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
    }

    /// All seeds, those of a group one after another.
    package var seeds: [UInt64] { groups.flatMap(\.self) }

    private init(groups: [[UInt64]]) { self.groups = groups }

    /// What one of several processes runs. Together they run every group once, and each of them about as many
    /// seeds.
    ///
    /// - Parameters:
    ///   - number: which of them, from 1.
    ///   - count: how many there are.
    /// - Returns: its groups.
    package func share(_ number: Int, of count: Int) -> SeedGroups {
        var shares = Array(repeating: [[UInt64]](), count: count)
        var sizes = Array(repeating: 0, count: count)
        for group in groups.sorted(by: { ($1.count, $0[0]) < ($0.count, $1[0]) }) {
            let smallest = sizes.indices.min { sizes[$0] < sizes[$1] } ?? 0
            shares[smallest].append(group)
            sizes[smallest] += group.count
        }
        return SeedGroups(groups: shares[number - 1])
    }
}
