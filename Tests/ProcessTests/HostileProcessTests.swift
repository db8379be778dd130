import Glibc
import HostileHTTP
import Testing

/// A server that means harm, beside one that does not, under one daemon.
@Suite(.timeLimit(.minutes(3))) struct HostileProcessTests {
    @Test func `F3: a daemon that gets a bomb pulls from the other server and ends on SIGTERM`()
        async throws
    {
        let stage = try Stage()
        let (server, healthy) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        // 332 000 bytes that unpack to 155 TB. The answer never ends, nor does the server close.
        let bomb = Gzip.bomb(layers: 5, bytes: 332_000)
        let hostile = try HostileServer { connection in
            connection.readRequest()
            let codings = Array(repeating: "gzip", count: 5).joined(separator: ", ")
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\n\r\n")
            connection.send(bomb)
            connection.awaitClose()
        }
        try stage.write(
            """
            {"movies": {"baseURL": "\(healthy)/3", "token": "\(stage.account.token)"},
             "todos": {"baseURL": "http://127.0.0.1:\(hostile.port)", "email": "demo@example.com",
                       "password": "\(stage.account.password)"},
             "http": {"timeout": "1h", "connectTimeout": "10s"}, "log": {"level": "debug"}}
            """, to: stage.configuration)
        let (daemon, reader) = try await stage.startDaemon()
        #expect(await reader.line(holding: "movies: cycle ended: ok") != nil)
        #expect(await reader.line(holding: "todos: cycle ended: misconfigured") != nil)
        daemon.kill(SIGTERM)
        #expect(await daemon.ending() == .exited(0))
        #expect(hostile.count > 0)
    }
}
