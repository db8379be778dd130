import APIClient
import DemoServer
import ReferenceAPI
import TestSupport
import Testing

@Suite struct MiddleboxFaultTests {
    @Test func `a delete is answered 404 by a proxy, and the row stays`() async throws {
        let test = try TestServer(faults: {
            $0.middlebox = [MiddleboxHabit(.notFound, rate: 1, span: .forGood)]
        })
        defer { test.server.stop() }
        let client = try test.todos()
        let token = try await test.token()
        let created = try await client.createTodo(
            title: "milk", idempotencyKey: nil, token: token, timeout: .seconds(10))
        let id = try #require(created.todo.id)
        do {
            _ = try await client.deleteTodo(id, token: token, timeout: .seconds(10))
        } catch {
            // What a client makes of a 404 is its own affair.
        }
        #expect(try await client.todos(token: token).map(\.title) == ["milk"])
        #expect(
            test.record.lines == [
                "POST /login 200", "POST /todos 200", "DELETE /todos/1 404 (fault: 404)",
                "GET /todos 200",
            ])
    }

    @Test func `every other list is cut, and what was changed is saved once`() async throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.path(of: "state")
        let test = try TestServer(
            stateFile: path,
            faults: { $0.middlebox = [MiddleboxHabit(.cutList, rate: 1, span: .requests(1))] })
        let client = try test.todos()
        let token = try await test.token()
        for title in ["a", "b"] {
            _ = try await client.createTodo(
                title: title, idempotencyKey: nil, token: token, timeout: .seconds(10))
        }
        #expect(try await client.todos(token: token).map(\.title) == ["a"])
        #expect(try await client.todos(token: token).map(\.title) == ["a", "b"])
        test.server.stop()
        let again = try TestServer(stateFile: path)
        defer { again.server.stop() }
        #expect(again.server.state.todos.map(\.title) == ["a", "b"])
    }

    @Test func `todos without a title are there once, after a restart too`() throws {
        let scratch = try TemporaryDirectory()
        for _ in 0..<2 {
            let test = try TestServer(stateFile: scratch.path(of: "state"), untitled: 3)
            #expect(test.server.state.todos.map(\.title) == ["", "", ""])
            test.server.stop()
        }
    }

    @Test func `a promise is kept with the next request, and saved`() async throws {
        let scratch = try TemporaryDirectory()
        let path = scratch.path(of: "state")
        let test = try TestServer(
            stateFile: path, faults: { $0.untruths = [UntruthHabit(.isLater, rate: 1, seconds: 0)] }
        )
        let client = try test.todos()
        let token = try await test.token()
        do {
            _ = try await client.createTodo(
                title: "milk", idempotencyKey: nil, token: token, timeout: .seconds(10))
        } catch {
            // What a client makes of a 202 is its own affair.
        }
        #expect(try await client.todos(token: token).map(\.title) == ["milk"])
        #expect(test.record.lines[1] == "POST /todos 202 (untrue: async)")
        test.server.stop()
        let again = try TestServer(stateFile: path)
        defer { again.server.stop() }
        #expect(again.server.state.todos.map(\.title) == ["milk"])
    }
}
