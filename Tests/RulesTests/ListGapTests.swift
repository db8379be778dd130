import Rules
import Testing

/// D5: what makes a list one page of a longer one.
@Suite struct ListGapTests {
    private static func gap(
        rows: Int64, unidentified: Int64 = 0, unseen: Int64 = 0, total: Int64? = nil,
        hasNext: Bool = false, cutRows: Int64? = nil, isAccepted: Bool = false
    ) -> ListGap? {
        ListGap.of(
            ListFacts(rows: rows, unidentified: unidentified, unseen: unseen),
            total: total, namesNextPage: hasNext, cutRows: cutRows,
            isAccepted: isAccepted)
    }

    @Test func `D5: a list is complete where nothing speaks against it`() {
        #expect(Self.gap(rows: 0) == nil)
        #expect(Self.gap(rows: 8) == nil)
        #expect(Self.gap(rows: 8, total: 8) == nil)
        #expect(Self.gap(rows: 8, total: 0) == nil, "servers tell wrong totals, too")
    }

    @Test func `D5: a larger total or a next page makes it incomplete, accepted or not`() {
        for isAccepted in [false, true] {
            #expect(
                Self.gap(rows: 5, total: 8, isAccepted: isAccepted) == .total(8, shown: 5))
            #expect(
                Self.gap(rows: 0, hasNext: true, isAccepted: isAccepted) == .nextPage(shown: 0))
            #expect(
                Self.gap(rows: 5, unidentified: 1, isAccepted: isAccepted) == .skippedRows)
        }
    }

    @Test(arguments: [
        (4, nil as Int64?, false, false), (5, nil, false, true), (5, 5, false, true),
        (5, 6, false, false), (6, 5, false, false), (100, 100, false, true), (5, 5, true, false),
        (4, 4, false, false), (5, 0, false, false),
    ])
    func `D5: five rows or more that lack an acknowledged one are a page, at one length`(
        rows: Int64, cutRows: Int64?, isAccepted: Bool, isCut: Bool
    ) {
        let gap = Self.gap(rows: rows, unseen: 2, cutRows: cutRows, isAccepted: isAccepted)
        #expect(gap == (isCut ? .unseen(2, shown: rows) : nil))
        #expect(gap?.cutRows == (isCut ? rows : nil))
        #expect(Self.gap(rows: rows, unseen: 0, cutRows: cutRows) == nil)
    }

    @Test func `D5: what a person is told names how it is known, but for single rows`() {
        let gaps = [
            ListGap.skippedRows, .total(8, shown: 5), .nextPage(shown: 5), .unseen(2, shown: 5),
        ]
        #expect(
            gaps.map(\.notice) == [
                nil, "the list is cut: it has 5 rows, and the server has 8",
                "the list is cut: it has 5 rows, and the server names a next page",
                "the list is cut: it has 5 rows, and lacks 2 that the server acknowledged",
            ])
        let whole = "Let the server answer with the whole list"
        #expect(
            gaps.map { $0.hint(for: "notes") } == [
                nil, whole + "; until then nothing is removed from the cache.",
                whole + "; until then nothing is removed from the cache.",
                whole + ". If another client deleted those rows, run "
                    + "`syncd sync notes --accept-removals`.",
            ])
    }
}
