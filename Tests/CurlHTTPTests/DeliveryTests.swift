import APIClient
import CurlHTTP
import HostileHTTP
import Testing

@Suite("How often a request is sent, and what is known when it fails", .timeLimit(.minutes(3)))
struct DeliveryTests {
    private static let writes = HTTPMethod.allCases.filter(\.isWrite)

    // MARK: No connection

    @Test(arguments: HTTPMethod.allCases)
    func `N5: a refused connection sends nothing`(method: HTTPMethod) async throws {
        let error = await makeTransport().failure(
            .to(try HostileServer.unusedPort(), method, body: method.isWrite ? "{}" : nil))
        #expect(error.kind == "cannotConnect")
        #expect(error?.mayHaveArrived == false)
    }

    @Test func `N2: a name that does not exist sends nothing`() async {
        let error = await makeTransport().failure(.to(80, .post, host: "nobody.invalid"))
        #expect(error.kind == "cannotConnect")
    }

    @Test func `N6: a connection that is not made in time sends nothing`() async throws {
        let hole = try BlackHole()
        let transport = makeTransport(connectTimeout: .milliseconds(300))
        #expect(await transport.failure(.to(hole.port, .post)).kind == "cannotConnect")
    }

    @Test func `a deadline that passes before the connection is made sends nothing`() async throws {
        let hole = try BlackHole()
        #expect(
            await makeTransport().failure(.to(hole.port, .post, timeout: .milliseconds(300))).kind
                == "cannotConnect")
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .nanoseconds(1)])
    func `C8: a deadline of nothing ends at once and does not mean for ever`(
        timeout: Duration
    ) async throws {
        let server = try HostileServer { $0.awaitClose() }
        #expect(await makeTransport().failure(.to(server.port, timeout: timeout)) != nil)
    }

    @Test func `a request that waits for a free connection ends at its own deadline`() async throws
    {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.awaitClose()
        }
        let transport = makeTransport(connections: 1)
        async let first = transport.failure(.to(server.port, .get, "/1"))
        _ = await server.nextArrival()
        #expect(
            await transport.failure(.to(server.port, .post, "/2", timeout: .milliseconds(200))).kind
                == "cannotConnect")
        await transport.shutdown()
        #expect(await first == .cancelled(mayHaveArrived: true))
        #expect(server.received.map(\.line) == ["GET /1 HTTP/1.1"])
    }

    // MARK: Kept-alive connections that end

    /// Answers the first request; `ending` then has the connection, and later connections answer.
    private func keptAlive(
        _ ending: @escaping @Sendable (HostileServer.Connection) -> Void
    ) throws -> HostileServer {
        try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.send("\(connection.number)".answer)
                if connection.number == 1 { return ending(connection) }
            }
        }
    }

    @Test(arguments: writes)
    func `N16: a write that a kept-alive connection died under is sent once`(
        method: HTTPMethod
    ) async throws {
        let server = try keptAlive { $0.readRequest() }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port))
        let error = await transport.failure(
            .to(server.port, method, "/w", body: method == .post ? "{}" : nil))
        #expect(error.kind == "interrupted, sent")
        #expect(
            server.received.map(\.line) == ["GET / HTTP/1.1", "\(method.rawValue) /w HTTP/1.1"])
        // Whatever libcurl had up its sleeve would have come before this one.
        _ = try await transport.send(.to(server.port, .get, "/after"))
        #expect(server.count == 3)
    }

    @Test(arguments: writes)
    func `N16: a write that a reset ended is sent once`(method: HTTPMethod) async throws {
        let server = try keptAlive { connection in
            connection.readRequest()
            connection.reset()
        }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port))
        #expect(
            await transport.failure(.to(server.port, method, body: "{}")).kind
                == "interrupted, sent")
        #expect(server.count == 2)
    }

    @Test func `N16: a GET that a kept-alive connection died under is repeated once`() async throws
    {
        let server = try keptAlive { $0.readRequest() }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port))
        #expect(try await transport.send(.to(server.port)).text == "2")
        #expect(server.count == 3)
    }

    @Test(arguments: HTTPMethod.allCases)
    func `N16: a kept-alive connection that was closed is not used again`(
        method: HTTPMethod
    ) async throws {
        let server = try keptAlive { connection in
            connection.close()
            connection.mark()
        }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port))
        await server.nextMark()
        #expect(try await transport.send(.to(server.port, method)).text == "2")
        #expect(server.count == 2)
    }

    @Test(arguments: HTTPMethod.allCases)
    func `N16: a kept-alive connection that was reset is not used again`(
        method: HTTPMethod
    ) async throws {
        let server = try keptAlive { connection in
            connection.reset()
            connection.mark()
        }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port))
        await server.nextMark()
        #expect(try await transport.send(.to(server.port, method)).text == "2")
        #expect(server.count == 2)
    }

    /// An address that is taken away ends every connection, and none of them tells it.
    @Test(arguments: HTTPMethod.allCases)
    func `a request without an answer makes all kept-alive connections untrusted`(
        method: HTTPMethod
    ) async throws {
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                if connection.number > 2 {
                    connection.send("\(connection.number)".answer)
                } else if request.line.contains("/first") {
                    connection.mark()
                    connection.awaitLeave()
                    connection.send("[]".answer)
                }
            }
        }
        let transport = makeTransport()
        async let first = transport.send(.to(server.port, .get, "/first"))
        async let second = transport.send(.to(server.port, .get, "/first"))
        for _ in 1...2 { await server.nextMark() }
        for _ in 1...2 { server.allow() }
        _ = try await (first, second)
        #expect(
            await transport.failure(.to(server.port, .get, "/2", timeout: .milliseconds(200))).kind
                == "timedOut, sent")
        #expect(try await transport.send(.to(server.port, method)).text == "3")
        #expect(server.count == 4)
    }

    @Test(arguments: HTTPMethod.allCases)
    func `H24: an answer nobody asked for is not taken for the next one`(
        method: HTTPMethod
    ) async throws {
        let server = try keptAlive { connection in
            connection.awaitLeave()
            connection.send("evil".answer)
            connection.mark()
            connection.awaitClose()
        }
        let transport = makeTransport()
        _ = try await transport.send(.to(server.port))
        server.allow()
        await server.nextMark()
        #expect(try await transport.send(.to(server.port, method)).text == "2")
        #expect(server.count == 2)
    }

    @Test func `H24: bytes right behind an answer end the connection`() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil {
                connection.send("\(connection.number)".answer + "evil".answer)
            }
        }
        let transport = makeTransport()
        for number in 1...3 {
            #expect(try await transport.send(.to(server.port)).text == "\(number)")
        }
    }

    @Test(arguments: writes)
    func `N17: a write whose answer is lost on a new connection is sent once`(
        method: HTTPMethod
    ) async throws {
        let server = try HostileServer { $0.readRequest() }
        let transport = makeTransport()
        #expect(
            await transport.failure(.to(server.port, method, body: "{}")).kind
                == "interrupted, sent")
        #expect(server.count == 1)
    }

    // MARK: The end of the caller

    @Test(arguments: [HTTPMethod.get, .post])
    func `a cancelled request ends though the server stalls`(method: HTTPMethod) async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.awaitClose()
            connection.mark()
        }
        let transport = makeTransport()
        let request = HTTPRequest.to(server.port, method, timeout: .seconds(3600))
        let task = Task { await transport.failure(request) }
        _ = await server.nextArrival()
        task.cancel()
        #expect(await task.value == .cancelled(mayHaveArrived: true))
        // The connection is closed with it.
        await server.nextMark()
    }

    @Test func `a request cancelled while it connects was not sent`() async throws {
        let hole = try BlackHole()
        let transport = makeTransport(connectTimeout: .seconds(3600))
        let request = HTTPRequest.to(hole.port, .post, timeout: .seconds(3600))
        let task = Task { await transport.failure(request) }
        task.cancel()
        #expect(await task.value == .cancelled(mayHaveArrived: false))
    }

    @Test func `a cancelled task sends nothing`() async throws {
        let server = try HostileServer.keeping("[]".answer)
        let transport = makeTransport()
        let request = HTTPRequest.to(server.port, .post)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.failure(request)
        }
        #expect(await task.value == .cancelled(mayHaveArrived: false))
        _ = try await transport.send(.to(server.port))
        #expect(server.count == 1)
    }

    @Test func `a shutdown ends what is under way and what comes later`() async throws {
        let server = try HostileServer { connection in
            connection.readRequest()
            connection.awaitClose()
        }
        let transport = makeTransport()
        async let first = transport.failure(.to(server.port, timeout: .seconds(3600)))
        _ = await server.nextArrival()
        await transport.shutdown()
        #expect(await first == .cancelled(mayHaveArrived: true))
        #expect(await transport.failure(.to(server.port)) == .cancelled(mayHaveArrived: false))
        await transport.shutdown()
        #expect(server.count == 1)
    }

    @Test func `a transport that goes away closes its connections`() async throws {
        let server = try HostileServer { connection in
            while connection.readRequest() != nil { connection.send("[]".answer) }
            connection.mark()
        }
        _ = try await makeTransport().send(.to(server.port))
        await server.nextMark()
    }

    @Test func `a shutdown before the first request starts nothing`() async {
        let transport = makeTransport()
        await transport.shutdown()
        #expect(await transport.failure(.to(1)) == .cancelled(mayHaveArrived: false))
    }
}
