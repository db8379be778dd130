import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct RemovalProcessTests {
    /// A cache with twelve todos, which another one has sent, and a server that has forgotten them
    /// all. Of its own ones, it would believe no absence for a minute.
    private func stageWithForgetfulServer() async throws -> (Stage, Child) {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        let other = try Stage()
        try other.configure(address)
        let titles = (1...12).map { "todo \($0)" }
        #expect(try await other.run(.syncd, ["todo", "add"] + titles).code == 0)
        #expect(try await other.syncd("sync", "todos").code == 0)
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        server.kill(SIGKILL)
        _ = await server.ending()
        try FileManager.default.removeItem(atPath: stage.root + "/server.state")
        let port = try #require(address.split(separator: ":").last)
        return (stage, try await stage.startServer(port: String(port)).0)
    }

    @Test func `a list that lost most rows is held with 75, until a person accepts it`()
        async throws
    {
        let (stage, server) = try await stageWithForgetfulServer()
        defer { server.kill(SIGKILL) }
        let held = try await stage.syncd("sync", "todos")
        #expect(held.code == 75)
        #expect(held.errors.contains("the server's list misses more than half of the cached todos"))
        #expect(held.errors.contains("`syncd sync todos --accept-removals`"))
        #expect(try await stage.sqlite("SELECT count(*) FROM todos").output == "12\n")
        #expect(try await stage.syncd("status").output.contains("todos\theld\t"))
        #expect(try await stage.syncd("sync", "todos", "--accept-removals").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM todos").output == "0\n")
    }

    @Test func `a daemon holds it too, and takes the acceptance`() async throws {
        let (stage, server) = try await stageWithForgetfulServer()
        defer { server.kill(SIGKILL) }
        let (daemon, _) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(try await stage.syncd("sync", "todos").code == 75)
        #expect(try await stage.syncd("sync", "todos", "--accept-removals").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM todos").output == "0\n")
    }
}
