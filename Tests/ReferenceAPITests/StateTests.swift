import APIClient
import Foundation
import ReferenceAPI
import Testing

@Suite struct StateTests {
    /// A client's day: something of everything that changes a state.
    private func busy(
        _ change: (inout ReferenceBehaviour) -> Void = { _ in }
    ) throws -> (client: ReferenceClient, answers: [HTTPResponse], changes: [ReferenceChange]) {
        var client = try ReferenceClient.loggedIn {
            $0.honoursIdempotencyKeys = true
            $0.listOrder = .shuffled
            change(&$0)
        }
        var answers: [HTTPResponse] = []
        var changes: [ReferenceChange] = []
        for number in 0..<30 {
            client.seconds += 60
            answers.append(client.create("t\(number % 7)", key: "k\(number % 20)"))
            changes += client.server.lastChanges
            answers.append(client.send(.delete, "/todos/\(number / 2)"))
            changes += client.server.lastChanges
            answers.append(client.send(.get, "/todos"))
            changes += client.server.lastChanges
            answers.append(client.logIn("a@b.example", number % 3 == 0 ? "pw" : "no"))
            changes += client.server.lastChanges
        }
        return (client, answers, changes)
    }

    @Test func `the same requests give the same answers, byte for byte`() throws {
        let first = try busy()
        let second = try busy()
        #expect(first.answers == second.answers)
        #expect(first.client.server.state == second.client.server.state)
    }

    @Test func `another seed gives other tokens and other text ids`() throws {
        let first = try busy { $0.ids = .texts }.client.server.state
        let second = try busy {
            $0.ids = .texts
            $0.seed = 2
        }.client.server.state
        #expect(Set(first.tokens.map(\.string)).isDisjoint(with: second.tokens.map(\.string)))
        #expect(Set(first.todos.map(\.id)).isDisjoint(with: second.todos.map(\.id)))
    }

    @Test func `the changes of every answer, applied in order, give the state`() throws {
        let start = try ReferenceClient.loggedIn().server.state
        let busy = try busy()
        var state = start
        for change in busy.changes { state.apply(change) }
        #expect(state == busy.client.server.state)
        #expect(state.todos.count > 3 && state.keptAnswers.count > 10)
    }

    @Test func `changes of kept lists, applied in order, give the rows, and no amnesia takes them`()
        throws
    {
        var client = try ReferenceClient.loggedIn { $0.honoursIdempotencyKeys = true }
        for (name, isWritable) in [("notes", true), ("read", false)] {
            var list = ReferenceList(rows: [#"{"id":1,"a":1}"#], paging: .none, size: 1)
            list.isWritable = isWritable
            client.server.declaredLists[name] = list
        }
        var state = client.server.state
        client.server.keepLists()
        var changes = client.server.lastChanges
        for (method, path, body) in [
            (HTTPMethod.post, "", #"{"a":2}"#), (.post, "", #"{"id":7}"#),
            (.patch, "/1", #"{"a":null}"#),
            (.put, "/7", #"{"id":7,"b":1}"#), (.delete, "/1000001", nil), (.delete, "/9", nil),
        ] {
            let key = [("Idempotency-Key", "\(method) \(path) \(body ?? "")")]
            _ = client.send(method, "/lists/notes\(path)", body, fields: key)
            changes += client.server.lastChanges
        }
        #expect(changes.count == 6)
        for change in changes { state.apply(change) }
        #expect(state == client.server.state)
        #expect(state.lists.keys.sorted() == ["notes"])
        #expect(state.lists["notes"]?.rows == [#"{"id":1,"a":null}"#, #"{"id":7,"b":1}"#])
        #expect(client.send(.get, "/lists/notes").text == #"[{"id":1,"a":null},{"id":7,"b":1}]"#)
        client.server.forgetEverything()
        #expect(client.server.state.lists == state.lists)
        let saved = try JSONEncoder().encode(state)
        #expect(try JSONDecoder().decode(ReferenceState.self, from: saved) == state)
        #expect(
            try JSONDecoder().decode([ReferenceChange].self, from: JSONEncoder().encode(changes))
                == changes)
    }

    @Test func `a state and its changes survive JSON`() throws {
        for ids in [ReferenceBehaviour.IDs.reusedIntegers, .freshIntegers, .texts] {
            let busy = try busy { $0.ids = ids }
            let state = busy.client.server.state
            let saved = try JSONEncoder().encode(state)
            #expect(try JSONDecoder().decode(ReferenceState.self, from: saved) == state)
            let changes = try JSONEncoder().encode(busy.changes)
            #expect(try JSONDecoder().decode([ReferenceChange].self, from: changes) == busy.changes)
        }
    }

    @Test func `a server that goes on from a saved state honours its tokens and ids`() throws {
        var client = try busy().client
        let expected = client.server.state
        client.server = ReferenceServer(
            state: expected, behaviour: ReferenceBehaviour(), movies: client.server.movies)
        #expect(client.send(.get, "/todos").status == 200)
        let highest = expected.todos.compactMap { Int($0.id.description) }.max() ?? 0
        #expect(try client.create("x").object()["id"] as? Int == highest + 1)
    }
}
