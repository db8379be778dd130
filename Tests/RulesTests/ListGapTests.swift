import Declarations
import Rules
import Testing

/// D5: what makes a list one page of a longer one.
@Suite struct ListGapTests {
    private static func gap(
        rows: Int64, unidentified: Int64 = 0, total: Int64? = nil, hasNext: Bool = false
    ) -> ListGap? {
        ListGap.of(
            ListFacts(rows: rows, unidentified: unidentified), total: total,
            namesNextPage: hasNext)
    }

    @Test func `D5: a list is complete where nothing speaks against it`() {
        #expect(Self.gap(rows: 0) == nil)
        #expect(Self.gap(rows: 8) == nil)
        #expect(Self.gap(rows: 8, total: 8) == nil)
        #expect(Self.gap(rows: 8, total: 0) == nil, "servers tell wrong totals, too")
    }

    @Test(arguments: [Int64(0), 1, 4, 5, 100])
    func `D5: a larger total, a next page or a row without id makes it incomplete, of any length`(
        rows: Int64
    ) {
        #expect(Self.gap(rows: rows, total: rows + 1) == .total(rows + 1, shown: rows))
        #expect(Self.gap(rows: rows, hasNext: true) == .nextPage(shown: rows))
        #expect(Self.gap(rows: rows, total: rows, hasNext: true) == .nextPage(shown: rows))
        #expect(Self.gap(rows: rows, unidentified: 1) == .skippedRows)
        #expect(Self.gap(rows: rows, unidentified: 1, total: rows) == .skippedRows)
    }

    @Test func `L3: pages that were told of and not read are a list that is cut`() {
        func gap(_ told: Int64?, read: Int, paging: Paging) -> ListGap? {
            let pages = (0..<read).map { _ in PageFacts(rows: 2, newRows: 2, totalPages: told) }
            return ListGap.of(pages, paging: paging)
        }
        #expect(gap(3, read: 2, paging: .link) == .pages(3, read: 2))
        #expect(gap(3, read: 3, paging: .link) == nil)
        #expect(gap(nil, read: 2, paging: .link) == nil)
        #expect(gap(3, read: 1, paging: .whole) == nil)
    }

    @Test func `D5: of several signs the one is told that says most`() {
        #expect(
            Self.gap(rows: 5, unidentified: 1, total: 8, hasNext: true) == .total(8, shown: 5))
        #expect(Self.gap(rows: 5, unidentified: 1, hasNext: true) == .nextPage(shown: 5))
    }

    @Test func `D5: what a person is told names how it is known, but for single rows`() {
        let gaps = [
            ListGap.skippedRows, .total(8, shown: 5), .nextPage(shown: 5), .pages(8, read: 5),
        ]
        #expect(
            gaps.map(\.notice) == [
                nil, "the list is cut: it has 5 rows, and the server has 8",
                "the list is cut: it has 5 rows, and the server tells of more",
                "the list is cut: 5 of 8 pages were read",
            ])
        let hint = """
            Let the server answer with the whole list, or declare its pages; until then nothing is removed from the cache.
            """
        #expect(gaps.map(\.hint) == [nil, hint, hint, hint])
        #expect(ListGap.cutHint == hint)
    }
}
