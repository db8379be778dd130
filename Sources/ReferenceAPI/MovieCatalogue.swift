/// The list of upcoming movies as it is served: pages of finished bytes.
public struct MovieCatalogue: Sendable, Hashable {
    /// How many rows a full page has.
    public static let rowsPerPage = 20

    /// The bodies of pages 1, 2, 3 …
    public let pages: [[UInt8]]
    /// What the envelopes say: rows of all pages, a doubled one counted twice.
    public let totalResults: Int

    init(pages: [[UInt8]], totalResults: Int) {
        self.pages = pages
        self.totalResults = totalResults
    }

    /// A list of `rows`, each one a JSON object written out, in the order of the list.
    ///
    /// The envelopes' keys stand in another order from page to page.
    ///
    /// - Parameters:
    ///   - rows: Bytes of JSON objects; they are served untouched.
    ///   - overlapAfterPage: The last row of this page is the first of the next one too, and
    ///     counts twice in `total_results`; `nil`, or no such border: no overlap.
    ///   - dates: What the envelope holds under `dates`; `nil`: the key is missing.
    public init(
        rows: [[UInt8]], overlapAfterPage: Int?, dates: (minimum: String, maximum: String)?
    ) {
        var served = rows
        if let page = overlapAfterPage, page > 0, page * Self.rowsPerPage < rows.count {
            let border = page * Self.rowsPerPage
            served.insert(rows[border - 1], at: border)
        }
        let starts = Array(stride(from: 0, to: served.count, by: Self.rowsPerPage))
        let pageCount = max(1, starts.count)
        pages = (1...pageCount).map { page in
            let start = (page - 1) * Self.rowsPerPage
            let end = min(start + Self.rowsPerPage, served.count)
            return Self.envelope(
                page: page, rows: Array(served[start..<end]), pageCount: pageCount,
                totalResults: served.count, dates: dates)
        }
        totalResults = served.count
    }

    /// The body of page `page`, which is at least 1; a page after the last one holds no rows.
    public func body(page: Int) -> [UInt8] {
        if pages.indices.contains(page - 1) { return pages[page - 1] }
        return Self.envelope(
            page: page, rows: [], pageCount: pages.count, totalResults: totalResults, dates: nil)
    }

    private static func envelope(
        page: Int, rows: [[UInt8]], pageCount: Int, totalResults: Int,
        dates: (minimum: String, maximum: String)?
    ) -> [UInt8] {
        var members: [(String, JSONOutput)] = [
            ("page", .integer(Int64(page))),
            ("results", .array(rows.map(JSONOutput.written))),
            ("total_pages", .integer(Int64(pageCount))),
            ("total_results", .integer(Int64(totalResults))),
        ]
        if let dates {
            members.insert(
                (
                    "dates",
                    .object([
                        ("maximum", .string(dates.maximum)), ("minimum", .string(dates.minimum)),
                    ])
                ), at: 0)
        }
        let turn = page % 4 == 0 ? page / 4 % members.count : 0
        return JSONOutput.object(Array(members[turn...] + members[..<turn])).bytes()
    }
}
