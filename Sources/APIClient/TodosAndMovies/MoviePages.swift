/// The pages of a list, read one after another while somebody iterates.
///
/// It ends after the last page that the page before named, after 500 pages at most, and after a
/// page without rows. A failure ends it too.
public struct MoviePages: AsyncSequence, Sendable {
    /// What an iteration gives.
    public typealias Element = MoviePage
    /// Why an iteration stops early.
    public typealias Failure = APIError

    let client: MoviesClient

    /// Starts at page 1.
    public func makeAsyncIterator() -> Iterator { Iterator(client: client) }

    /// One iteration.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let client: MoviesClient
        private var page = 1
        private var lastPage = 1

        init(client: MoviesClient) { self.client = client }

        /// The next page, or `nil` after the last one.
        public mutating func next() async throws(APIError) -> MoviePage? {
            guard page <= lastPage else { return nil }
            let number = page
            // Should the request fail, the iteration is over.
            page = .max
            let answer = try await client.upcomingMovies(page: number)
            lastPage = answer.results.isEmpty ? number : Swift.min(answer.totalPages, 500)
            page = number + 1
            return answer
        }

        /// The next page, read on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(APIError) -> MoviePage? {
            try await next()
        }
    }
}
