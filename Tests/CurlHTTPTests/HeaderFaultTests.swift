import APIClient
import CurlHTTP
import HostileHTTP
import Testing

@Suite("Faults in the header of an answer", .timeLimit(.minutes(3)))
struct HeaderFaultTests {
    private let head = "HTTP/1.1 200 OK\r\n"

    /// Sends `answer` to one GET, then closes.
    private func outcome(
        _ answer: String, _ method: HTTPMethod = .get
    ) async throws -> Result<HTTPResponse, TransportError> {
        let server = try HostileServer.answering(answer)
        return await makeTransport().outcome(.to(server.port, method))
    }

    private func kind(_ answer: String, _ method: HTTPMethod = .get) async throws -> String {
        switch try await outcome(answer, method) {
        case .success(let response): "answer \(response.status)"
        case .failure(let error): TransportError?.some(error).kind
        }
    }

    @Test(arguments: HTTPMethod.allCases)
    func `N8: a close before any byte is no answer`(method: HTTPMethod) async throws {
        #expect(try await kind("", method) == "interrupted, sent")
    }

    @Test(arguments: HTTPMethod.allCases, ["HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\n"])
    func `N9: a close in mid-header is no answer`(
        method: HTTPMethod, answer: String
    ) async throws {
        #expect(try await kind(answer, method) == "interrupted, sent")
    }

    @Test func `N9: a close before the header's last line end is no answer`() async throws {
        #expect(try await kind(head + "Content-Length: 0\r\n") == "interrupted, sent")
        #expect(try await kind(head + "Content-Length: 0\r\n\r") == "interrupted, sent")
    }

    @Test(arguments: ["H", "HTTP/1.1", "HTTP/1.1 2", "HTTP/1.1 200 O"])
    func `N9: a close in the status line is no answer`(answer: String) async throws {
        #expect(["interrupted, sent", "notHTTP"].contains(try await kind(answer, .post)))
    }

    @Test func `N7: a reset in mid-header is an interruption`() async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nConte")
            connection.reset()
        }
        #expect(await makeTransport().failure(.to(server.port, .post)).kind == "interrupted, sent")
    }

    @Test func `N20: an answer that comes byte by byte reads the same`() async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            for byte in (head + "Content-Length: 4\r\nX: ä\r\n\r\näö").utf8 {
                connection.send([byte])
            }
        }
        let answer = try await makeTransport().send(.to(server.port))
        #expect(answer.text == "äö")
        #expect(answer.value(of: "x") == "ä")
    }

    @Test func `H5: interim answers are passed over`() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let answer = try await outcome(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + String(repeating: interim, count: 20) + head
                + "A: b\r\nContent-Length: 2\r\n\r\n[]"
        ).get()
        #expect(
            answer
                == HTTPResponse(
                    status: 200, fields: [.init("A", "b"), .init("Content-Length", "2")],
                    body: Array("[]".utf8)))
    }

    @Test func `H5: interim answers without end stop at the limit of the header`() async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            while connection.send("HTTP/1.1 102 Processing\r\n\r\n") {}
        }
        #expect(await makeTransport().failure(.to(server.port)).kind == "headerTooLarge 65536")
    }

    @Test func `H5: only an interim answer is no answer`() async throws {
        #expect(try await kind("HTTP/1.1 100 Continue\r\n\r\n") == "interrupted, sent")
    }

    @Test func `H6: a switch of protocols that nobody asked for is an error`() async throws {
        #expect(
            try await kind("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n" + "[]".answer)
                == "notHTTP")
    }

    @Test(arguments: [
        "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 000 X\r\n\r\n", "HTTP/1.1 099 X\r\n\r\n",
        "HTTP/1.1 2000 X\r\n\r\n", "HTTP/1.1 -20 X\r\n\r\n", "HTTP/1.1\r\n\r\n",
        "HTTP/2 200\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.9 200 OK\r\n\r\n",
    ])
    func `H19: a status line that is none is an error`(answer: String) async throws {
        #expect(try await kind(answer) == "notHTTP")
    }

    @Test(arguments: ["-1", "9223372036854775808", "99999999999999999999999", "two"])
    func `H21: a Content-Length that is no length gives no short body`(
        length: String
    ) async throws {
        let outcome = try await outcome(head + "Content-Length: \(length)\r\n\r\n[]", .post)
        switch outcome {
        case .success(let answer): #expect(answer.text == "[]")
        case .failure(let error): #expect(error.mayHaveArrived)
        }
    }

    @Test func `H21: the largest Content-Length is too large, and does not trap`() async throws {
        #expect(
            try await kind(head + "Content-Length: 9223372036854775807\r\n\r\n[]")
                == "bodyTooLarge 1000000")
    }

    @Test(arguments: ["2\r\nContent-Length: 5", "2, 5", "2\r\nContent-Length: 02"])
    func `F3: two lengths that differ are refused`(lengths: String) async throws {
        #expect(try await kind(head + "Content-Length: \(lengths)\r\n\r\n[]") == "notHTTP")
    }

    @Test(arguments: ["2\r\nContent-Length: 2", "2, 2"])
    func `H21: the same length twice is one`(lengths: String) async throws {
        #expect(try await kind(head + "Content-Length: \(lengths)\r\n\r\n[]") == "answer 200")
    }

    @Test func `H22: sloppy headers are read`() async throws {
        let sloppy: [UInt8] =
            Array("HTTP/1.1 200\nETag:\"x\"\nX-Eight: ".utf8) + [0xE9]
            + Array("\nX-Empty:\nX-Folded: a\n\t b\nContent-Length:2\n\n[]".utf8)
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(sloppy)
            connection.finish()
        }
        let answer = try await makeTransport().send(.to(server.port))
        #expect(answer.text == "[]")
        #expect(
            answer.fields == [
                .init("ETag", "\"x\""), .init("X-Eight", "\u{FFFD}"), .init("X-Empty", ""),
                .init("X-Folded", "a b"), .init("Content-Length", "2"),
            ])
    }

    @Test func `H22: a line without a colon is an error`() async throws {
        #expect(try await kind(head + "no colon\r\nContent-Length: 0\r\n\r\n") == "notHTTP")
    }

    @Test func `H23: a header of 64 KiB is read, and one byte more is refused`() async throws {
        let rest = "Content-Length: 0\r\n\r\n"
        let line = "X: \(String(repeating: "a", count: 995))\r\n"
        let filled = head + String(repeating: line, count: 65) + "Y: "
        let room = 65_536 - filled.utf8.count - 2 - rest.utf8.count
        for (extra, expected) in [(0, "answer 200"), (1, "headerTooLarge 65536")] {
            let answer = filled + String(repeating: "b", count: room + extra) + "\r\n" + rest
            #expect(try await kind(answer) == expected)
        }
    }

    @Test func `H23: five thousand fields are refused`() async throws {
        let fields = (0..<5000).map { "X-\($0): abcdefghij\r\n" }.joined()
        #expect(try await kind(head + fields + "\r\n") == "headerTooLarge 65536")
    }

    @Test func `H23: one line of 200 KiB is refused`() async throws {
        let line = "X: \(String(repeating: "a", count: 200 * 1024))\r\n"
        #expect(
            try await kind(head + line + "Content-Length: 0\r\n\r\n") == "headerTooLarge 65536")
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", "[]", "<html>hello</html>\r\n\r\n",
        "220 mail.example.com ESMTP\r\n",
    ])
    func `H25: what is not HTTP is an error`(answer: String) async throws {
        #expect(try await kind(answer) == "notHTTP")
    }
}
