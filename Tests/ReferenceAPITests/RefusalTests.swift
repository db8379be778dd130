import APIClient
import ReferenceAPI
import Testing

/// Requests that a sound service does not take as they come.
@Suite struct RefusalTests {
    @Test(arguments: [307, 308])
    func `paths without a slash at their end are sent to those with one`(status: Int) throws {
        var client = try ReferenceClient.loggedIn { $0.slashRedirect = status }
        for (method, target, location) in [
            (HTTPMethod.get, "/todos", "/todos/"), (.post, "/todos?a=b?c", "/todos/?a=b?c"),
            (.delete, "/todos/1", "/todos/1/"),
        ] {
            let answer = client.send(method, target, #"{"title":"a"}"#)
            #expect(answer.status == status)
            #expect(answer.value(of: "Location") == location)
        }
        #expect(client.server.state.todos.isEmpty)
        #expect(client.send(.post, "/todos/", #"{"title":"a"}"#).status == 200)
        #expect(client.send(.get, "/todos/").text == #"[{"id":1,"title":"a"}]"#)
        #expect(client.send(.delete, "/todos/1/").status == 200)
        #expect(client.send(.delete, "/todos/1//").status == 404)
        #expect(client.logIn("a@b.example", "pw").status == 200)
    }

    @Test func `a rate limit takes evenly spaced requests and no burst`() throws {
        var client = try ReferenceClient.loggedIn()
        client.server.behaviour.rateLimit = RateLimit(perSecond: 5, retryAfter: nil)
        let moments: [Int64] = [0, 199, 200, 399, 400, 1000]
        let statuses = moments.map { moment in
            client.seconds = 1_000_000 + moment / 1000
            client.milliseconds = moment % 1000
            return client.create("t\(moment)").status
        }
        #expect(statuses == [200, 429, 200, 429, 200, 200])
        #expect(
            client.server.state.todos.map(\.title) == ["t0", "t200", "t400", "t1000"])
        #expect(client.page("?page=1").status == 200, "the movies have no limit")
    }

    @Test(arguments: [nil, 7 as Int64])
    func `a refusal by the limit may say when to come again`(wait: Int64?) throws {
        var client = try ReferenceClient.loggedIn()
        client.server.behaviour.rateLimit = RateLimit(perSecond: 1, retryAfter: wait)
        #expect(client.create("a").status == 200)
        let refused = client.create("b")
        #expect(refused.status == 429)
        #expect(refused.value(of: "Retry-After") == wait.map(String.init))
        #expect(client.server.lastChanges.isEmpty)
        client.seconds -= 100
        #expect(client.create("c").status == 200, "a clock that goes back refuses nothing")
    }
}
