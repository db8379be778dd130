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
            rows: movies.map { movie in
                [
                    .init("\(movie.rank)"), .init(movie.releaseDate ?? ""), .init(movie.title),
                    .init(movie.voteAverage.map { "\($0)" } ?? ""), .init("\(movie.id)"),
                ]
            })
    }
}
