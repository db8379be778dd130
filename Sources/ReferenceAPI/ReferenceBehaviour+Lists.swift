/// How lists of todos can be less than a client expects.
extension ReferenceBehaviour {
    /// A list in pages: `/todos` answers the first, `/todos?page=2` the next, all with status 200
    /// and as a bare array.
    public struct Pages: Sendable, Hashable {
        /// What in an answer tells that there are further pages.
        public enum Hint: String, Sendable, Hashable, CaseIterable {
            /// Nothing.
            case none
            /// `Link: </todos?page=2>; rel="next"` on each page but the last (RFC 8288 §3).
            case link
            /// `X-Total-Count: 8`, the number of all rows, on each page.
            case total
            /// `Content-Range: items 0-4/8` on each page (RFC 9110 §14.4).
            case range
        }

        /// Rows on each page but the last; less than 1 counts as 1.
        public var size: Int
        /// What tells of further pages.
        public var hint: Hint

        /// Pages of `size` rows.
        public init(size: Int, hint: Hint) {
            self.size = size
            self.hint = hint
        }
    }

    /// One row of a list stands in it twice.
    public enum DoubledRow: String, Sendable, Hashable, CaseIterable {
        /// Both are the same.
        case equal
        /// Both have the same id and different titles.
        case differing
    }

    /// A list shows the todos as they were before the last write, as from a replica that is behind.
    public enum Lag: Sendable, Hashable {
        /// Until so many seconds after that write.
        case seconds(Int64)
        /// Until the next write, which is then the one that the list does not show.
        case untilNextWrite
    }
}
