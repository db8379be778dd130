import Glibc
import HostileHTTP
import Testing

/// The proxy that the scripts lead syncd through, without a fault.
@Suite(.timeLimit(.minutes(2))) struct FaultProxyTests {
    /// What curl gets through the proxy from a server that answers each connection so.
    private func through(_ answer: String, _ requests: Int = 1) async throws -> Finished {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.send(answer)
                // Only a length lets the connection go on.
                guard answer.contains("Content-Length") else { return }
            }
        }
        let stage = try Stage()
        let (proxy, reader) = try stage.start(
            Program(path: "/usr/bin/python3"),
            [
                DocumentExample.path("scripts/fault-proxy"), "--to", String(server.port), "--rate",
                "0",
            ], readingErrors: false)
        defer { proxy.kill(SIGKILL) }
        let line = try #require(await reader.line(holding: "listening on "))
        let address = String(line.split(separator: " ").last ?? "")
        return try await stage.run(
            Program(path: "/usr/bin/curl"),
            ["--silent", "--show-error", "--max-time", "60", "--dump-header", "-"]
                + (1...requests).map { "\(address)/\($0)" })
    }

    @Test func `an answer that ends with its connection comes whole, and ends the connection`()
        async throws
    {
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it"
        let ended = try await through(answer, 2)
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.output == answer + answer)
    }

    @Test func `an answer with a length or without a body leaves the connection open`() async throws
    {
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
        let ended = try await through(whole, 2)
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.output == whole + whole)
        let none = "HTTP/1.1 204 No Content\r\n\r\n"
        let empty = try await through(none)
        #expect(empty.code == 0, "\(empty.errors)")
        #expect(empty.output == none)
    }
}
