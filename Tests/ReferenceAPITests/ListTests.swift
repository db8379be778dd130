import APIClient
import ReferenceAPI
import Testing

/// Lists that are less than a client expects.
@Suite struct ListTests {
    private func client(
        todos: Int, _ change: (inout ReferenceBehaviour) -> Void
    ) throws -> ReferenceClient {
        var client = try ReferenceClient.loggedIn(change)
        for number in 0..<todos { _ = client.create("t\(number + 1)") }
        return client
    }

    private func ids(_ answer: HTTPResponse) throws -> [Int] {
        try answer.objects().compactMap { $0["id"] as? Int }
    }

    @Test(arguments: [
        (ReferenceBehaviour.Pages.Hint.none, nil, nil, nil),
        (.link, "Link", "</todos?page=2>; rel=\"next\"", nil),
        (.total, "X-Total-Count", "8", "8"),
        (.range, "Content-Range", "items 0-4/8", "items 5-7/8"),
    ])
    func `a list comes in pages, which tell of more as they are told to`(
        hint: ReferenceBehaviour.Pages.Hint, field: String?, first: String?, second: String?
    ) throws {
        var client = try client(todos: 8) { $0.pages = .init(size: 5, hint: hint) }
        let pages = ["/todos", "/todos?page=2", "/todos?page=3"].map { client.send(.get, $0) }
        #expect(pages.map(\.status) == [200, 200, 200])
        #expect(try pages.map(ids) == [[1, 2, 3, 4, 5], [6, 7, 8], []])
        #expect(pages[0].fields.count == (field == nil ? 1 : 2))
        if let field {
            #expect(pages[0].value(of: field) == first)
            #expect(pages[1].value(of: field) == second)
        }
    }

    @Test func `a list that ends with its page tells of no further one`() throws {
        var client = try client(todos: 5) { $0.pages = .init(size: 5, hint: .link) }
        #expect(client.send(.get, "/todos").value(of: "Link") == nil)
        client.server.behaviour.pages?.hint = .range
        let beyond = client.send(.get, "/todos?page=\(Int.max)")
        #expect(beyond.text == "[]")
        #expect(beyond.value(of: "Content-Range") == "items */5")
        for page in ["0", "-1", "x", ""] {
            #expect(client.send(.get, "/todos?page=\(page)").status == 400, "\(page)")
        }
    }

    @Test func `a page has another tag when there are more rows beyond it`() throws {
        var client = try client(todos: 5) {
            $0.pages = .init(size: 5, hint: .total)
            $0.entityTags = true
        }
        let tag = try #require(client.send(.get, "/todos").value(of: "ETag"))
        let condition = [("If-None-Match", tag)]
        #expect(client.send(.get, "/todos", fields: condition).status == 304)
        _ = client.create("t6")
        #expect(client.send(.get, "/todos", fields: condition).status == 200)
    }

    @Test func `pages of a shuffled list are shuffled`() throws {
        var client = try client(todos: 20) {
            $0.pages = .init(size: 20, hint: .none)
            $0.listOrder = .shuffled
        }
        let first = try ids(client.send(.get, "/todos"))
        let second = try ids(client.send(.get, "/todos"))
        #expect(first != second && first.sorted() == Array(1...20))
    }

    @Test func `another client's row without a title is listed with null`() throws {
        var client = try client(todos: 1) { _ in }
        client.server.addTodo(owner: "a@b.example", title: "")
        #expect(
            client.send(.get, "/todos").text == #"[{"id":1,"title":"t1"},{"id":2,"title":null}]"#)
        #expect(client.send(.delete, "/todos/2").status == 200)
        #expect(client.send(.get, "/todos").text == #"[{"id":1,"title":"t1"}]"#)
    }

    @Test func `a row can stand twice in a list, alike or with another title`() throws {
        var client = try client(todos: 3) { $0.doubledRow = .equal }
        let equal = try client.send(.get, "/todos").objects()
        let titles = equal.compactMap { $0["title"] as? String }
        #expect(titles.count == 4 && Set(titles) == ["t1", "t2", "t3"])
        #expect(client.send(.get, "/todos").text == client.send(.get, "/todos").text)
        client.server.behaviour.doubledRow = .differing
        let differing = try client.send(.get, "/todos").objects()
        #expect(try Set(ids(client.send(.get, "/todos"))) == [1, 2, 3])
        #expect(differing.compactMap { $0["title"] as? String }.count { $0.contains("again") } == 1)
        client.server.behaviour.doubledRow = nil
        #expect(try ids(client.send(.get, "/todos")) == [1, 2, 3])
    }

    @Test func `an empty list has no row to double`() throws {
        var client = try client(todos: 0) { $0.doubledRow = .equal }
        #expect(client.send(.get, "/todos").text == "[]")
    }

    @Test func `a list lags by one write for a time`() throws {
        var client = try client(todos: 2) { $0.lag = .seconds(3) }
        #expect(try ids(client.send(.get, "/todos")) == [1])
        client.seconds += 2
        client.milliseconds = 999
        #expect(try ids(client.send(.get, "/todos")) == [1])
        client.seconds += 1
        client.milliseconds = 0
        #expect(try ids(client.send(.get, "/todos")) == [1, 2])
        _ = client.send(.delete, "/todos/1")
        #expect(try ids(client.send(.get, "/todos")) == [1, 2])
        client.seconds += 3
        #expect(try ids(client.send(.get, "/todos")) == [2])
    }

    @Test func `a list lags until the next write`() throws {
        var client = try client(todos: 2) { $0.lag = .untilNextWrite }
        client.seconds += 1_000
        #expect(try ids(client.send(.get, "/todos")) == [1])
        _ = client.create("t3")
        #expect(try ids(client.send(.get, "/todos")) == [1, 2])
        client.server.behaviour.lag = nil
        #expect(try ids(client.send(.get, "/todos")) == [1, 2, 3])
    }

    @Test func `a row's id can have another name`() throws {
        var client = try ReferenceClient.loggedIn { $0.idName = "_id" }
        #expect(client.create("a").text == #"{"_id":1,"title":"a"}"#)
        #expect(client.send(.get, "/todos").text == #"[{"_id":1,"title":"a"}]"#)
        #expect(client.send(.delete, "/todos/1").status == 200)
    }
}
