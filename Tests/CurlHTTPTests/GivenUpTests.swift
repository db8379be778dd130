import APIClient
import CurlHTTP
import Glibc
import HostileHTTP
import Testing

/// A request that was given up must not come later: then the server has it twice.
@Suite(.timeLimit(.minutes(3))) struct GivenUpTests {
    /// Much more than the server takes: once the header and some of it is there, more is not.
    private static let body = String(repeating: "a", count: 1 << 20)

    /// Reads nothing of a connection before it is allowed to; then tells how the connection ended.
    private static func deafServer() throws -> (server: HostileServer, endings: AsyncStream<CInt>) {
        let (endings, ending) = AsyncStream<CInt>.makeStream()
        let server = try HostileServer(receiveBuffer: 4096) { connection in
            connection.awaitBytes(1024)
            connection.mark()
            connection.awaitLeave()
            ending.yield(connection.readToEnd())
        }
        return (server, endings)
    }

    @Test func `P7: what has not left the machine is taken back with the deadline`() async throws {
        let (server, endings) = try Self.deafServer()
        let request = HTTPRequest.to(server.port, .post, body: Self.body, timeout: .seconds(5))
        #expect(await makeTransport().failure(request).kind == "timedOut, sent")
        server.allow()
        // With a reset, not with a goodbye after all that was left to send.
        #expect(await endings.first { _ in true } == ECONNRESET)
    }

    @Test func `P7: what has not left the machine is taken back with a cancellation`() async throws
    {
        let (server, endings) = try Self.deafServer()
        let transport = makeTransport()
        let request = HTTPRequest.to(server.port, .post, body: Self.body)
        let call = Task { await transport.failure(request) }
        await server.nextMark()
        call.cancel()
        #expect(await call.value.kind == "cancelled, sent")
        server.allow()
        #expect(await endings.first { _ in true } == ECONNRESET)
    }

    @Test func `P7: what has not left the machine is taken back with an early refusal`()
        async throws
    {
        let (endings, ending) = AsyncStream<CInt>.makeStream()
        let server = try HostileServer(receiveBuffer: 4096) { connection in
            connection.awaitBytes(1024)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\nx")
            connection.awaitLeave()
            ending.yield(connection.readToEnd())
        }
        let request = HTTPRequest.to(server.port, .post, body: Self.body)
        #expect(await makeTransport().failure(request).kind == "bodyTooLarge 1000000")
        server.allow()
        #expect(await endings.first { _ in true } == ECONNRESET)
    }

    /// The kernel goes on with what a process that was killed has sent; this is what bounds it.
    @Test func `P7: nothing is sent for longer than the timeout, also without us`() async throws {
        let (looks, look) = AsyncStream<[CUnsignedInt]>.makeStream()
        // It looks before it answers: a test that has to wait for its turn would find the connection gone.
        let server = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            look.yield(Self.limits(toHostOf: request))
            connection.send("[]".answer)
        }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port, .post, timeout: .milliseconds(19_500)))
        let limits = await looks.first { _ in true }
        #expect(limits?.count == 1)
        #expect(limits?.allSatisfy { (1...19_500).contains($0) } == true)
    }

    /// `TCP_USER_TIMEOUT` of each connection of this process to the host of `request`, in milliseconds.
    private static func limits(toHostOf request: HostileServer.Received) -> [CUnsignedInt] {
        let port = request.fields.first { $0.lowercased().hasPrefix("host:") }
            .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
        return (0..<CInt(4096)).filter { port != nil && remotePort(of: $0) == port }.map {
            var limit: CUnsignedInt = 0
            var length = socklen_t(MemoryLayout.size(ofValue: limit))
            getsockopt($0, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, &length)
            return limit
        }
    }

    private static func remotePort(of descriptor: CInt) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isJoined = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length) == 0
            }
        }
        return isJoined && address.sin_family == sa_family_t(AF_INET)
            ? Int(address.sin_port.bigEndian) : nil
    }
}
