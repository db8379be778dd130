import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// D9: answers to writes that lead elsewhere, and refusals that last.
@Suite struct RedirectScenarioTests {
    private static func redirect(_ status: Int, to location: String) -> HTTPResponse {
        HTTPResponse(status: status, fields: [HTTPField("Location", location)])
    }

    @Test(arguments: [307, 308])
    func `D9: a server that wants a slash at the end gets nothing, and the status names it`(
        status: Int
    ) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.withServer { $0.behaviour.slashRedirect = status }
        try await world.add("tea")
        let report = try await world.sync()
        #expect(report.halt?.state == .misconfigured)
        #expect(
            report.halt?.error
                == "POST http://127.0.0.1:8080/todos was answered \(status): it points to /todos/")
        #expect(report.haltHint == "Check the base URL; the server says that the API is elsewhere.")
        try await world.expect(
            server: ["1 milk"], todos: ["milk synced 1", "tea queued"],
            outbox: ["create tea queued"], halt: .misconfigured)
        for _ in 0..<3 { try await world.syncWhenDue() }
        #expect(world.count("POST /todos tea") == 4)
        #expect(try await world.secondsUntilDue() == 8, "after a backoff")
        world.server.withServer { $0.behaviour.slashRedirect = nil }
        try await world.syncWhenDue()
        try await world.expect(
            server: ["1 milk", "2 tea"], todos: ["milk synced 1", "tea synced 2"])
    }

    @Test(arguments: [301, 307, 308], ["POST", "DELETE"])
    func `D9: a write that is sent elsewhere for good was not applied, and stops those of its kind`(
        status: Int, method: String
    ) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.concurrency = 1
        try await world.add("tea", "bread")
        try await world.remove("milk")
        world.server.next(method, .answers(Self.redirect(status, to: "https://b.example/v2")))
        let report = try await world.sync()
        #expect(report.halt?.state == .misconfigured)
        #expect(report.halt?.error.hasSuffix(": it points to https://b.example/v2") == true)
        let isPost = method == "POST"
        #expect(world.count("POST /todos") == (isPost ? 1 : 2))
        #expect(world.count("DELETE") == 1)
        try await world.expect(
            server: isPost ? [] : ["1 milk", "2 tea", "3 bread"],
            todos: isPost ? ["tea queued", "bread queued"] : ["tea synced 2", "bread synced 3"],
            outbox: isPost ? ["create tea queued", "create bread queued"] : ["delete milk queued"],
            halt: .misconfigured)
    }

    @Test(arguments: [302, 303], [true, false])
    func `D9: a write that is led to another page is in doubt, and the status names the page`(
        status: Int, isApplied: Bool
    ) async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        let answer = Self.redirect(status, to: "/login")
        world.server.next("POST /todos", isApplied ? .worksButAnswers(answer) : .answers(answer))
        let report = try await world.sync()
        #expect(
            report.halt?.error
                == "POST http://127.0.0.1:8080/todos was answered \(status): it points to /login")
        try await world.expect(
            server: isApplied ? ["1 milk"] : [], todos: ["milk in doubt"],
            outbox: ["create milk in doubt"], halt: .misconfigured)
        try await world.syncTwice()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(world.count("POST /todos") == (isApplied ? 1 : 2))
    }

    @Test(arguments: [300, 304, 305])
    func `D9: another status of that kind leaves doubt, and is misconfigured, too`(
        status: Int
    ) async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .worksButAnswers(HTTPResponse(status: status)))
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["milk in doubt"], outbox: ["create milk in doubt"],
            halt: .misconfigured)
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `D9: a lasting 409 to a create is rejected at its second time, with the reason`()
        async throws
    {
        let world = try EngineWorld("milk")
        world.server.always("POST /todos", .body(#"{"reason":"there is one"}"#, status: 409))
        try await world.add("tea")
        try await world.sync()
        for sent in [1, 2] {
            try await world.expect(
                server: ["1 milk"], todos: ["tea in doubt", "milk synced 1"],
                outbox: ["create tea in doubt"])
            #expect(world.count("POST /todos tea") == sent)
            world.time.advance(by: .seconds(60))
            try await world.syncTwice()
        }
        try await world.expect(
            server: ["1 milk"], todos: ["tea rejected", "milk synced 1"],
            outbox: ["create tea rejected"])
        let operation = try await world.store.outbox()[0]
        #expect(operation.lastStatus == 409)
        #expect(
            operation.lastError
                == "POST http://127.0.0.1:8080/todos was answered 409: there is one")
        world.time.advance(by: .seconds(3600))
        try await world.syncTwice()
        #expect(world.count("POST /todos tea") == 2)
    }

    @Test func `D9: a lasting 409 to a delete is rejected at its second time`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        world.server.always("DELETE", .status(409))
        for _ in 0..<2 {
            try await world.sync()
            try await world.expect(
                server: ["1 milk"], todos: [], outbox: ["delete milk in doubt"])
            world.time.advance(by: .seconds(60))
        }
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["milk rejected 1"], outbox: ["delete milk rejected"])
        #expect(world.count("DELETE") == 2)
    }

    @Test(arguments: [408, 500, 503])
    func `D9: a lasting answer that says nothing is no refusal`(status: Int) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        world.server.always("DELETE", .status(status))
        for _ in 0..<4 {
            try await world.sync()
            world.time.advance(by: .seconds(1000))
        }
        try await world.expect(server: ["1 milk"], todos: [], outbox: ["delete milk in doubt"])
        #expect(world.count("DELETE") == 4)
    }
}
