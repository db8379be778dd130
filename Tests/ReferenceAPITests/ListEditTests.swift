import APIClient
import ReferenceAPI
import Testing

/// Reads and changes of one row of a declared list.
@Suite struct ListEditTests {
    private static func client() throws -> ReferenceClient {
        var list = ReferenceList(
            rows: [#"{"id":1,"title":"a","n":1.50,"x":{"y":[1]}}"#, #"{"id":"b","title":"b"}"#],
            paging: .none, size: 10)
        list.isWritable = true
        var client = try ReferenceClient.loggedIn()
        client.server.declaredLists["notes"] = list
        return client
    }

    @Test func `a row is shown by its id, be that a number or a text`() throws {
        var client = try Self.client()
        #expect(
            client.send(.get, "/lists/notes/1").text
                == #"{"id":1,"title":"a","n":1.50,"x":{"y":[1]}}"#)
        #expect(client.send(.get, "/lists/notes/b").text == #"{"id":"b","title":"b"}"#)
        #expect(client.send(.get, "/lists/notes/2").status == 404)
        #expect(client.send(.get, "/lists/other/1").status == 404)
    }

    @Test
    func `a PATCH writes its members over those of the row, and leaves the rest as it is written`()
        throws
    {
        var client = try Self.client()
        let answer = client.send(.patch, "/lists/notes/1", #"{"title":null,"new":[2],"id":7}"#)
        #expect(answer.status == 200)
        #expect(answer.text == #"{"id":1,"title":null,"n":1.50,"x":{"y":[1]},"new":[2]}"#)
        #expect(client.server.declaredLists["notes"]?.rows[0] == answer.text)
    }

    @Test func `a PUT puts its body in the place of the row`() throws {
        var client = try Self.client()
        #expect(client.send(.put, "/lists/notes/b", #"{"id":"b","t":1}"#).status == 200)
        #expect(client.server.declaredLists["notes"]?.rows[1] == #"{"id":"b","t":1}"#)
        #expect(client.send(.put, "/lists/notes/b", #"{"id":"c"}"#).status == 422)
    }

    @Test func `what is no object, or of no row, is refused`() throws {
        var client = try Self.client()
        #expect(client.send(.patch, "/lists/notes/1", "[]").status == 400)
        #expect(client.send(.patch, "/lists/notes/9", "{}").status == 404)
    }

    @Test func `a list that takes no writes shows its rows alone`() throws {
        var client = try Self.client()
        client.server.declaredLists["notes"]?.isWritable = false
        #expect(client.send(.get, "/lists/notes/1").status == 200)
        #expect(client.send(.patch, "/lists/notes/1", "{}").value(of: "Allow") == "GET")
    }
}
