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
}
