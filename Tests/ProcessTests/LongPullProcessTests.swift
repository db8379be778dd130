import Glibc
import HostileHTTP
import Testing

/// A pull that the cache works on for seconds, on the thread that hears of signals.
@Suite(.timeLimit(.minutes(3))) struct LongPullProcessTests {
    /// A server that sends a list of 1 200 000 rows, and marks when it has. A busy machine sends the signal late.
    private func server() throws -> HostileServer {
        let rows = (0..<1_200_000).map { #"{"id":\#($0),"title":"t"}"# }.joined(separator: ",")
        let list = Array("[\(rows)]".answer.utf8)
        return try HostileServer { connection in
            while let request = connection.readRequest() {
                guard request.line.hasPrefix("GET") else {
                    connection.send(#"{"string":"held-only-by-its-store"}"#.answer)
                    continue
                }
                connection.send(list)
                connection.mark()
            }
        }
    }

    private func stage(_ server: HostileServer) throws -> Stage {
        let stage = try Stage()
        try stage.write(
            """
            {"movies": {"enabled": false},
             "todos": {"baseURL": "http://127.0.0.1:\(server.port)", "email": "demo@example.com",
                       "password": "\(stage.account.password)"}}
            """, to: stage.configuration)
        return stage
    }

    @Test(arguments: [(["run"], SIGTERM, CInt(0)), (["sync"], SIGINT, CInt(130))])
    func `S7: a signal in the middle of it ends the program, and nothing of the list is taken`(
        command: [String], signal: CInt, status: CInt
    ) async throws {
        let server = try server()
        let stage = try stage(server)
        let (child, _) = try stage.start(.syncd, command, readingErrors: true)
        var marks = server.marks.makeAsyncIterator()
        #expect(await marks.next() != nil)
        // The answer is read and checked, and the cache has begun to work on it.
        while try child.processorSeconds() < 2 { await Task.yield() }
        child.kill(signal)
        #expect(await child.ending() == .exited(status))
        #expect(try await stage.sqlite("SELECT count(*) FROM todos").output == "0\n")
    }

    @Test(arguments: ["UPDATE OF state ON operation", "DELETE ON operation"])
    func `N7: a trigger of another program that works without end does not hold the end up`(
        event: String
    ) async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let made = try await stage.sqlite(
            """
            CREATE TRIGGER endless AFTER \(event) BEGIN
                INSERT INTO change (list, change) SELECT 'x', 'x' WHERE (
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n) > 1;
            END; INSERT INTO todos (title) VALUES ('milk')
            """)
        #expect(made.code == 0, "\(made.errors)")
        let (daemon, _) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        while try daemon.processorSeconds() < 1 { await Task.yield() }
        daemon.kill(SIGTERM)
        #expect(await daemon.ending() == .exited(0))
    }
}
