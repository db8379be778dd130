/// Why a list does not hold every row of the server, where it does not.
package enum ListGap: Sendable, Hashable {
    /// Rows without a usable id, or two that differ under one id: each can be any row.
    case skippedRows
    /// The answer tells of so many rows, and holds fewer.
    case total(Int64, shown: Int64)
    /// The answer names a next page.
    case nextPage(shown: Int64)
    /// So many rows are missing that the server acknowledged and no list has shown since.
    case unseen(Int64, shown: Int64)

    /// A list of fewer rows is never taken for one page of a longer one.
    package static let smallestPage: Int64 = 5

    /// The gap of a list; nil if the list holds every row, as far as anybody can know.
    ///
    /// If the next list lacks a row that was acknowledged, another client has deleted it, or it
    /// stands beyond the end of a page. A page has the same length each time. So the list counts as
    /// cut while it has as many rows as when it first lacked such a row. `cutRows` is that number;
    /// 0 if a list that was held had another one, and nil if the list before lacked none. If a person
    /// accepts removals, the list no longer counts as cut.
    package static func of(
        _ list: ListFacts, total: Int64?, namesNextPage: Bool, cutRows: Int64?, isAccepted: Bool
    ) -> ListGap? {
        if let total, total > list.rows {
            return .total(total, shown: list.rows)
        }
        if namesNextPage { return .nextPage(shown: list.rows) }
        let isAsLong = cutRows == nil || cutRows == list.rows
        if list.unseen > 0, list.rows >= smallestPage, isAsLong, !isAccepted {
            return .unseen(list.unseen, shown: list.rows)
        }
        return list.unidentified > 0 ? .skippedRows : nil
    }

    /// How many rows the list has, where it lacks acknowledged ones.
    package var cutRows: Int64? {
        switch self {
        case .unseen(_, let shown): shown
        case .skippedRows, .total, .nextPage: nil
        }
    }

    /// What a person should know though the pull was taken; nil for single rows, which the report
    /// names.
    package var notice: String? {
        switch self {
        case .skippedRows: nil
        case .total(let total, let shown):
            "the list is cut: it has \(shown) rows, and the server has \(total)"
        case .nextPage(let shown):
            "the list is cut: it has \(shown) rows, and the server names a next page"
        case .unseen(let count, let shown):
            "the list is cut: it has \(shown) rows, and lacks \(count) that the server acknowledged"
        }
    }

    /// What the person can do about it, of the list `name`.
    package func hint(for name: String) -> String? {
        switch self {
        case .skippedRows: nil
        case .total, .nextPage, .unseen: Self.hint(for: name, lacksAcknowledged: cutRows != nil)
        }
    }

    /// What the person can do about the list `name` that is cut, also where only its status is known.
    package static func hint(for name: String, lacksAcknowledged: Bool) -> String {
        guard lacksAcknowledged else {
            return """
                Let the server answer with the whole list; until then nothing is removed from the cache.
                """
        }
        return """
            Let the server answer with the whole list. If another client deleted those rows, run \
            `syncd sync \(name) --accept-removals`.
            """
    }
}
