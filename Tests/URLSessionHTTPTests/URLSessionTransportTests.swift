import APIClient
import Foundation
import FoundationNetworking
import HostileHTTP
import Testing
import URLSessionHTTP

@Suite("The transport over URLSession", .timeLimit(.minutes(3)))
struct URLSessionTransportTests {
    private func transport(_ protocols: [AnyClass]? = nil) -> URLSessionTransport {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = protocols ?? configuration.protocolClasses
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSessionTransport(session: URLSession(configuration: configuration))
    }

    private func request(
        _ port: Int, _ target: String, _ method: HTTPMethod = .get, fields: [HTTPField] = [],
        body: String? = nil, timeout: Duration = .seconds(20), maxBodyBytes: Int = 1000
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, origin: Origin(scheme: "http", host: "127.0.0.1", port: port),
            target: target, fields: fields, body: body.map { Array($0.utf8) }, timeout: timeout,
            maxBodyBytes: maxBodyBytes)
    }

    private func failure(
        _ transport: URLSessionTransport, _ request: HTTPRequest
    ) async -> TransportError? {
        do throws(TransportError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    // MARK: With a URLProtocol

    @Test func `a URLProtocol stands in for the network`() async throws {
        let answer = try await transport([AnsweringProtocol.self]).send(
            request(80, "/404?a=b", .delete, fields: [.init("X-One", "1")]))
        #expect(answer.status == 404)
        #expect(answer.value(of: "ETag") == "\"a\"")
        #expect(answer.body == Array("DELETE a=b 1".utf8))
    }

    @Test func `Foundation's errors are told apart by what may have arrived`() async {
        let transport = transport([AnsweringProtocol.self])
        let down = await failure(transport, request(80, "/down"))
        #expect(down == .cannotConnect("no connection was made"))
        let broken = await failure(transport, request(80, "/broken"))
        #expect(broken == .interrupted("the connection broke", mayHaveArrived: true))
        let other = await failure(transport, request(80, "/not-http"))
        #expect(other == .notHTTP("the answer is not HTTP"))
    }

    @Test func `a body of exactly the limit passes and one byte more does not`() async throws {
        let transport = transport([AnsweringProtocol.self])
        let text = "GET a=b "
        let atLimit = request(80, "/200?a=b", maxBodyBytes: text.utf8.count)
        #expect(try await transport.send(atLimit).body == Array(text.utf8))
        let over = request(80, "/200?a=b", maxBodyBytes: text.utf8.count - 1)
        #expect(await failure(transport, over) == .bodyTooLarge(limit: text.utf8.count - 1))
    }

    // MARK: Over a socket

    @Test func `a POST goes out with its fields and its body`() async throws {
        let server = try HostileServer.answering(
            "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
        let answer = try await transport().send(
            request(
                server.port, "/todos", .post,
                fields: [.init("Content-Type", "application/json"), .init("X-One", "1")],
                body: "{\"title\":\"x\"}"))
        #expect(answer.status == 201)
        #expect(answer.body == Array("{}".utf8))
        let received = try #require(server.received.first)
        #expect(received.line == "POST /todos HTTP/1.1")
        #expect(received.fields.contains("X-One: 1"))
        #expect(received.fields.contains("Content-Length: 13"))
        #expect(received.body == "{\"title\":\"x\"}")
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `H1: a redirect is handed on and not followed`(method: HTTPMethod) async throws {
        let server = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            connection.send(
                request.line.contains(" /a ")
                    ? "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
                    : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            connection.finish()
        }
        let answer = try await transport().send(request(server.port, "/a", method))
        #expect(answer.status == 302)
        #expect(answer.value(of: "location") == "/b")
        #expect(server.received.count == 1)
    }

    @Test func `N15: a server that never answers ends at the deadline`() async throws {
        let server = try HostileServer { $0.awaitClose() }
        let slow = request(server.port, "/", timeout: .milliseconds(300))
        #expect(await failure(transport(), slow) == .timedOut(mayHaveArrived: true))
    }

    @Test func `N5: a refused connection sends nothing`() async throws {
        let port = try HostileServer.unusedPort()
        #expect(await failure(transport(), request(port, "/"))?.mayHaveArrived == false)
    }

    @Test func `a cancelled task ends though the server stalls`() async throws {
        let server = try HostileServer { $0.awaitClose() }
        let (transport, request) = (transport(), request(server.port, "/"))
        let task = Task { await failure(transport, request) }
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test func `X3: a line break in a value is refused`() async {
        let evil = request(1, "/", fields: [.init("X", "a\r\nY: b")])
        #expect(
            await failure(transport(), evil)
                == .invalidRequest("the header X holds a control character"))
    }

    // MARK: Codings

    /// Foundation's libcurl unpacks them before the transport sees anything: `CurlTransport` refuses
    /// them first. The field stays, by which the clients refuse such an answer.
    @Test(arguments: ["gzip, gzip", "gzip\r\nContent-Encoding: gzip"])
    func `F3: codings on top of each other are unpacked and stay named`(
        codings: String
    ) async throws {
        let packed = Gzip.of(Gzip.of("[]"))
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\n")
            connection.send("Content-Length: \(packed.count)\r\n\r\n")
            connection.send(packed)
            connection.finish()
        }
        let answer = try await transport().send(request(server.port, "/"))
        #expect(answer.body == Array("[]".utf8))
        let coding = try #require(answer.value(of: "Content-Encoding"))
        #expect(!HTTPField.isSame(coding, "gzip"))
    }

    @Test func `F3: a transfer coding that nobody asked for is unpacked`() async throws {
        let packed = Gzip.of("[]")
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n")
            connection.send(packed)
            connection.finish()
        }
        let answer = try await transport().send(request(server.port, "/"))
        #expect(answer.body == Array("[]".utf8))
    }
}
