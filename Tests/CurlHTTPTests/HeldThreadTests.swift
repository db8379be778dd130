import APIClient
import CurlHTTP
import HostileHTTP
import Testing

/// One thread serves all servers: what one of them sends must not keep it from the others.
@Suite("Answers that would keep the thread", .timeLimit(.minutes(3)))
struct HeldThreadTests {
    /// 332 000 bytes, as seen from outside. Unpacked five times they are 155 TB, and then nothing.
    private static let bomb = Gzip.bomb(layers: 5, bytes: 332_000)

    private static func of(_ name: String, _ values: String...) -> String {
        values.map { "\(name): \($0)\r\n" }.joined()
    }

    /// Any coding but one gzip, any transfer coding but one chunked; all lines of a name together.
    static let refused = [
        of("Content-Encoding", "gzip, gzip, gzip, gzip, gzip"),
        of("Content-Encoding", "gzip", "gzip", "gzip", "gzip", "gzip"),
        of("content-encoding", "x-gzip,\tGZIP"), of("Content-Encoding", "gzip\u{B},gzip\u{B}"),
        of("Content-Encoding", "x", "gzip"), of("Content-Encoding", "br"),
        of("Content-Encoding", "zstd"), of("Content-Encoding", "deflate"),
        of("Content-Encoding", "compress"), of("Content-Encoding", "gzip;q=1"),
        of("Transfer-Encoding", "gzip, gzip, gzip, gzip, gzip"),
        of("Transfer-Encoding", "gzip", "gzip", "gzip", "gzip", "chunked"),
        of("Transfer-Encoding", "gzip"), of("transfer-encoding", "br, Chunked"),
        of("Transfer-Encoding", "chunked, chunked"), of("Transfer-Encoding", "chunked", "chunked"),
        of("Transfer-Encoding", "gzip") + of("Content-Encoding", "gzip"),
    ]

    @Test(arguments: refused, [200, 302, 404, 503])
    func `F3: a bomb in both codings is refused`(fields: String, status: Int) async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 \(status) X\r\n\(fields)Connection: close\r\n\r\n")
            connection.send(Self.bomb)
            connection.finish()
        }
        let healthy = try HostileServer.keeping("[]".answer)
        let transport = makeTransport()
        async let outcome = transport.failure(.to(server.port))
        _ = await server.nextArrival()
        #expect(try await transport.send(.to(healthy.port)).text == "[]")
        #expect(await outcome.kind == "notHTTP")
    }

    @Test func `F3: the bomb is one`() async throws {
        // One layer of it is unpacked without a byte: what the other layers would multiply.
        let bomb = Gzip.bomb(layers: 1, bytes: 5000)
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\n\r\n")
            connection.send(bomb)
            connection.finish()
        }
        #expect(try await makeTransport().send(.to(server.port)).body == [])
    }

    @Test(arguments: [
        "Content-Encoding: identity\r\n", "Content-Encoding:\r\n", "Content-Encoding: ,\r\n",
        "Transfer-Encoding: identity\r\n",
    ])
    func `F3: what is no coding is taken`(fields: String) async throws {
        let server = try HostileServer.answering(
            "HTTP/1.1 200 X\r\n\(fields)Content-Length: 2\r\n\r\n[]")
        #expect(try await makeTransport().send(.to(server.port)).text == "[]")
    }

    @Test(arguments: ["identity, gzip", ",gzip , ", "x-gzip", "gzip\r\nContent-Encoding: identity"])
    func `F3: one gzip is taken, in one chunked`(codings: String) async throws {
        let packed = Gzip.of("[1]")
        let head =
            "HTTP/1.1 200 X\r\nContent-Encoding: \(codings)\r\nTransfer-Encoding: Chunked\r\n\r\n"
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(head + String(packed.count, radix: 16) + "\r\n")
            connection.send(packed)
            connection.send("\r\n0\r\nContent-Encoding: gzip, gzip\r\n\r\n")
            connection.finish()
        }
        let answer = try await makeTransport().send(.to(server.port))
        #expect(answer.text == "[1]")
        #expect(answer.value(of: "content-encoding") == nil)
    }

    @Test func `F3: the codings of an interim answer are not those of the answer`() async throws {
        let codings = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
        let interim = "HTTP/1.1 103 Hint\r\n\(codings)\r\n"
        let server = try HostileServer.answering(interim + interim + "[]".answer)
        #expect(try await makeTransport().send(.to(server.port)).text == "[]")
        let packed = Gzip.of("[1]")
        let other = try HostileServer { connection in
            connection.readRequest()
            connection.send(interim + interim)
            connection.send("HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\n")
            connection.send("Content-Length: \(packed.count)\r\n\r\n")
            connection.send(packed)
            connection.finish()
        }
        #expect(try await makeTransport().send(.to(other.port)).text == "[1]")
    }

    @Test func `F3: bombs in interim answers are refused`() async throws {
        let server = try HostileServer.answering(
            "HTTP/1.1 103 Hint\r\nContent-Encoding: gzip, gzip\r\n\r\n" + "[]".answer)
        #expect(await makeTransport().failure(.to(server.port)).kind == "notHTTP")
    }

    // MARK: The proxy's answer, which libcurl reads byte by byte in one call

    private let request = HTTPRequest.to(443, scheme: "https", host: "nobody.invalid")

    /// Goes on with `more` until nobody listens any more, or it was sent so many thousand times.
    private func proxy(
        _ start: String, _ more: String, thousands: Int = .max
    ) throws -> HostileServer {
        let piece = String(repeating: more, count: 1000)
        return try HostileServer { connection in
            connection.readRequest()
            connection.send(start)
            for _ in 0..<thousands { guard connection.send(piece) else { return } }
        }
    }

    @Test func `F3: a header of a proxy without end stops at 64 KiB`() async throws {
        let proxy = try proxy("HTTP/1.1 200 OK\r\n", "X: y\r\n")
        let error = await makeTransport(proxy: "http://127.0.0.1:\(proxy.port)").failure(request)
        #expect(
            error
                == .cannotConnect("the proxy's answer has a header of more than 65536 bytes"))
    }

    private static let refusal = "HTTP/1.1 407 Who\r\nContent-Length: 9223372036854775807\r\n\r\n"

    @Test func `F3: a refusal of a proxy without end ends at the deadline`() async throws {
        // 16 MB: a second of reading byte by byte at least, after which the proxy hangs up.
        let proxy = try proxy(Self.refusal, "x", thousands: 16_000)
        let healthy = try HostileServer.keeping("[]".answer)
        let transport = makeTransport(proxy: "http://127.0.0.1:\(proxy.port)")
        var request = request
        request.timeout = .milliseconds(500)
        #expect(
            await transport.failure(request)
                == .cannotConnect("no connection within the request's time"))
        #expect(try await transport.send(.to(healthy.port)).text == "[]")
    }

    @Test func `F3: a refusal of a proxy without end is stopped`() async throws {
        let proxy = try proxy(Self.refusal, "x")
        let transport = makeTransport(proxy: "http://127.0.0.1:\(proxy.port)")
        var request = request
        request.timeout = .seconds(3600)
        let call = Task { [request] in await transport.failure(request) }
        _ = await proxy.nextArrival()
        call.cancel()
        #expect(await call.value == .cancelled(mayHaveArrived: false))
        let other = Task { [request] in await transport.failure(request) }
        _ = await proxy.nextArrival()
        await transport.shutdown()
        #expect(await other.value == .cancelled(mayHaveArrived: false))
    }
}
