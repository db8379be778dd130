import APIClient
import CurlHTTP
import HostileHTTP
import Testing

@Suite("A plain exchange", .timeLimit(.minutes(3)))
struct PlainExchangeTests {
    @Test func `a GET sends what the request says and nothing of a body`() async throws {
        let server = try HostileServer.answering(
            "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 2\r\n\r\n[]")
        let answer = try await makeTransport().send(
            .to(server.port, .get, "/todos?a=%20&b=../c", fields: [.init("X-One", "1 2")]))
        #expect(
            answer
                == HTTPResponse(
                    status: 200, fields: [.init("ETag", "\"a\""), .init("Content-Length", "2")],
                    body: Array("[]".utf8)))
        let request = try #require(server.received.first)
        #expect(request.line == "GET /todos?a=%20&b=../c HTTP/1.1")
        #expect(
            Set(request.fields) == [
                "Host: 127.0.0.1:\(server.port)", "Accept: */*", "Accept-Encoding: gzip",
                "X-One: 1 2",
            ])
    }

    @Test(arguments: HTTPMethod.allCases.filter(\.isWrite))
    func `a write sends its body whole, once, without Expect`(method: HTTPMethod) async throws {
        let server = try HostileServer.answering(
            "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        let body = "{\"title\":\"\0" + String(repeating: "ä", count: 50_000) + "\"}"
        let answer = try await makeTransport().send(
            .to(
                server.port, method, "/todos", fields: [.init("Content-Type", "application/json")],
                body: body))
        #expect(answer.status == 201)
        let request = try #require(server.received.first)
        #expect(request.line == "\(method.rawValue) /todos HTTP/1.1")
        #expect(request.body == body)
        #expect(!request.fields.contains { $0.lowercased().hasPrefix("expect") })
        #expect(
            request.fields.filter { $0.lowercased().hasPrefix("content-type") } == [
                "Content-Type: application/json"
            ])
        #expect(server.count == 1)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch])
    func `a POST, PUT or PATCH without a body says that its length is nothing`(
        method: HTTPMethod
    ) async throws {
        let server = try HostileServer.answering("[]".answer)
        _ = try await makeTransport().send(.to(server.port, method, "/login"))
        let request = try #require(server.received.first)
        #expect(request.line == "\(method.rawValue) /login HTTP/1.1")
        #expect(request.fields.contains("Content-Length: 0"))
        #expect(!request.fields.contains { $0.lowercased().hasPrefix("content-type") })
    }

    @Test func `a DELETE without a body has no length and no type`() async throws {
        let server = try HostileServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
        let answer = try await makeTransport().send(.to(server.port, .delete, "/todos/1"))
        #expect(answer == HTTPResponse(status: 204))
        let request = try #require(server.received.first)
        #expect(request.line == "DELETE /todos/1 HTTP/1.1")
        #expect(!request.fields.contains { $0.lowercased().hasPrefix("content-") })
    }

    @Test func `a field without a value is sent as such`() async throws {
        let server = try HostileServer.answering("[]".answer)
        _ = try await makeTransport().send(.to(server.port, fields: [.init("X-Empty", "")]))
        #expect(try #require(server.received.first).fields.contains("X-Empty:"))
    }

    @Test func `requests one after another share a connection`() async throws {
        let server = try HostileServer.keeping("[]".answer)
        let transport = makeTransport()
        for number in 1...5 {
            _ = try await transport.send(.to(server.port, .get, "/\(number)"))
        }
        #expect(server.connections == 1)
        #expect(server.count == 5)
    }

    @Test func `fifty requests at once are all answered over the connections allowed`() async throws
    {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                connection.send(request.line.answer)
            }
        }
        let transport = makeTransport(connections: 4)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await transport.send(.to(server.port, .get, "/\(number)")).text
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers == Set((0..<50).map { "GET /\($0) HTTP/1.1" }))
        #expect(server.connections <= 4)
    }

    @Test func `every status is an answer`() async throws {
        for status in [200, 304, 404, 500, 599, 999] {
            let server = try HostileServer.answering(
                "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
            #expect(try await makeTransport().send(.to(server.port)).status == status)
        }
    }
}
