package import Store

/// Which pulled rows are the effects of creates in doubt.
///
/// Creates are matched as a multiset: no row is the effect of two. Exact titles come first, over all
/// creates, so that a folded match never takes the exact row of a later one; titles that the server
/// has cut come last.
package struct Adoption: Sendable {
    private let titleCut: Int64?

    /// The rule for a server that cut a title to `titleCut` characters before; nil where it has not.
    package init(titleCut: Int64?) { self.titleCut = titleCut }

    /// A shorter beginning of a title is too common to be taken for it.
    package static let shortestCut = 32

    /// The id of the row of each create that has one. One pass over the rows, which can be a hundred
    /// thousand, and one over the creates, which are few but after a salvage.
    package func matches(
        of creates: [OpenOperation], in unowned: [UnownedRow]
    ) -> [OperationSequence: String] {
        guard !creates.isEmpty else { return [:] }
        let titles = creates.map { FoldedTitle($0.title) }
        let groups = Dictionary(grouping: creates.indices) { titles[$0] }
        let starts = Dictionary(grouping: creates.indices) { Self.start(of: titles[$0]) }
        var rows: [FoldedTitle: [UnownedRow]] = [:]
        var cut: [Cut] = []
        for row in unowned {
            let title = FoldedTitle(row.title)
            if groups[title] != nil {
                rows[title, default: []].append(row)
            } else if let start = Self.start(of: title), starts[start] != nil {
                cut.append(Cut(row: row, title: title, start: start))
            }
        }
        var adopted: [OperationSequence: String] = [:]
        for (title, group) in groups {
            match(group.map { creates[$0] }, with: rows[title] ?? [], into: &adopted)
        }
        matchCut(creates, titles, starts, cut, into: &adopted)
        return adopted
    }

    private func match(
        _ creates: [OpenOperation], with rows: [UnownedRow],
        into adopted: inout [OperationSequence: String]
    ) {
        // By their bytes: `==` on strings is canonical equivalence already. The first place is last.
        var places: [[UInt8]: [Int]] = [:]
        for place in rows.indices.reversed() {
            places[Array(rows[place].title.utf8), default: []].append(place)
        }
        var others: [OpenOperation] = []
        var isFree = Array(repeating: true, count: rows.count)
        for create in creates {
            if let place = places[Array(create.title.utf8)]?.popLast() {
                adopted[create.sequence] = rows[place].serverID
                isFree[place] = false
            } else {
                others.append(create)
            }
        }
        let free = rows.indices.lazy.filter { isFree[$0] }
        for (create, place) in zip(others, free) {
            adopted[create.sequence] = rows[place].serverID
        }
    }
}

/// Titles that the server stored in part.
extension Adoption {
    private struct Cut {
        let row: UnownedRow
        let title: FoldedTitle
        let start: String

        var length: Int64 { Int64(row.title.unicodeScalars.count) }

        func begins(_ whole: FoldedTitle) -> Bool {
            let part = title.description.utf8
            return whole.description.utf8.count > part.count
                && whole.description.utf8.starts(with: part)
        }
    }

    /// So many pairs are looked at: a server chooses its titles, and none is to cost more than a moment.
    private static let pairsAtMost = 100_000

    /// The first characters of a title; nil where it is too short to be the beginning of another.
    private static func start(of title: FoldedTitle) -> String? {
        let scalars = title.description.unicodeScalars
        guard scalars.count >= shortestCut else { return nil }
        return String(String.UnicodeScalarView(scalars.prefix(shortestCut)))
    }

    /// A row belongs to a create if its title is the beginning of the create's title, and one of
    /// two things holds: it has the length at which this server cut before, or both are each
    /// other's only candidate.
    private func matchCut(
        _ creates: [OpenOperation], _ titles: [FoldedTitle], _ starts: [String?: [Int]],
        _ rows: [Cut], into adopted: inout [OperationSequence: String]
    ) {
        var pairs: [(create: Int, row: Int)] = []
        var rowsOf: [Int: Int] = [:]
        var createsOf: [Int: Int] = [:]
        for (place, row) in rows.enumerated() {
            for create in starts[row.start] ?? []
            where adopted[creates[create].sequence] == nil && row.begins(titles[create]) {
                guard pairs.count < Self.pairsAtMost else { return }
                pairs.append((create, place))
                rowsOf[create, default: 0] += 1
                createsOf[place, default: 0] += 1
            }
        }
        var taken = Set<Int>()
        for pair in pairs where adopted[creates[pair.create].sequence] == nil {
            let isOnly = rowsOf[pair.create] == 1 && createsOf[pair.row] == 1
            guard isOnly || rows[pair.row].length == titleCut, taken.insert(pair.row).inserted
            else { continue }
            adopted[creates[pair.create].sequence] = rows[pair.row].row.serverID
        }
    }
}
