import APIClient
import DemoServer
import ReferenceAPI
import Testing

@Suite struct FaultTests {
    private func createdTitles(_ test: TestServer, _ count: Int) async throws -> [Bool] {
        let client = try test.todos()
        var token: String?
        while token == nil {
            // A login meets faults like every other request.
            token = try? await test.token()
        }
        var answered: [Bool] = []
        for number in 0..<count {
            do {
                _ = try await client.createTodo(
                    title: "t\(number)", idempotencyKey: nil, token: token ?? "",
                    timeout: .seconds(10))
                answered.append(true)
            } catch {
                answered.append(false)
            }
        }
        return answered
    }

    @Test func `a lost answer's todo is there, a lost or refused request's is not`() async throws {
        let test = try TestServer(faults: {
            $0.loseAnswer = 0.4
            $0.loseRequest = 0.3
            $0.refuse = 0.3
        })
        defer { test.server.stop() }
        let answered = try await createdTitles(test, 60)
        let creates = test.record.lines.filter { $0.hasPrefix("POST /todos ") }
        let stored = Set(test.server.state.todos.map(\.title))
        #expect(creates.count == 60, "a write was sent more than once")
        for (number, line) in creates.enumerated() {
            let isDone = line.hasSuffix("200") || line.contains("done, answer lost")
            #expect(stored.contains("t\(number)") == isDone, "\(line)")
            #expect(answered[number] == line.hasSuffix("200"), "\(line)")
        }
        for kind in ["200", "done, answer lost", "request lost", "503 (fault: refused"] {
            #expect(creates.contains { $0.contains(kind) }, "\(kind)")
        }
    }

    @Test func `a seed repeats its faults, another one does not`() async throws {
        var logs: [[String]] = []
        for seed in [7, 7, 8] as [UInt64] {
            let test = try TestServer(seed: seed, faults: { $0.refuse = 0.5 })
            _ = try await createdTitles(test, 40)
            test.server.stop()
            logs.append(test.record.lines)
        }
        #expect(logs[0] == logs[1])
        #expect(logs[0] != logs[2])
    }

    @Test func `a lost answer is told as a write that may have arrived`() async throws {
        let test = try TestServer(faults: { $0.loseAnswer = 1 })
        defer { test.server.stop() }
        do {
            _ = try await test.token()
            Issue.record("there is an answer")
        } catch let error as APIError {
            #expect(error.mayHaveArrived)
        }
        #expect(test.server.state.tokens.count == 1)
    }

    @Test func `a request with latency is answered, many at a time`() async throws {
        let test = try TestServer(faults: { $0.latency = .milliseconds(20) })
        defer { test.server.stop() }
        let client = try test.todos()
        let token = try await test.token()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    _ = try await client.createTodo(
                        title: "t\(number)", idempotencyKey: nil, token: token,
                        timeout: .seconds(30))
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(test.server.state.todos.map(\.title)).count == 12)
    }

    @Test(.timeLimit(.minutes(3)))
    func `a server that stops does nothing for requests that still wait`() async throws {
        let test = try TestServer(faults: { $0.latency = .seconds(500) })
        let connection = try RawConnection(port: test.server.port)
        let login = "Authorization: Basic ZGVtb0BleGFtcGxlLmNvbTpkZW1v\r\n"
        try connection.send("POST /login HTTP/1.1\r\nHost: x\r\n\(login)Content-Length: 0\r\n\r\n")
        while test.server.waitingRequests == 0 { await Task.yield() }
        test.server.stop()
        #expect(try connection.readToEnd().isEmpty)
        #expect(test.server.state.tokens.isEmpty)
    }
}
