package import Declarations

/// Which pages of a list are read, and when the list has ended.
///
/// Pure: told of each page that came, it says which ones are to be asked for next. One rule holds for every
/// kind of paging: a page that brings no new row ends the list. Some servers answer every number of a page
/// with the same rows.
package struct PageWalk: Sendable {
    /// How a page is asked for.
    package enum Request: Sendable, Hashable {
        /// The list's own address, with the length of a page where that is declared.
        case first
        /// The page of this number.
        case number(Int)
        /// The page behind so many rows.
        case offset(Int)
        /// The page behind this cursor.
        case cursor(String)
        /// The page at this address, as the server wrote it.
        case address(String)
    }

    /// What a page told.
    package struct Page: Sendable, Hashable {
        /// All its rows, taken or not.
        package var rows: Int64
        /// Its rows that no page before had.
        package var newRows: Int64
        /// The address or the cursor of the next page; nil where it names none.
        package var next: String?
        /// How many pages the list has, as it says.
        package var totalPages: Int64?
        /// How many rows the list has, as it says.
        package var totalRows: Int64?

        package init(
            rows: Int64, newRows: Int64, next: String? = nil, totalPages: Int64? = nil,
            totalRows: Int64? = nil
        ) {
            self.rows = rows
            self.newRows = newRows
            self.next = next
            self.totalPages = totalPages
            self.totalRows = totalRows
        }
    }

    /// Why a list is not read to its end.
    package enum Failure: Error, Sendable, Hashable {
        /// It has more pages than one pull reads.
        case tooManyPages
        /// It has more rows than one pull reads.
        case tooManyRows
    }

    private let paging: Paging
    /// The requests that were made, as far as the server chose them.
    private var asked: Set<Request> = []
    private var started = 0
    private var rows: Int64 = 0
    private var longest: Int64 = 0
    private var hasEnded = false
    private var total: Int64?

    /// The walk through a list with `paging`; it begins with ``Request/first``.
    package init(_ paging: Paging) { self.paging = paging }

    /// What to ask for at the beginning.
    package mutating func begin() -> Request {
        started = 1
        return .first
    }

    /// Takes note of a page.
    ///
    /// - Parameters:
    ///   - page: What came.
    ///   - index: Which request it answers, from 0 in the order in which they were given.
    /// - Returns: What to ask for next, in that order; empty at the end, or while pages are under way that
    ///   decide it.
    /// - Throws: ``Failure`` for a list that is too long.
    package mutating func take(_ page: Page, at index: Int) throws(Failure) -> [Request] {
        rows += page.rows
        guard rows <= Int64(Limits.rows) else { throw .tooManyRows }
        if page.newRows == 0 { hasEnded = true }
        total = page.totalRows ?? total
        let requests = hasEnded ? [] : next(after: page, at: index)
        guard started + requests.count <= Limits.pages else { throw .tooManyPages }
        started += requests.count
        longest = max(longest, page.rows)
        return requests
    }

    /// Whether exactly as many rows came as the list has, as it says.
    package var hasAllRows: Bool { rows == total }

    private mutating func next(after page: Page, at index: Int) -> [Request] {
        switch paging {
        case .none, .whole: return []
        case .next: return following(page.next.map { .address($0) })
        case .cursor: return following(page.next.map { .cursor($0) })
        case .pages(let counted):
            guard let total = page.totalPages else {
                // At some servers the total of rows is that of the page: one page does not show which it is.
                return index > 0 && hasAllRows ? [] : [.number(counted.first + index + 1)]
            }
            // The first page tells of all others. One of them may tell of more, which are not read.
            guard index == 0 else { return [] }
            let last = min(total, Int64(counted.most))
            return last < 2 ? [] : (1..<Int(last)).map { .number(counted.first + $0) }
        case .offset(let counted):
            if let total = page.totalRows {
                guard rows < total else { return [] }
            } else if let limit = counted.limit, page.rows < limit.rows, page.rows < longest {
                // Shorter than it was asked to be, and than another one: the last one. Some servers give
                // less than they are asked for, so that the first half alone proves nothing.
                return []
            }
            return [.offset(Int(rows))]
        }
    }

    /// An address or a cursor that was asked for before leads round in a circle.
    private mutating func following(_ request: Request?) -> [Request] {
        guard let request, asked.insert(request).inserted else { return [] }
        return [request]
    }
}
