import APIClient
import ReferenceAPI
import Testing

@Suite struct TodoTests {
    @Test func `a created todo is in the list until it is deleted`() throws {
        var client = try ReferenceClient.loggedIn()
        #expect(client.send(.get, "/todos").text == "[]")
        let answer = client.create("milk")
        #expect(answer.status == 200)
        #expect(answer.text == #"{"id":1,"title":"milk"}"#)
        #expect(answer.value(of: "content-type") == "application/json; charset=utf-8")
        _ = client.create("bread")
        #expect(
            client.send(.get, "/todos").text
                == #"[{"id":1,"title":"milk"},{"id":2,"title":"bread"}]"#)
        let deleted = client.send(.delete, "/todos/1")
        #expect(deleted == HTTPResponse(status: 200))
        #expect(client.send(.get, "/todos").text == #"[{"id":2,"title":"bread"}]"#)
        #expect(client.send(.delete, "/todos/1").status == 404)
    }

    @Test func `the id of a deleted newest todo is given again`() throws {
        var client = try ReferenceClient.loggedIn()
        _ = client.create("a")
        _ = client.create("b")
        _ = client.send(.delete, "/todos/2")
        #expect(client.create("c").text == #"{"id":2,"title":"c"}"#)
        _ = client.send(.delete, "/todos/1")
        #expect(client.create("d").text == #"{"id":3,"title":"d"}"#)
    }

    @Test func `fresh integers are never given twice`() throws {
        var client = try ReferenceClient.loggedIn { $0.ids = .freshIntegers }
        _ = client.create("a")
        _ = client.send(.delete, "/todos/1")
        #expect(client.create("b").text == #"{"id":2,"title":"b"}"#)
    }

    @Test func `ids can be texts, which a path takes too`() throws {
        var client = try ReferenceClient.loggedIn { $0.ids = .texts }
        let id = try #require(try client.create("a").object()["id"] as? String)
        #expect(id.utf8.count == 36)
        #expect(Array(id)[14] == "4")
        #expect(client.send(.delete, "/todos/\(id)").status == 200)
        #expect(try client.create("b").object()["id"] as? String != id)
    }

