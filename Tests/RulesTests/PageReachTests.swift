import Declarations
import Rules
import Testing

@Suite struct PageReachTests {
    private static func pages(
        _ count: Int, of total: Int64, results: Int64 = 40, lastTotal: Int64? = nil,
        lastResults: Int64? = nil, skippedOn skippedPage: Int? = nil
    ) -> [PageFacts] {
        (1...count).map { number in
            let isLast = number == count
            let skipped: Int64 = number == skippedPage ? 1 : 0
            return PageFacts(
                rows: 20, newRows: 20, skipped: SkippedRows(count: skipped, named: []),
                totalPages: isLast ? lastTotal ?? total : total,
                totalRows: isLast ? lastResults ?? results : results)
        }
    }

    private static func reach(of pages: [PageFacts], hasDoubledRow: Bool) -> PullReach {
        let movies = Declaration.movies(
            isEnabled: true, language: nil, region: nil, interval: .seconds(60))
        return PageReach.of(pages, paging: movies.paging, hasDoubledRow: hasDoubledRow)
    }

    @Test func `one page, steady and without odd rows, is complete; of several, two pulls decide`()
    {
        #expect(Self.reach(of: Self.pages(3, of: 3), hasDoubledRow: false) == .untold)
        #expect(Self.reach(of: Self.pages(1, of: 1), hasDoubledRow: false) == .complete)
        #expect(Self.reach(of: Self.pages(1, of: 0), hasDoubledRow: false) == .complete)
    }

    @Test func `a doubled or skipped row, or totals that moved, leave only every page`() {
        #expect(Self.reach(of: Self.pages(3, of: 3), hasDoubledRow: true) == .everyPage)
        for page in 1...3 {
            let pages = Self.pages(3, of: 3, skippedOn: page)
            #expect(Self.reach(of: pages, hasDoubledRow: false) == .everyPage)
        }
        #expect(
            Self.reach(of: Self.pages(3, of: 3, lastTotal: 2), hasDoubledRow: false) == .everyPage)
        #expect(
            Self.reach(of: Self.pages(3, of: 3, lastResults: 39), hasDoubledRow: false)
                == .everyPage)
    }

    @Test func `a page that was not read makes it partial, whatever else`() {
        #expect(Self.reach(of: Self.pages(500, of: 501), hasDoubledRow: false) == .partial)
        #expect(
            Self.reach(of: Self.pages(3, of: 3, lastTotal: 4), hasDoubledRow: false) == .partial)
        #expect(Self.reach(of: Self.pages(3, of: 4, lastTotal: 3), hasDoubledRow: true) == .partial)
        #expect(Self.reach(of: [], hasDoubledRow: false) == .partial)
    }

    @Test(
        arguments: [
            (2, 2, .untold), (2, 1, .complete), (nil, 1, .untold),
        ] as [(Int?, Int64, PullReach)])
    func `a page behind which another one was asked for is not the only one`(
        limit: Int?, rows: Int64, reach: PullReach
    ) throws {
        let pages =
            limit.map { "{\"offset\": \"o\", \"limit\": [\"l\", \($0)]}" } ?? #"{"offset": "o"}"#
        let declaration = try Declaration.stored(
            #"{"list": "/n", "id": "$.id", "pages": \#(pages), "columns": {"t": "text $.t"}}"#,
            name: "n")
        var page = PageFacts(rows: rows, newRows: rows)
        let paging = declaration.paging
        #expect(PageReach.of([page], paging: paging, hasDoubledRow: false) == .complete)
        page.isFollowed = true
        #expect(PageReach.of([page], paging: paging, hasDoubledRow: false) == reach)
    }
}
