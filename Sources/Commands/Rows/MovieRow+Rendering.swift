internal import Rendering
internal import Store

extension MovieRow {
    var json: JSONValue {
        [
            "id": .integer(id), "rank": .integer(rank), "title": .string(title),
            "original_title": .optional(originalTitle), "release_date": .optional(releaseDate),
            "popularity": popularity.map(JSONValue.double) ?? .null,
            "vote_average": voteAverage.map(JSONValue.double) ?? .null,
            "vote_count": .optional(voteCount), "document": .raw(Array(document.utf8)),
        ]
    }

    static func table(of movies: [MovieRow]) -> Table {
        Table(
            columns: [
                .init("rank", alignment: .trailing), .init("released"),
                .init("title", isFlexible: true), .init("vote", alignment: .trailing),
                .init("id", alignment: .trailing),
            ],
            of: movies
        ) { movie in
            [
                .init("\(movie.rank)"), .init(movie.releaseDate ?? ""), .init(movie.title),
                .init(movie.vote), .init("\(movie.id)"),
            ]
        }
    }

    /// With one digit behind the point, so that votes stand under each other; nothing where nobody has
    /// voted.
    private var vote: String {
        guard let voteAverage, voteCount != 0 else { return "" }
        guard (0...10).contains(voteAverage) else { return "\(voteAverage)" }
        let tenths = Int((voteAverage * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
