import APIClient
import Foundation
import ReferenceAPI
import Testing

@Suite struct MovieTests {
    @Test func `both forms of the credential open the list, others are answered 401 code 7`() throws
    {
        var client = try ReferenceClient.loggedIn()
        #expect(client.page("?page=1").status == 200)
        #expect(client.page("").text == client.page("?page=1").text)
        client.token = nil
        #expect(client.send(.get, "/3/movie/upcoming?api_key=demo&page=1").status == 200)
        #expect(client.send(.get, "/3/movie/upcoming?api_key=d%65mo").status == 200)
        for answer in [
            client.page("", token: "wrong"), client.send(.get, "/3/movie/upcoming"),
            client.send(.get, "/3/movie/upcoming?api_key=wrong"),
        ] {
            let object = try answer.object()
            #expect(answer.status == 401)
            #expect(object["status_code"] as? Int == 7)
            #expect(object["success"] as? Bool == false)
            #expect((object["status_message"] as? String)?.isEmpty == false)
        }
    }

    @Test(arguments: ["0", "501", "-1", "x", "", "1.5", "99999999999999999999"])
    func `a page outside 1 to 500 is answered 400 code 22`(page: String) throws {
        var client = try ReferenceClient.loggedIn()
        let answer = client.page("?page=\(page)")
        #expect(answer.status == 400)
        #expect(try answer.object()["status_code"] as? Int == 22)
    }

    @Test func `page 500 is answered without rows and with the same totals`() throws {
        var client = try ReferenceClient.loggedIn()
        let first = try client.page("?page=1").object()
        let last = try client.page("?page=500").object()
        #expect((last["results"] as? [Any])?.isEmpty == true)
        #expect(last["page"] as? Int == 500)
        #expect(last["total_pages"] as? Int == first["total_pages"] as? Int)
        #expect(last["total_results"] as? Int == first["total_results"] as? Int)
    }

    @Test func `another path is answered 404 code 34, another method 405`() throws {
        var client = try ReferenceClient.loggedIn()
        let fields = [("Authorization", "Bearer demo")]
        let other = client.send(.get, "/3/movie/popular", fields: fields)
        #expect(other.status == 404)
        #expect(try other.object()["status_code"] as? Int == 34)
        #expect(client.send(.post, "/3/movie/upcoming", "{}", fields: fields).status == 405)
    }

    @Test func `the pages together hold total_results rows, twenty a page`() throws {
        var client = try ReferenceClient.loggedIn()
        let total = try #require(try client.page("").object()["total_pages"] as? Int)
        #expect(total >= 20)
        var rows: [[String: Any]] = []
        for page in 1...total {
            let object = try client.page("?page=\(page)").object()
            #expect(object["page"] as? Int == page)
            let results = try #require(object["results"] as? [[String: Any]])
            #expect(results.count == 20 || page == total)
            rows += results
        }
        #expect(try client.page("").object()["total_results"] as? Int == rows.count)
        #expect(Set(rows.compactMap { $0["id"] as? Int }).count == rows.count - 1)
    }

    @Test func `one row ends page 7 and begins page 8, unless there is no overlap`() throws {
        for overlap in [true, false] {
            let movies = MovieCatalogue.generated(
                count: 434, seed: 1, overlap: overlap, dates: true)
            let seventh = try #require(rows(of: movies.pages[6]).last?["id"] as? Int)
            let eighth = try #require(rows(of: movies.pages[7]).first?["id"] as? Int)
            #expect((seventh == eighth) == overlap)
            #expect(movies.totalResults == (overlap ? 435 : 434))
        }
    }

    private func rows(of page: [UInt8]) throws -> [[String: Any]] {
        let object = try HTTPResponse(status: 200, body: page).object()
        return try #require(object["results"] as? [[String: Any]])
    }
}
