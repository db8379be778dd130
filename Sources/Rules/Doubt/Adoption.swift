package import Declarations
internal import Text

/// Which pulled rows are the effects of creates in doubt.
///
/// Creates are matched as a multiset: no row is the effect of two. Exact titles come first, over all
/// creates, so that a folded match never takes the exact row of a later one; titles that the server
/// has cut come last.
package struct Adoption: Sendable, Hashable {
    /// The places of the columns by which creates are looked for, among those that a new row can have.
    let match: [Int]
    /// Those of them that are texts, by their places in ``match``: a server can have cut one of them.
    let texts: [Int]
    /// Those of them that servers write anew, such as JSON, by their places in ``match``.
    let forms: Set<Int>
    /// Neither a key nor a mark tells a row of ours from others.
    let isByLook: Bool
    /// The place of the column that carries a mark of ours.
    let mark: Int?
    /// What the server makes of marks; nil where no row of ours has shown it. Where it keeps them, a create is looked
    /// for by its mark alone.
    let marks: MarkKeeping?
    private let titleCut: Int64?

    /// The rule for a server that cut a text to `titleCut` characters before; nil where it has not.
    package init(
        match: [Int] = [0], texts: [Int] = [0], forms: Set<Int> = [], isByLook: Bool = true,
        mark: Int? = nil, marks: MarkKeeping? = nil, titleCut: Int64?
    ) {
        (self.match, self.texts, self.titleCut) = (match, texts, titleCut)
        (self.forms, self.isByLook) = (forms, isByLook)
        (self.mark, self.marks) = (mark, marks)
    }

    /// The rule of a list.
    package init(_ declaration: Declaration, marks: MarkKeeping?, titleCut: Int64?) {
        let columns = declaration.columns.filter { $0.field != nil && $0.writing.isForCreates }
        let names = columns.map(\.name)
        let mark: Int? =
            if case .column(let name, _) = declaration.once { names.firstIndex(of: name) } else {
                nil
            }
        let match = names.indices.filter { declaration.match.contains(names[$0]) && $0 != mark }
        self.init(
            match: match,
            texts: match.indices.filter { columns[match[$0]].field?.type == .text },
            forms: Set(match.indices.filter { columns[match[$0]].field?.type == .json }),
            isByLook: declaration.once == .look, mark: mark, marks: marks, titleCut: titleCut)
    }

    /// The creates among `creates` whose row is in `unowned` exactly as it was sent.
    package func exactMatches(
        of creates: [OpenOperation], in unowned: [UnownedRow]
    ) -> [OperationSequence: String] {
        var free = FreeRows(unowned)
        let found = creates.compactMap { create in
            free.take(like: create.values, as: { Array($0.utf8) }).map { (create.sequence, $0) }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// A shorter beginning of a text is too common to be taken for it.
    package static let shortestCut = 32

    /// The id of the row of each create that has one. One pass over the rows, which can be a hundred
    /// thousand, and one over the creates, which are few but after a salvage.
    package func matches(
        of creates: [OpenOperation], in unowned: [UnownedRow]
    ) -> [OperationSequence: String] {
        guard let mark, !creates.isEmpty else { return looked(creates, unowned) }
        let found = marked(creates, unowned, at: mark)
        guard marks != .kept else { return found }
        let taken = Set(found.values)
        let starts = Set(creates.map { MarkKeeping.start(of: $0.values[mark] ?? "") } + [[]])
        // Before a row of ours was seen, one with another mark, or with another value, is somebody else's.
        let rest = unowned.filter { row in
            !taken.contains(row.serverID)
                && (marks != nil
                    || starts.contains(MarkKeeping.start(of: row.values[mark] ?? "")))
        }
        let others = looked(
            creates.filter { found[$0.sequence] == nil }.map { $0.without(mark) }, rest,
            isExact: marks == nil)
        return found.merging(others) { first, _ in first }
    }

    /// What the server makes of marks, as the row of a create shows it; nil where creates have none.
    package func keeping(sent: [String?], shown: [String?]) -> MarkKeeping? {
        guard let mark, let own = sent[mark] else { return nil }
        return MarkKeeping(sent: own, shown: shown[mark])
    }

    /// Those that are found by their columns; where it `isExact`, by all that were sent.
    private func looked(
        _ creates: [OpenOperation], _ unowned: [UnownedRow], isExact: Bool = false
    ) -> [OperationSequence: String] {
        guard !creates.isEmpty else { return [:] }
        let keys = creates.map { key(of: $0.values) }
        let groups = Dictionary(grouping: creates.indices) { keys[$0] }
        var starts: [Start: [Int]] = [:]
        for create in creates.indices {
            for start in self.starts(of: keys[create]) { starts[start, default: []].append(create) }
        }
        var rows: [[FoldedValue]: [UnownedRow]] = [:]
        var cut: [Cut] = []
        for (place, row) in unowned.enumerated() {
            let key = key(of: row.values)
            guard groups[key] == nil else {
                rows[key, default: []].append(row)
                continue
            }
            guard !starts.isEmpty else { continue }
            cut += self.starts(of: key).filter { starts[$0] != nil }.map { start in
                Cut(
                    row: row, place: place, text: row.values[match[start.place]] ?? "",
                    folded: key[start.place], start: start)
            }
        }
        var adopted: [OperationSequence: String] = [:]
        for (key, group) in groups {
            assign(
                group.map { creates[$0] }, to: rows[key] ?? [], isExact: isExact, into: &adopted)
        }
        guard !isExact else { return adopted }
        matchCut(creates, keys, starts, cut, into: &adopted)
        return adopted
    }

    func key(of values: [String?]) -> [FoldedValue] {
        match.map { place in
            let text = values.indices.contains(place) ? values[place] ?? "" : ""
            return FoldedValue(DateTimeText(text)?.canonical ?? text)
        }
    }

    private func marked(
        _ creates: [OpenOperation], _ unowned: [UnownedRow], at mark: Int
    ) -> [OperationSequence: String] {
        let rows = Dictionary(
            unowned.compactMap { row in row.values[mark].map { (Array($0.utf8), row.serverID) } }
        ) { first, _ in first }
        let found = creates.compactMap { create in
            create.values[mark].flatMap { rows[Array($0.utf8)] }.map { (create.sequence, $0) }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Rows that equal all that was sent come first, then those that equal it but for what servers alter on the way.
    /// Where creates are looked for by fewer columns than were sent, any row of the group is one.
    private func assign(
        _ creates: [OpenOperation], to rows: [UnownedRow], isExact: Bool,
        into adopted: inout [OperationSequence: String]
    ) {
        var free = FreeRows(rows)
        // By their bytes: `==` on strings is canonical equivalence already.
        var others = creates.filter { create in
            guard let row = free.take(like: create.values, as: { Array($0.utf8) }) else {
                return true
            }
            adopted[create.sequence] = row
            return false
        }
        free.forgetKeys()
        others = others.filter { create in
            let row = free.take(like: create.values) { Array(FoldedValue($0).description.utf8) }
            guard let row else { return true }
            adopted[create.sequence] = row
            return false
        }
        guard !match.isEmpty, !isExact else { return }
        for (create, row) in zip(others, free.rest) { adopted[create.sequence] = row }
    }
}

/// The rows of a group that no create has got.
private struct FreeRows {
    private let rows: [UnownedRow]
    private var isFree: [Bool]
    /// The places of rows by the values of the columns that a create has given, the first place last.
    private var places: [[Bool]: [[[UInt8]]: [Int]]] = [:]

    init(_ rows: [UnownedRow]) {
        self.rows = rows
        isFree = Array(repeating: true, count: rows.count)
    }

    /// The keys that follow are made in another way.
    mutating func forgetKeys() { places = [:] }

    /// The first free row whose values are `values` where those are given.
    mutating func take(like values: [String?], as form: (String) -> [UInt8]) -> String? {
        let isGiven = values.map { $0 != nil }
        func key(_ row: [String?]) -> [[UInt8]] {
            zip(isGiven, row).compactMap { given, value in given ? form(value ?? "") : nil }
        }
        if places[isGiven] == nil {
            var made: [[[UInt8]]: [Int]] = [:]
            for place in rows.indices.reversed() where isFree[place] {
                made[key(rows[place].values), default: []].append(place)
            }
            places[isGiven] = made
        }
        let wanted = key(values)
        while let place = places[isGiven]?[wanted]?.popLast() {
            guard isFree[place] else { continue }
            isFree[place] = false
            return rows[place].serverID
        }
        return nil
    }

    /// The ids of those that are left, in the order of the list.
    var rest: [String] { rows.indices.lazy.filter { isFree[$0] }.map { rows[$0].serverID } }
}

/// Titles that the server stored in part.
extension Adoption {
    /// What a create and the row that a server made of its beginning share.
    fileprivate struct Start: Hashable {
        /// The place of the text that was cut, in ``Adoption/match``.
        let place: Int
        let text: String
        let others: [FoldedValue]
    }

    private struct Cut {
        let row: UnownedRow
        let place: Int
        let text: String
        let folded: FoldedValue
        let start: Start

        var length: Int64 { Int64(text.unicodeScalars.count) }

        func begins(_ whole: FoldedValue) -> Bool {
            let part = folded.description.utf8
            return whole.description.utf8.count > part.count
                && whole.description.utf8.starts(with: part)
        }
    }

    /// So many pairs are looked at: a server chooses its titles, and none is to cost more than a moment.
    private static let pairsAtMost = 100_000

    /// The beginning of each text that is not too short to be that of another.
    fileprivate func starts(of key: [FoldedValue]) -> [Start] {
        texts.compactMap { place in
            let scalars = key[place].description.unicodeScalars
            guard scalars.count >= Self.shortestCut else { return nil }
            var others = key
            others.remove(at: place)
            return Start(
                place: place,
                text: String(String.UnicodeScalarView(scalars.prefix(Self.shortestCut))),
                others: others)
        }
    }

    /// A row belongs to a create if one of its texts is the beginning of the create's, all others are equal,
    /// and one of two things holds: it has the length at which this server cut before, or both are each
    /// other's only candidate.
    private func matchCut(
        _ creates: [OpenOperation], _ keys: [[FoldedValue]], _ starts: [Start: [Int]],
        _ rows: [Cut], into adopted: inout [OperationSequence: String]
    ) {
        var pairs: [(create: Int, row: Int)] = []
        var rowsOf: [Int: Int] = [:]
        var createsOf: [Int: Int] = [:]
        for (index, row) in rows.enumerated() {
            for create in starts[row.start] ?? []
            where adopted[creates[create].sequence] == nil
                && row.begins(keys[create][row.start.place])
            {
                guard pairs.count < Self.pairsAtMost else { return }
                pairs.append((create, index))
                rowsOf[create, default: 0] += 1
                createsOf[row.place, default: 0] += 1
            }
        }
        var taken = Set<Int>()
        for pair in pairs where adopted[creates[pair.create].sequence] == nil {
            let row = rows[pair.row]
            let isOnly = rowsOf[pair.create] == 1 && createsOf[row.place] == 1
            guard isOnly || row.length == titleCut, taken.insert(row.place).inserted
            else { continue }
            adopted[creates[pair.create].sequence] = rows[pair.row].row.serverID
        }
    }
}
