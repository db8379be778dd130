import APIClient
import Foundation
import Testing

@Suite struct ModelTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test func `a todo without an id encodes as its title alone`() throws {
        let json = try JSONEncoder().encode(Todo(title: "milk"))
        #expect(String(decoding: json, as: UTF8.self) == #"{"title":"milk"}"#)
        #expect(try JSONDecoder().decode(Todo.self, from: json) == Todo(title: "milk"))
    }

    @Test func `a todo's unknown fields are passed over`() throws {
        let todo = try decode(Todo.self, #"{"user":{"id":3},"title":"a","id":"x","done":null}"#)
        #expect(todo == Todo(id: ServerID("x"), title: "a"))
    }

    @Test func `a user has an id of either kind`() throws {
        let user = try decode(User.self, #"{"id":1,"email":"a@b.c","name":"A","x":[]}"#)
        #expect(user == User(id: ServerID(1), email: "a@b.c", name: "A"))
    }

    @Test func `a movie needs no more than its id and title`() throws {
        #expect(try decode(Movie.self, #"{"id":1,"title":"T"}"#) == Movie(id: 1, title: "T"))
    }

    @Test func `every other field of a movie can be null`() throws {
        let json = """
            {"id":1,"title":"T","original_title":null,"original_language":null,"overview":null,
            "release_date":null,"poster_path":null,"backdrop_path":null,"genre_ids":null,
            "popularity":null,"vote_average":null,"vote_count":null,"adult":null,"video":null}
            """
        #expect(try decode(Movie.self, json) == Movie(id: 1, title: "T"))
    }

    @Test func `every field of a movie is read, whole numbers where fractions are usual too`()
        throws
    {
        let json = """
            {"id":1,"title":"T","original_title":"O","original_language":"cn","overview":"",
            "release_date":"","poster_path":"/p","backdrop_path":"/b","genre_ids":[27,53],
            "popularity":0,"vote_average":6.72,"vote_count":7,"adult":false,"video":true,"new":{}}
            """
        var movie = Movie(id: 1, title: "T")
        movie.originalTitle = "O"
        movie.originalLanguage = "cn"
        movie.overview = ""
        movie.releaseDate = ""
        movie.posterPath = "/p"
        movie.backdropPath = "/b"
        movie.genreIDs = [27, 53]
        movie.popularity = 0
        movie.voteAverage = 6.72
        movie.voteCount = 7
        movie.adult = false
        movie.video = true
        #expect(try decode(Movie.self, json) == movie)
    }

    @Test func `a page may have no window of dates`() throws {
        let page = try decode(
            MoviePage.self, #"{"results":[],"total_results":0,"total_pages":1,"page":1}"#)
        #expect(page == MoviePage(dates: nil, page: 1, results: [], totalPages: 1, totalResults: 0))
    }
}
