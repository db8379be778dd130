/// One row of TMDB's list of upcoming movies; what can be missing or null there is optional here.
///
/// Source: docs/server-api.md, "The list of movies", and recorded answers.
public struct Movie: Sendable, Hashable, Codable {
    /// The key.
    public var id: Int64
    /// In the language asked for.
    public var title: String
    /// In the language of the movie.
    public var originalTitle: String?
    /// Not strictly ISO 639-1: `cn` occurs.
    public var originalLanguage: String?
    /// Can be empty.
    public var overview: String?
    /// `YYYY-MM-DD`; can be empty.
    public var releaseDate: String?
    /// Begins with `/`; the host of the images is not part of it.
    public var posterPath: String?
    /// Like ``posterPath``.
    public var backdropPath: String?
    /// Can be empty.
    public var genreIDs: [Int64]?
    /// TMDB's own measure; the list is sorted by it.
    public var popularity: Double?
    /// From 0 to 10.
    public var voteAverage: Double?
    /// How many votes ``voteAverage`` is of.
    public var voteCount: Int64?
    /// Whether it is for adults only.
    public var adult: Bool?
    /// Whether it is a recording and no movie.
    public var video: Bool?

    /// A movie with nothing known but its id and title; the rest is set by assignment.
    public init(id: Int64, title: String) {
        self.id = id
        self.title = title
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, overview, popularity, adult, video
        case originalTitle = "original_title"
        case originalLanguage = "original_language"
        case releaseDate = "release_date"
        case posterPath = "poster_path"
        case backdropPath = "backdrop_path"
        case genreIDs = "genre_ids"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
    }
}
