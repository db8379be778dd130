import APIClient
import ReferenceAPI
import Testing

@Suite struct KeyAndTagTests {
    @Test func `a key is not understood unless the service honours keys`() throws {
        var client = try ReferenceClient.loggedIn()
        #expect(client.create("a", key: "k").text == #"{"id":1,"title":"a"}"#)
        #expect(client.create("a", key: "k").text == #"{"id":2,"title":"a"}"#)
        #expect(client.server.state.keptAnswers.isEmpty)
    }

    @Test func `the same key and bytes get the first answer, even when its todo is gone`() throws {
        var client = try ReferenceClient.loggedIn { $0.honoursIdempotencyKeys = true }
        let first = client.create("a", key: "k")
        #expect(client.create("a", key: "k") == first)
        _ = client.send(.delete, "/todos/1")
        #expect(client.create("a", key: "k") == first)
        #expect(client.server.state.todos.isEmpty)
        #expect(client.create("a", key: "l").status == 200)
        #expect(client.server.state.todos.count == 1)
    }

    @Test func `the same key with other bytes is refused with 422`() throws {
        var client = try ReferenceClient.loggedIn { $0.honoursIdempotencyKeys = true }
        _ = client.create("a", key: "k")
        #expect(client.create("b", key: "k").status == 422)
        #expect(client.server.state.todos.map(\.title) == ["a"])
    }

    @Test func `a refused create does not use its key up, and keys belong to a user`() throws {
        var client = try ReferenceClient.loggedIn { $0.honoursIdempotencyKeys = true }
        #expect(client.create("", key: "k").status == 400)
        #expect(client.create("a", key: "k").status == 200)
        client.server.addUser(name: "B", email: "b@b.example", password: "pw")
        client.token = try client.logIn("b@b.example", "pw").object()["string"] as? String
        #expect(client.create("b", key: "k").text == #"{"id":2,"title":"b"}"#)
    }

    @Test func `a key of 255 bytes is taken, an empty one and one of 256 are not`() throws {
        var client = try ReferenceClient.loggedIn { $0.honoursIdempotencyKeys = true }
        #expect(client.create("a", key: String(repeating: "k", count: 255)).status == 200)
        #expect(client.create("a", key: String(repeating: "k", count: 256)).status == 400)
        #expect(client.create("a", key: "").status == 400)
    }

    @Test func `kept answers older than a day go once there are ten thousand`() throws {
        var client = try ReferenceClient.loggedIn { $0.honoursIdempotencyKeys = true }
        var state = client.server.state
        for number in 0..<10_000 {
            state.apply(
                .answerKept(
                    .init(
                        key: "old\(number)", user: .integer(1), requestBody: [], answerBody: [],
                        at: client.seconds - (number < 9_000 ? 86_401 : 86_400))))
        }
        client.server = ReferenceServer(
            state: state, behaviour: client.server.behaviour, movies: client.server.movies)
        _ = client.create("a", key: "new")
        #expect(client.server.state.keptAnswers.count == 1_001)
    }

    @Test func `no answer has a validator unless the service sends them`() throws {
        var client = try ReferenceClient.loggedIn()
        #expect(client.send(.get, "/todos").value(of: "ETag") == nil)
        let asked = client.send(.get, "/todos", fields: [("If-None-Match", "*")])
        #expect(asked.status == 200)
    }

    @Test func `a list that did not change is answered 304, in whatever order it would come`()
        throws
    {
        var client = try ReferenceClient.loggedIn {
            $0.entityTags = true
            $0.listOrder = .shuffled
        }
        for title in ["a", "b", "c", "d", "e"] { _ = client.create(title) }
        let tag = try #require(client.send(.get, "/todos").value(of: "ETag"))
        #expect(tag.hasPrefix("W/\"") && tag.hasSuffix("\""))
        let again = client.send(.get, "/todos", fields: [("If-None-Match", tag)])
        #expect(again == HTTPResponse(status: 304, fields: [HTTPField("ETag", tag)]))
        _ = client.create("f")
        let changed = client.send(.get, "/todos", fields: [("If-None-Match", tag)])
        #expect(changed.status == 200)
        #expect(changed.value(of: "ETag") != tag)
    }

    @Test func `tags are compared weakly, in lists, and any is any`() throws {
        var client = try ReferenceClient.loggedIn { $0.entityTags = true }
        let tag = try #require(client.send(.get, "/todos").value(of: "ETag"))
        for condition in [tag, String(tag.dropFirst(2)), "\"x\", \(tag)", "\(tag),\"x\"", "*"] {
            let answer = client.send(.get, "/todos", fields: [("If-None-Match", condition)])
            #expect(answer.status == 304, "\(condition)")
        }
        for condition in ["\"x\"", "", "W/", String(tag.dropLast())] {
            let answer = client.send(.get, "/todos", fields: [("If-None-Match", condition)])
            #expect(answer.status == 200, "\(condition)")
        }
    }

    @Test func `each page of the movies has a tag of its own`() throws {
        var client = try ReferenceClient.loggedIn { $0.entityTags = true }
        let first = try #require(client.page("?page=1").value(of: "ETag"))
        let second = try #require(client.page("?page=2").value(of: "ETag"))
        #expect(first != second)
        let fields = [("Authorization", "Bearer demo"), ("If-None-Match", first)]
        #expect(client.send(.get, "/3/movie/upcoming?page=1", fields: fields).status == 304)
        #expect(client.send(.get, "/3/movie/upcoming?page=2", fields: fields).status == 200)
    }
}