    @Test(arguments: [
        ("{}", "title is required"), (#"{"title":""}"#, "title is empty"),
        (#"{"title":null}"#, "title has the wrong type"), (#"{"title":7}"#, "wrong type"),
        (#"["title"]"#, "not a JSON object"), ("", "not valid JSON"), ("{{}}", "not valid JSON"),
        ("{\"title\":\"\u{7f}", "not valid JSON"), ("null", "not a JSON object"),
    ])
    func `a bad create is refused with its reason and changes nothing`(
        body: String, reason: String
    ) throws {
        var client = try ReferenceClient.loggedIn()
        let before = client.server.state
        let answer = client.send(.post, "/todos", body)
        #expect(answer.status == 400)
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(client.server.state == before)
        #expect(client.server.lastChanges.isEmpty)
    }

    @Test func `another type of content is refused with 415, parameters are allowed`() throws {
        var client = try ReferenceClient.loggedIn()
        let body = #"{"title":"a"}"#
        #expect(client.send(.post, "/todos", body, type: "text/plain").status == 415)
        #expect(client.send(.post, "/todos", body, type: nil).status == 415)
        let utf8 = "Application/JSON; charset=utf-8"
        #expect(client.send(.post, "/todos", body, type: utf8).status == 200)
    }

    @Test func `a body over the limit is refused with 413, one at the limit is not`() throws {
        var client = try ReferenceClient.loggedIn { $0.maxBodyBytes = 14 }
        #expect(client.send(.post, "/todos", #"{"title":"ab"}"#).status == 200)
        #expect(client.send(.post, "/todos", #"{"title":"abc"}"#).status == 413)
    }

    @Test func `a title over the service's own limit is refused`() throws {
        var client = try ReferenceClient.loggedIn { $0.maxTitleCharacters = 3 }
        #expect(client.create("äöü").status == 200)
        #expect(client.create("abcd").status == 400)
    }

    @Test(arguments: [
        "/", "/todos/", "/todo", "/todos/1/2", "//todos", "/Todos", "/users/1", "todos", "/%zz", "",
    ])
    func `another path is answered 404`(target: String) throws {
        var client = try ReferenceClient.loggedIn()
        let answer = client.send(.get, target)
        #expect(answer.status == 404)
        #expect(answer.text.contains(#""error":true"#))
    }

    @Test func `another method is answered 405 with those that are allowed`() throws {
        var client = try ReferenceClient.loggedIn()
        let todos = client.send(.delete, "/todos")
        #expect(todos.status == 405)
        #expect(todos.value(of: "Allow") == "GET, POST")
        #expect(client.send(.get, "/users").value(of: "Allow") == "POST")
        #expect(client.send(.get, "/login").value(of: "Allow") == "POST")
        #expect(client.send(.post, "/todos/1").value(of: "Allow") == "DELETE")
    }

    @Test func `a delete can answer with 204, with the todo or with a word`() throws {
        var client = try ReferenceClient.loggedIn { $0.deleteAnswer = .noContent }
        _ = client.create("a")
        #expect(client.send(.delete, "/todos/1") == HTTPResponse(status: 204))
        client.server.behaviour.deleteAnswer = .todo
        _ = client.create("b")
        #expect(client.send(.delete, "/todos/1").text == #"{"id":1,"title":"b"}"#)
        client.server.behaviour.deleteAnswer = .confirmation
        _ = client.create("c")
        let confirmed = client.send(.delete, "/todos/1")
        #expect(confirmed.status == 200)
        #expect(confirmed.text == #"{"ok":true}"#)
        #expect(client.send(.get, "/todos").text == "[]")
    }

    @Test func `an id in a path is percent-decoded and compared as text`() throws {
        var client = try ReferenceClient.loggedIn()
        _ = client.create("a")
        #expect(client.send(.delete, "/todos/01").status == 404)
        #expect(client.send(.delete, "/todos/+1").status == 404)
        #expect(client.send(.delete, "/todos/%31?x=y").status == 200)
    }

    @Test func `a user sees and deletes only todos of its own, and ids are shared`() throws {
        var client = try ReferenceClient.loggedIn()
        client.server.addUser(name: "B", email: "b@b.example", password: "pw")
        _ = client.create("mine")
        client.server.addTodo(owner: "b@b.example", title: "theirs")
        #expect(client.send(.get, "/todos").text == #"[{"id":1,"title":"mine"}]"#)
        #expect(client.send(.delete, "/todos/2").status == 404)
        #expect(client.server.state.todos(email: "b@b.example").map(\.title) == ["theirs"])
        #expect(client.create("more").text == #"{"id":3,"title":"more"}"#)
    }

    @Test func `another client's adds and removals show in the list`() throws {
        var client = try ReferenceClient.loggedIn()
        let added = client.server.addTodo(owner: "a@b.example", title: "x")
        let id = try #require(added)
        #expect(client.send(.get, "/todos").text == #"[{"id":1,"title":"x"}]"#)
        let removed = client.server.removeTodo(id)
        let again = client.server.removeTodo(id)
        #expect(removed && !again)
        #expect(client.send(.get, "/todos").text == "[]")
        let nobodys = client.server.addTodo(owner: "nobody@b.example", title: "x")
        #expect(nobodys == nil)
    }

    @Test func `any text comes back as it went in`() throws {
        var client = try ReferenceClient.loggedIn()
        let titles = ["\" \\ / \u{8}\u{c}\n\r\t\u{1}\u{7f}", "e\u{301}é", "👩‍🚀\u{202E}", "日本 עברית"]
        for title in titles {
            let body = HTTPResponse(status: 0, body: try json(["title": title]))
            #expect(client.send(.post, "/todos", body.text).status == 200)
        }
        let listed = try client.send(.get, "/todos").objects().compactMap { $0["title"] as? String }
        #expect(listed.map { Array($0.utf8) } == titles.map { Array($0.utf8) })
    }

    @Test(arguments: [
        (TitleAlteration.none, "  a \t b\u{1}  "), (.trimmed, "a \t b\u{1}"),
        (.collapsed, "a b\u{1}"), (.withoutControls, "  a  b  "), (.cut(characters: 3), "  a"),
        (.cut(characters: -1), ""),
    ])
    func `a title can be altered on its way`(alteration: TitleAlteration, expected: String) {
        #expect(alteration("  a \t b\u{1}  ") == expected)
    }

    @Test func `a title of which nothing is left is refused`() throws {
        var client = try ReferenceClient.loggedIn { $0.altersTitles = .trimmed }
        #expect(client.create("   ").status == 400)
        #expect(client.create(" a ").text == #"{"id":1,"title":"a"}"#)
    }

    @Test func `a shuffled list holds the same todos in another order each time`() throws {
        var client = try ReferenceClient.loggedIn { $0.listOrder = .shuffled }
        for number in 1...20 { _ = client.create("t\(number)") }
        let first = try client.send(.get, "/todos").objects().compactMap { $0["id"] as? Int }
        let second = try client.send(.get, "/todos").objects().compactMap { $0["id"] as? Int }
        #expect(first != second)
        #expect(first.sorted() == Array(1...20) && second.sorted() == Array(1...20))
    }
}
