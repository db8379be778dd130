internal import Declarations
internal import Text

/// What the answer to a question for changes alone tells.
enum SinceVerdict: Sendable, Hashable {
    /// So many rows came, fewer than without it, and each from the moment on.
    case fits(rows: Int64, of: Int64, deleted: Bool)
    /// As many rows came as a page has, each from the moment on: a later moment tells more.
    case later(RowMoment, rows: Int64)
    /// The rows of the first answer came again.
    case ignored
    /// It is not the way; why not.
    case refused(String)

    /// Judges the answer `second` to a question for what has changed in the list of `draft` since `mark`.
    ///
    /// `known` are rows that are there for certain, by their ids.
    static func of(
        _ second: SeenList, since mark: RowMoment, _ moment: FoundMoment, _ draft: ListDraft,
        known: [String: RowMoment]
    ) -> SinceVerdict {
        guard let rows = draft.rows(in: second) else { return .refused("another kind of answer") }
        let living = rows.filter { !isMarkedAsGone($0) }
        let ids = living.compactMap { draft.id(of: $0) }
        let later = known.filter { mark < $0.value }
        guard !living.isEmpty else {
            return .refused("no row comes, though \(later.count) have changed since then")
        }
        let moments = living.compactMap { $0.node(at: moment.names).flatMap(RowMoment.init) }
        guard moments.count == living.count else { return .refused("rows without a moment come") }
        guard !moments.contains(where: { $0 < mark }) else {
            return Set(ids) == Set(draft.ids(of: draft.rows))
                ? .ignored : .refused("rows from before come")
        }
        let total = Counts(second, rows: rows.count).total
        let whole = draft.total
        let isShorter = living.count < draft.rows.count
        if isShorter {
            guard later.keys.allSatisfy(Set(ids).contains) else {
                return .refused("rows are missing that have changed since then")
            }
        } else if total.map({ $0.place == whole?.place && $0.count < whole?.count ?? 0 }) != true {
            let distinct = Set(moments.filter { mark < $0 }).sorted()
            return distinct.count > 1
                ? .later(distinct[distinct.count - 2], rows: Int64(living.count))
                : .refused("as many rows come as without it")
        }
        let tellsTotal = total != nil && total?.place == whole?.place
        return .fits(
            rows: tellsTotal ? total?.count ?? 0 : Int64(living.count),
            of: tellsTotal ? whole?.count ?? 0 : Int64(draft.rows.count),
            deleted: living.count < rows.count)
    }

    private static func isMarkedAsGone(_ row: JSONNode) -> Bool {
        row.node(at: ["deleted"])?.value == .bool(true)
    }
}

extension ListDraft {
    /// How many rows the first answer says that there are, and where.
    var total: Counts.Told? { Counts(seen, rows: rows.count).total }

    /// What the server calls a row.
    func id(of row: JSONNode) -> String? {
        row.node(at: id.path.names ?? []).flatMap(FoundID.text)
    }

    /// The rows of another answer, where they stood in the first one; none may be there. Nil for another kind of
    /// answer.
    func rows(in answer: SeenList) -> [JSONNode]? {
        let names = rows.path.names ?? []
        guard let node = answer.body.node(at: names) else {
            // Some servers say `null`, and mean none.
            let parent = answer.body.node(at: Array(names.dropLast()))?.members
            return parent?.contains { $0.key == names.last } == true ? [] : nil
        }
        guard case .list(let items) = node.value else { return nil }
        return items.filter { $0.members != nil }
    }
}
