package import Declarations

/// Why a list does not hold every row of the server, where it does not.
package enum ListGap: Sendable, Hashable {
    /// Rows without a usable id, or two that differ under one id: each can be any row.
    case skippedRows
    /// The answer tells of so many rows, and holds fewer.
    case total(Int64, shown: Int64)
    /// The answer tells of a next page.
    case nextPage(shown: Int64)
    /// The pages tell of so many, and fewer were read.
    case pages(Int64, read: Int64)

    /// The gap of a list; nil if the list holds every row, as far as anybody can know.
    package static func of(
        _ list: ListFacts, total: Int64?, namesNextPage: Bool
    ) -> ListGap? {
        if let total, total > list.rows {
            return .total(total, shown: list.rows)
        }
        if namesNextPage { return .nextPage(shown: list.rows) }
        return list.unidentified > 0 ? .skippedRows : nil
    }

    /// The same of a list that is only read, by what its pages say.
    package static func of(_ pages: [PageFacts], paging: Paging) -> ListGap? {
        let rows = pages.reduce(0) { $0 + $1.rows }
        return of(ListFacts(rows: rows, unidentified: 0), pages: pages, paging: paging)
    }

    /// The same by what the list holds and its pages say.
    package static func of(
        _ list: ListFacts, pages: [PageFacts], paging: Paging
    ) -> ListGap? {
        // A list that is read by the number of its pages may tell of more rows than it ever shows.
        let total: Int64? =
            switch paging {
            case .pages, .whole: nil
            case .none, .next, .cursor, .offset: pages.last?.totalRows
            }
        let gap = of(
            list, total: total,
            namesNextPage: paging == .none && pages.first?.namesNextPage == true)
        let read = Int64(pages.count)
        let told = [pages.first, pages.last].compactMap { $0?.totalPages }.max() ?? 0
        guard gap == nil || gap == .skippedRows, paging != .whole, told > read else { return gap }
        return .pages(told, read: read)
    }

    /// What a person should know though the pull was taken; nil for single rows, which the report
    /// names.
    package var notice: String? {
        switch self {
        case .skippedRows: nil
        case .total(let total, let shown):
            "the list is cut: it has \(shown) rows, and the server has \(total)"
        case .nextPage(let shown):
            "the list is cut: it has \(shown) rows, and the server tells of more"
        case .pages(let pages, let read):
            "the list is cut: \(read) of \(pages) pages were read"
        }
    }

    /// What the person can do about it.
    package var hint: String? { self == .skippedRows ? nil : Self.cutHint }

    /// What the person can do about a list that is cut, also where only its status is known.
    package static let cutHint = """
        Let the server answer with the whole list, or declare its pages; until then nothing is removed from the cache.
        """
}
