package import Declarations

/// How far a pull in pages got.
package enum PageReach: Sendable {
    /// `pages` are in the order of their numbers, from 1 without gaps. `hasDoubledRow` tells that a row
    /// stands in them twice, `hasSkippedRow` that one could not be taken; nil:
    /// as the pages tell.
    ///
    /// Source: docs/server-api.md, "A declared list".
    package static func of(
        _ pages: [PageFacts], paging: Paging, hasDoubledRow: Bool, hasSkippedRow: Bool? = nil
    ) -> PullReach {
        guard let first = pages.first, let last = pages.last else { return .partial }
        let count = Int64(pages.count)
        guard count >= first.totalPages ?? 0, count >= last.totalPages ?? 0 else { return .partial }
        // The answer tells of more rows than it brought.
        let rows = pages.reduce(Int64(0)) { $0 + $1.rows }
        let isCut: Bool
        switch paging {
        case .none: isCut = first.namesNextPage || rows < first.totalRows ?? 0
        case .whole, .pages: isCut = false
        case .next, .cursor, .offset: isCut = rows < last.totalRows ?? 0
        }
        guard !isCut else { return .partial }
        let isSteady = first.totalPages == last.totalPages && first.totalRows == last.totalRows
        let hasSkipped = hasSkippedRow ?? pages.contains { $0.skipped.count > 0 }
        guard isSteady, !hasSkipped, !hasDoubledRow else { return .everyPage }
        // The total is the same where one row came and another went between two pages.
        return !paging.canMissRows || pages.count == 1 && !mayGoOn(first, paging)
            ? .complete : .untold
    }

    /// Whether a row can have slipped out of the only page while the next one was asked for: not where it is shorter
    /// than it may be.
    private static func mayGoOn(_ page: PageFacts, _ paging: Paging) -> Bool {
        guard page.isFollowed else { return false }
        if case .offset(let counted) = paging, let limit = counted.limit {
            return page.rows >= limit.rows
        }
        return true
    }
}
