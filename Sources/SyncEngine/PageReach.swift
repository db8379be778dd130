package import Store

/// How far a pull in pages got.
package enum PageReach: Sendable {
    /// `pages` are in the order of their numbers, from 1 without gaps.
    ///
    /// Source: docs/server-api.md, "The list of movies": a complete pull.
    package static func of(_ pages: [PublishedPage], hasDoubledRow: Bool) -> PullReach {
        guard let first = pages.first, let last = pages.last else { return .partial }
        guard Int64(pages.count) >= last.facts.totalPages,
            Int64(pages.count) >= first.facts.totalPages
        else { return .partial }
        let isSteady =
            first.facts.totalPages == last.facts.totalPages
            && first.facts.totalResults == last.facts.totalResults
        let hasSkipped = pages.contains { $0.facts.skipped.count > 0 }
        return isSteady && !hasSkipped && !hasDoubledRow ? .complete : .everyPage
    }
}
