import Foundation
import Glibc
import Testing

/// What a person sees of a list that is taken though it is not the whole one.
@Suite(.timeLimit(.minutes(2))) struct CutListProcessTests {
    private let notice = "the list is cut: it has 5 rows, and the server has 8"
    private let hint =
        "Let the server answer with the whole list, or declare its pages; until then nothing is removed from the cache."

    /// Eight todos at the server, which another cache has sent.
    private func serve(_ stage: Stage, _ address: String) async throws {
        let other = try Stage()
        try other.configure(address)
        let titles = (1...8).map { "todo \($0)" }
        #expect(try await other.run(.syncd, ["todo", "add"] + titles).code == 0)
        #expect(try await other.syncd("sync", "todos").code == 0)
        try stage.configure(address)
    }

    @Test func `D5: sync warns and ends with 1, status and check tell it with what to do`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer(port: "0", "--pages", "5:total")
        defer { server.kill(SIGKILL) }
        try await serve(stage, address)
        let synced = try await stage.syncd("sync", "todos", "--quiet")
        #expect(synced.code == 1)
        #expect(synced.errors == "syncd: todos: \(notice). \(hint)\n")
        let json = try await stage.syncd("sync", "todos", "--json").output
        #expect(json.contains(#""state":"ok","error":"\#(notice)","hint":"\#(hint)""#), "\(json)")
        let status = try await stage.syncd("status")
        #expect(status.code == 0)
        #expect(status.errors.contains("syncd: todos: \(notice). \(hint)\n"), "\(status.errors)")
        #expect(status.output.contains("\ntodos\tok\t5\t"))
        let document = try await stage.syncd("status", "--json").output
        #expect(document.contains(#""last_error":"\#(notice)","hint":"\#(hint)""#))
        let check = try await stage.syncd("check")
        #expect(check.code == 1)
        #expect(check.output.contains("problem\ttodos\t\(notice)\t\(hint)\n"), "\(check.output)")
        // A list that the configuration leaves out is not judged.
        let none = try stage.write(
            #"{"movies": {"baseURL": "\#(address)/3"}, "todos": {"enabled": false}}"#,
            to: "none.json")
        #expect(try await stage.syncd("check", "--config", none).code == 0)
    }

    @Test
    func `D5: what the server has just acknowledged stays, and is no sign of a list that is cut`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer(port: "0", "--pages", "5")
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let titles = (1...8).map { "todo \($0)" }
        #expect(try await stage.run(.syncd, ["todo", "add"] + titles).code == 0)
        #expect(try await stage.syncd("sync", "todos").code == 0)
        let synced = try await stage.syncd("sync", "todos")
        #expect(synced.code == 0)
        #expect(synced.errors == "")
        #expect(try await !stage.syncd("status").errors.contains("the list is cut"))
        let rows = "SELECT count(*) FROM todos WHERE state = 'synced'"
        #expect(try await stage.sqlite(rows).output == "8\n")
        // It is no removal either that a person could accept.
        #expect(try await stage.syncd("sync", "todos", "--accept-removals").errors == "")
        #expect(try await stage.sqlite(rows).output == "8\n")
    }

    @Test func `D5: the daemon tells it when it begins and when it ends`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer(port: "0", "--pages", "5:total")
        try await serve(stage, address)
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(await log.line(holding: "todos: \(notice). \(hint)") != nil)
        #expect(try await stage.syncd("sync", "todos").code == 1)
        server.kill(SIGKILL)
        _ = await server.ending()
        let port = try #require(address.split(separator: ":").last)
        let (whole, _) = try await stage.startServer(port: String(port))
        defer { whole.kill(SIGKILL) }
        #expect(try await stage.syncd("sync", "todos").code == 0)
        #expect(await log.line(holding: "todos: the list is whole again") != nil)
        #expect(log.lines.filter { $0.contains("the list is cut") }.count == 1)
    }
}
