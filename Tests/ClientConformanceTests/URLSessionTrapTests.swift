import APIClient
import Glibc
import HostileHTTP
import Testing

/// Answers at which `URLSession` on Linux ends the process (Foundation of Swift 6.3), each in a process
/// of its own. libcurl's outcome for the same answer stands in the tests of CurlHTTP under the same number.
///
/// A test that fails here is good news: the toolchain has learned it, and the answer belongs into
/// the conformance suite.
@Suite("Where URLSession on Linux traps", .timeLimit(.minutes(3)))
struct URLSessionTrapTests {
    /// Sends one GET to a server that answers so.
    static func exchange(_ answer: String) async throws {
        let server = try HostileServer.answering(answer)
        let client = TodosClient(
            baseURL: try BaseURL("http://127.0.0.1:\(server.port)"),
            // Not to end before the trap on a busy machine.
            limits: RequestLimits(timeout: .seconds(50), maxBodyBytes: 1000),
            transport: Rig.urlSession())
        // An error is no trap: the process would end well.
        _ = await client.failure(of: .list)
    }

    @Test func `H20: valid chunked trailers`() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            try await Self.exchange(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nX-Sum: 1\r\n\r\n"
            )
        }
    }

    @Test func `N9: a close in mid-header`() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            try await Self.exchange("HTTP/1.1 200 OK\r\nContent-")
        }
    }

    @Test func `H21: a Content-Length of 2^63-1`() async {
        await #expect(processExitsWith: .signal(SIGILL)) {
            try await Self.exchange(
                "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n[]")
        }
    }
}
