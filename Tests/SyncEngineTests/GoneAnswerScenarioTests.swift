import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// D7 and D10: what an answer to a DELETE says, and what a list shows.
@Suite struct GoneAnswerScenarioTests {
    private static func worldWithMilk() async throws -> EngineWorld {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        world.server.forgetLines()
        return world
    }

    /// Made anew for each test: a search for leaks does not see what stands in a static array.
    private static func act(of proxy: String) -> ScriptedServer.Act {
        switch proxy {
        case "404": .status(404)
        case "410": .status(410)
        case "page": .body("<html>log in</html>")
        default: .body("\u{FEFF}\r\n<!DOCTYPE html>", status: 202)
        }
    }

    @Test(arguments: ["404", "410", "page", "page with a mark"])
    func `D7: a delete that a proxy says to be done goes again when a list shows its row`(
        proxy: String
    ) async throws {
        let act = Self.act(of: proxy)
        let world = try await Self.worldWithMilk()
        world.server.next("DELETE", act)
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: [], outbox: ["delete milk in doubt"])
        #expect(try await world.secondsUntilDue() == 1, "no timeout has to pass")
        try await world.syncWhenDue()
        try await world.expect(server: [], todos: [])
        #expect(
            world.server.lines == [
                "GET /todos", "DELETE /todos/1", "GET /todos", "DELETE /todos/1",
            ]
        )
    }

    @Test(arguments: [404, 410])
    func `D7: one that is for ever said to be gone, and is not, is rejected at its second time`(
        status: Int
    ) async throws {
        let world = try await Self.worldWithMilk()
        world.server.always("DELETE", .status(status))
        for _ in 0..<3 { try await world.syncWhenDue() }
        try await world.expect(
            server: ["1 milk"], todos: ["milk rejected 1"], outbox: ["delete milk rejected"])
        #expect(world.count("DELETE") == 2)
        #expect(
            try await world.store.outbox().map(\.lastError)
                == ["DELETE http://127.0.0.1:8080/todos/1 was answered \(status)"])
        try await world.sync()
        #expect(world.count("DELETE") == 2)
    }

    private static let successes: [HTTPResponse] = [
        HTTPResponse(status: 200), HTTPResponse(status: 204),
        HTTPResponse(status: 202, body: Array(#"{"message":"deleted"}"#.utf8)),
        HTTPResponse(status: 200, body: Array(#"{"ok":true}"#.utf8)),
        HTTPResponse(status: 200, body: Array(#"{"id":2,"title":"bread"}"#.utf8)),
        HTTPResponse(status: 200, body: Array("{}extra".utf8)),
        HTTPResponse(status: 200, body: Array("7".utf8)),
        HTTPResponse(status: 206, body: [0x1F, 0x8B, 0xFF, 0x00]),
        HTTPResponse(
            status: 200, fields: [HTTPField("Content-Encoding", "br")], body: [0x1F, 0x8B, 0x08]),
        HTTPResponse(status: 299, body: Array("deleted".utf8)),
    ]

    @Test(arguments: successes.indices)
    func `D10: any success of a delete is done, whatever its body`(index: Int) async throws {
        let world = try await Self.worldWithMilk()
        world.server.next("DELETE", .worksButAnswers(Self.successes[index]))
        let report = try await world.sync()
        try await world.expect(server: [], todos: [])
        #expect(report.replay.done == 1)
        #expect(report.replay.inDoubt == 0)
        #expect(world.count("DELETE") == 1)
    }
}
