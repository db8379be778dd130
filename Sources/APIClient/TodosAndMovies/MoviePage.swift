/// One page of a list of movies.
public struct MoviePage: Sendable, Hashable, Codable {
    /// The window a list claims to cover; rows outside it are common.
    public struct Dates: Sendable, Hashable, Codable {
        /// `YYYY-MM-DD`.
        public var minimum: String?
        /// `YYYY-MM-DD`.
        public var maximum: String?

        /// A window.
        public init(minimum: String?, maximum: String?) {
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// `nil` where the list names no window.
    public var dates: Dates?
    /// Counted from 1.
    public var page: Int
    /// Up to 20 rows, in the list's order.
    public var results: [Movie]
    /// How many pages the list has at this moment.
    public var totalPages: Int
    /// How many rows the list has at this moment.
    public var totalResults: Int

    /// A page.
    public init(
        dates: Dates?, page: Int, results: [Movie], totalPages: Int, totalResults: Int
    ) {
        self.dates = dates
        self.page = page
        self.results = results
        self.totalPages = totalPages
        self.totalResults = totalResults
    }

    private enum CodingKeys: String, CodingKey {
        case dates, page, results
        case totalPages = "total_pages"
        case totalResults = "total_results"
    }
}
