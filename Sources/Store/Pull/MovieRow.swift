/// A row of the table `movies`, without the columns that only scripts use.
public struct MovieRow: Sendable, Hashable {
    /// The server's id.
    public let id: Int64
    /// In the language of the pull.
    public let title: String
    /// In the language of the movie.
    public let originalTitle: String?
    /// `YYYY-MM-DD`; empty or nil where the server knows none.
    public let releaseDate: String?
    /// The server's own measure of interest.
    public let popularity: Double?
    /// From 0 to 10.
    public let voteAverage: Double?
    /// How many votes the average is made of.
    public let voteCount: Int64?
    /// The place in the server's list, from 1.
    public let rank: Int64
    /// The server's JSON object, whole.
    public let document: String
}
