import FoundationEssentials

/// A list of any rows in one kind of paging: what a client of declared lists is developed against.
public struct ReferenceList: Sendable, Hashable {
    /// How the list comes in several answers.
    public enum Paging: String, Sendable, Hashable, CaseIterable {
        /// All in one, as a bare array.
        case none
        /// Bare arrays; `Link` names the next one: `?page=2`.
        case link
        /// `{"results": […], "next": "http://…?page=2"}`.
        case next
        /// `{"results": […], "next_cursor": "…"}`, to be sent as `cursor`.
        case cursor
        /// `{"results": […], "total_pages": 3, "total_results": 5}`, asked for by `page`.
        case page
        /// Bare arrays with `X-Total-Count`, asked for by `offset` and `limit`.
        case offset
    }

    /// What is wrong with the list.
    public enum Lie: Sendable, Hashable {
        /// The totals are larger by this number, or smaller.
        case total(Int)
        /// The last page names the first one as the next.
        case loop
        /// Each page names itself as the next.
        case standstill
        /// The next page is at another server.
        case foreignLink(String)
        /// Every number of a page is answered with the first page.
        case samePage
        /// The row with this index stands on two pages.
        case doubled(Int)
        /// The row with this index is on no page.
        case missing(Int)
        /// After each answer the first row leaves and a new one comes behind the last.
        case shifting
        /// The list has only its first page left once that is read: each page behind it is refused with this
        /// status.
        case shrunk(Int)
        /// The row with this index is answered as this text instead.
        case odd(Int, String)
    }

    /// The rows as JSON text, in their order.
    public var rows: [String] {
        get { written.rows }
        set { written.rows = newValue }
    }
    /// How the list comes in several answers.
    public var paging: Paging
    /// Rows a page; less than 1 counts as 1. A client may ask for less.
    public var size: Int
    /// What is wrong with it; nil: nothing.
    public var lie: Lie?
    /// The token that a client has to send as bearer; nil: none.
    public var token: String?
    /// Whether rows can be added (POST) and removed (DELETE of `/lists/NAME/ID`).
    public var isWritable = false
    /// How it is answered if a client asks for changes alone; nil: it knows no such queries.
    public var increments: Increments?
    /// What its rows name rows of other lists by.
    public var parents: [Parent] = []
    /// The rows, and what is remembered of writes.
    var written: WrittenRows
    /// How often it was answered.
    public internal(set) var answers = 0

    /// A list of `rows`.
    public init(rows: [String], paging: Paging, size: Int, lie: Lie? = nil) {
        written = WrittenRows(rows: rows)
        self.paging = paging
        self.size = size
        self.lie = lie
    }

    /// A list of the elements of a JSON array, byte for byte; nil where the bytes are none.
    public init?(array bytes: [UInt8], paging: Paging, size: Int) {
        // What the bytes say beyond that is for the client to judge.
        guard let whole = try? JSONDecoder().decode([Element].self, from: Data(bytes)) else {
            return nil
        }
        let space = Set(" \t\n\r".utf8)
        let array = Array(
            bytes.drop { space.contains($0) }.reversed().drop { space.contains($0) }.reversed())
        guard let elements = TopLevelElements(of: array)?.elements(of: array),
            elements.count == whole.count
        else { return nil }
        self.init(
            rows: elements.map { String(decoding: $0, as: UTF8.self) }, paging: paging, size: size)
    }

    /// Only counted.
    private struct Element: Decodable {
        init(from decoder: any Decoder) {}
    }
}
