import APIClient
import CurlHTTP
import HostileHTTP
import Testing

@Suite("Faults in the body of an answer", .timeLimit(.minutes(3)))
struct BodyFaultTests {
    private let head = "HTTP/1.1 200 OK\r\n"
    private let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Sends `bytes` to one request, then closes.
    private func outcome(
        _ bytes: [UInt8], limit: Int = 1_000_000
    ) async throws -> Result<HTTPResponse, TransportError> {
        let server = try HostileServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.send(bytes)
            connection.finish()
        }
        return await makeTransport().outcome(.to(server.port, maxBodyBytes: limit))
    }

    private func kind(_ answer: String, limit: Int = 1_000_000) async throws -> String {
        switch try await outcome(Array(answer.utf8), limit: limit) {
        case .success(let response): "answer \(response.text)"
        case .failure(let error): TransportError?.some(error).kind
        }
    }

    // MARK: Cut short

    @Test func `N10: a close before the announced length is an interruption`() async throws {
        #expect(try await kind(head + "Content-Length: 10\r\n\r\n[1,2]") == "interrupted, sent")
        #expect(try await kind(head + "Content-Length: 10\r\n\r\n") == "interrupted, sent")
    }

    @Test func `N11: a close without an announced length hands on what came`() async throws {
        #expect(try await kind(head + "Connection: close\r\n\r\n[1,2") == "answer [1,2")
    }

    @Test(arguments: ["5\r\n[1,2", "5\r\n[1,2]", "5\r\n[1,2]\r\n", "5\r\n[1,2]\r\n0\r\n", "", "5"])
    func `N12: a close in mid-chunk is an interruption`(body: String) async throws {
        #expect(try await kind(chunked + body) == "interrupted, sent")
    }

    @Test(arguments: ["zz\r\n[]\r\n0\r\n\r\n", "-1\r\n[]\r\n0\r\n\r\n", "\r\n\r\n"])
    func `N12: a chunk size that is none is an error`(body: String) async throws {
        #expect(try await kind(chunked + body) == "interrupted, sent")
    }

    @Test func `N12: a chunk size beyond every number is an error`() async throws {
        #expect(try await kind(chunked + "fffffffffffffffffffff\r\n[]") == "interrupted, sent")
    }

    @Test func `H20: trailers are accepted and ignored`() async throws {
        let server = try HostileServer.keeping(
            chunked + "2\r\n[]\r\n0\r\nX-Sum: 1\r\nContent-Encoding: br\r\nETag: \"t\"\r\n\r\n")
        let transport = makeTransport()
        for _ in 1...2 {
            #expect(
                try await transport.send(.to(server.port))
                    == HTTPResponse(
                        status: 200, fields: [.init("Transfer-Encoding", "chunked")],
                        body: Array("[]".utf8)))
        }
        #expect(server.connections == 1)
    }

    // MARK: Slow

    @Test(arguments: [HTTPMethod.get, .post])
    func `N15: a server that never answers ends at the deadline`(method: HTTPMethod) async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.awaitClose()
        }
        #expect(
            await makeTransport().failureOnceSent(
                .to(server.port, method, timeout: .milliseconds(300)), to: server)
                == .timedOut(mayHaveArrived: true))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n[1",
    ])
    func `N14: a stall within the answer ends at the deadline`(answer: String) async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(answer)
            connection.awaitClose()
        }
        #expect(
            await makeTransport().failureOnceSent(
                .to(server.port, timeout: .milliseconds(300)), to: server)
                == .timedOut(mayHaveArrived: true))
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n"])
    func `N13: a drip without end stops at the deadline`(start: String) async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(start)
            connection.drip(String(repeating: "a", count: 10_000))
        }
        #expect(
            await makeTransport().failureOnceSent(
                .to(server.port, timeout: .milliseconds(500)), to: server)
                == .timedOut(mayHaveArrived: true))
    }

    // MARK: Large

    @Test func `B7: a body of exactly the limit passes and one byte more does not`() async throws {
        let atLimit = String(repeating: "x", count: 1000)
        #expect(try await kind(atLimit.answer, limit: 1000) == "answer \(atLimit)")
        #expect(try await kind((atLimit + "x").answer, limit: 1000) == "bodyTooLarge 1000")
        #expect(
            try await kind(head + "\r\n" + atLimit, limit: 1000) == "answer \(atLimit)")
        #expect(
            try await kind(head + "\r\n" + atLimit + "x", limit: 1000) == "bodyTooLarge 1000")
        #expect(try await kind("".answer, limit: 0) == "answer ")
        #expect(try await kind("x".answer, limit: 0) == "bodyTooLarge 0")
    }

    @Test func `B7: a chunked body without end stops at the limit`() async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(chunked)
            while connection.send("1000\r\n" + String(repeating: "x", count: 4096) + "\r\n") {}
        }
        #expect(
            await makeTransport().failure(.to(server.port, maxBodyBytes: 100_000))
                == .bodyTooLarge(limit: 100_000))
    }

    @Test func `an announced length of the limit keeps no memory when the body is short`()
        async throws
    {
        let limit = 64 << 20
        #expect(
            try await kind(head + "Content-Length: \(limit)\r\n\r\n[]", limit: limit)
                == "interrupted, sent")
    }

    // MARK: Packed

    @Test(arguments: ["gzip", "GZIP", "x-gzip"])
    func `gzip is unpacked, and its fields taken off`(name: String) async throws {
        let packed = Gzip.of("[\"ä\",1]")
        let fields = "Content-Encoding: \(name)\r\nA: b\r\nContent-Length: \(packed.count)\r\n\r\n"
        let answer = try await outcome(Array((head + fields).utf8) + packed, limit: 8).get()
        #expect(
            answer
                == HTTPResponse(
                    status: 200, fields: [.init("A", "b")], body: Array("[\"ä\",1]".utf8)))
    }

    @Test func `B8: a gzip bomb stops at the limit of unpacked bytes`() async throws {
        let bomb = Gzip.run(of: 0x20, count: 100_000)
        let fields = "Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let outcome = try await outcome(Array((head + fields).utf8) + bomb, limit: 1_000_000)
        #expect(outcome == .failure(.bodyTooLarge(limit: 1_000_000)))
    }

    @Test func `B8: what is announced as gzip and is none is an error`() async throws {
        #expect(
            try await kind(head + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]")
                == "notHTTP")
    }

    @Test(arguments: ["br", "zstd", "deflate", "gzip, gzip"])
    func `B9: another coding of no body stays in the fields`(name: String) async throws {
        let answer = "HTTP/1.1 204 No\r\nContent-Encoding: \(name)\r\n\r\n"
        #expect(
            try await outcome(Array(answer.utf8)).get().fields == [.init("Content-Encoding", name)])
    }
}
