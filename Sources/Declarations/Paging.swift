/// How a list in several answers is read.
public enum Paging: Sendable, Hashable {
    /// One answer holds all of it, as long as it does not tell of more.
    case none
    /// One answer holds all of it, whatever it seems to tell of more.
    case whole
    /// An answer names the address of the next page.
    case next(NextPage)
    /// A value of the answer goes into the request for the next page.
    case cursor(PageCursor)
    /// Pages are counted.
    case pages(CountedPages)
    /// Rows are counted.
    case offset(CountedRows)

    /// The next page is the `next` of the header field `Link`, and nothing else is told.
    public static let link = Paging.next(NextPage(place: .link, rows: nil))

    /// Where an answer tells how many rows the list has; nil: nowhere.
    public var rows: Total? {
        switch self {
        case .none, .whole: nil
        case .next(let next): next.rows
        case .cursor(let cursor): cursor.rows
        case .pages(let counted): counted.rows
        case .offset(let counted): counted.rows
        }
    }

    /// Where an answer tells how many pages the list has; nil: nowhere.
    public var pages: Total? { if case .pages(let counted) = self { counted.pages } else { nil } }

    /// The header fields that tell how long the list is, or where its next page is.
    public var headers: [String] {
        var names = [pages, rows].compactMap { $0?.header }
        if case .next(let next) = self, case .header(let name) = next.place { names.append(name) }
        return names
    }

    /// Whether the first page tells how many rows the list has.
    public var tellsRows: Bool { rows != nil }

    /// Whether a header field names the next page: the body can be the same when there is one.
    public var namesNextInHeader: Bool {
        guard case .next(let next) = self else { return false }
        if case .path = next.place { return false }
        return true
    }

    /// Whether an answer names the next page.
    public var isTold: Bool {
        switch self {
        case .next, .cursor: true
        case .none, .whole, .pages, .offset: false
        }
    }

    /// What a request says of the page that it wants.
    var parameters: [PageParameter] {
        switch self {
        case .none, .whole, .next: []
        case .cursor(let cursor): [cursor.parameter]
        case .pages(let counted): [counted.parameter]
        case .offset(let counted):
            [counted.parameter] + [counted.limit?.parameter].compactMap { $0 }
        }
    }

    /// Whether one answer holds all of it.
    public var isOneAnswer: Bool { self == .none || self == .whole }

    /// Whether the server can leave a row out of two pages that it stands between: where the next page is
    /// found by its number, and not by the last row of the page before. Of a link nobody knows.
    public var canMissRows: Bool {
        switch self {
        case .none, .whole, .cursor: false
        case .next, .pages, .offset: true
        }
    }
}

/// A list whose answers lead from page to page by a value of their own.
public struct PageCursor: Sendable, Hashable {
    /// Where an answer has the value that the next request takes.
    public let path: JSONPath
    /// Where a request has it.
    public let parameter: PageParameter
    /// Where an answer says that there is no next page, by `false`; nil: an answer without a value says so.
    public let more: JSONPath?
    /// Where the number of rows is told.
    public let rows: Total?
}

/// A list whose answers name the address of the next page.
public struct NextPage: Sendable, Hashable {
    /// Where that address stands.
    public let place: Place
    /// Where the number of rows is told.
    public let rows: Total?

    /// Where an answer names an address.
    public enum Place: Sendable, Hashable {
        /// In the header field `Link`, as `next`.
        ///
        /// Source: RFC 8288 §3.
        case link
        /// In its body.
        case path(JSONPath)
        /// In this header field.
        case header(String)
    }
}

/// A list whose pages are counted.
public struct CountedPages: Sendable, Hashable {
    /// Where a request has the page's number.
    public let parameter: PageParameter
    /// The number of the first page.
    public let first: Int
    /// Where the number of pages is told.
    public let pages: Total?
    /// Where the number of rows is told.
    public let rows: Total?
    /// So many pages can be asked for, however long the list is.
    public let most: Int
}

/// A list that is asked for by the number of rows before a page.
public struct CountedRows: Sendable, Hashable {
    /// Where a request has the number of rows before the page.
    public let parameter: PageParameter
    /// Where it has the length of a page, and that length.
    public let limit: Limit?
    /// Where the number of rows is told.
    public let rows: Total?

    /// How long a page is.
    public struct Limit: Sendable, Hashable {
        /// Where a request has it.
        public let parameter: PageParameter
        /// Rows a page.
        public let rows: Int
    }
}

/// Where a server tells how long its list is.
public enum Total: Sendable, Hashable {
    /// In the answer's body.
    case path(JSONPath)
    /// In a header field: a number, or what stands behind the slash of `Content-Range`.
    case header(String)

    /// The name of its header field.
    public var header: String? {
        switch self {
        case .path: nil
        case .header(let name): name
        }
    }

    /// Its place in the body.
    public var path: JSONPath? {
        switch self {
        case .path(let path): path
        case .header: nil
        }
    }
}
