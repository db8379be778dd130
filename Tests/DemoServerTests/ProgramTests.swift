import APIClient
import CurlHTTP
import DemoServer
import Foundation
import ReferenceAPI
import TestSupport
import Testing

@Suite struct ProgramTests {
    private let scratch: TemporaryDirectory
    private let transport = CurlTransport(
        CurlSettings(
            connectTimeout: .seconds(10), proxy: nil, caFile: nil, maxConnectionsPerHost: 4))

    init() throws { scratch = try TemporaryDirectory() }

    private func client(_ port: UInt16) throws -> TodosClient {
        TodosClient(
            baseURL: try BaseURL("http://127.0.0.1:\(port)"), limits: .standard, userAgent: "test",
            transport: transport)
    }

    @Test func `what was answered before kill -9 is there afterwards`() async throws {
        var expected: [String] = []
        var token: String?
        for round in 0..<6 {
            let demo = try DemoProcess(["--port", "0", "--quiet", "--state", scratch.path(of: "s")])
            let client = try client(try demo.port())
            let current: String
            if let token {
                current = token
            } else {
                current = try await client.login(email: "demo@example.com", password: "demo")
            }
            token = current
            #expect(try await client.todos(token: current).map(\.title) == expected)
            for number in 0..<5 {
                let title = "\(round)-\(number)"
                _ = try await client.createTodo(
                    title: title, idempotencyKey: nil, token: current, timeout: .seconds(10))
                expected.append(title)
            }
            #expect(demo.end(by: SIGKILL) == -SIGKILL)
        }
    }

    @Test func `a kill in the midst of creates loses none that was answered`() async throws {
        let path = scratch.path(of: "s")
        let demo = try DemoProcess(["--port", "0", "--quiet", "--state", path])
        let client = try client(try demo.port())
        let token = try await client.login(email: "demo@example.com", password: "demo")
        let answered = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var titles: [String] = []
                    while true {
                        let title = "\(worker)-\(titles.count)"
                        do {
                            _ = try await client.createTodo(
                                title: title, idempotencyKey: nil, token: token,
                                timeout: .seconds(10))
                            titles.append(title)
                            // The others are under way then.
                            if worker == 0, titles.count == 25 { _ = demo.end(by: SIGKILL) }
                        } catch {
                            return titles
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let test = try TestServer(stateFile: path)
        defer { test.server.stop() }
        let stored = test.server.state.todos.map(\.title)
        #expect(answered.count >= 25)
        #expect(Set(stored).count == stored.count)
        #expect(Set(answered).isSubset(of: stored))
        #expect(stored.count - answered.count <= 4)
    }

    @Test func `a change that cannot be saved is not answered, and what was saved stays`()
        async throws
    {
        let path = scratch.path(of: "s")
        let demo = try DemoProcess(
            ["--port", "0", "--quiet", "--state", path], fileSizeLimit: 4096)
        let client = try client(try demo.port())
        let token = try await client.login(email: "demo@example.com", password: "demo")
        var answered: [String] = []
        while answered.count < 1000 {
            let title = "t\(answered.count)"
            do {
                _ = try await client.createTodo(
                    title: title, idempotencyKey: nil, token: token, timeout: .seconds(10))
                answered.append(title)
            } catch {
                #expect(error.mayHaveArrived)
                break
            }
        }
        if answered.count == 1000 { kill(demo.identifier, SIGKILL) }
        let end = demo.waitForEnd()
        #expect(end.status == 74)
        #expect(end.errors.contains("a change could not be saved in \(path): File too large"))
        #expect(!end.errors.contains(token))
        let test = try TestServer(stateFile: path)
        defer { test.server.stop() }
        #expect(test.server.state.todos.map(\.title) == answered)
        #expect(!answered.isEmpty)
    }

    @Test func `password and token of a file count instead of the known ones`() async throws {
        let file = try scratch.write("secrets", #"{"password": "p-1", "token": "t-1"}"#)
        let demo = try DemoProcess(["--port", "0", "--quiet", "--secrets", file])
        let port = try demo.port()
        let client = try client(port)
        await #expect(throws: APIError.self) {
            try await client.login(email: "demo@example.com", password: "demo")
        }
        _ = try await client.login(email: "demo@example.com", password: "p-1")
        for (token, isKnown) in [("demo", false), ("t-1", true)] {
            let movies = MoviesClient(
                baseURL: try BaseURL("http://127.0.0.1:\(port)/3"), credential: .bearer(token),
                language: nil, region: nil, limits: .standard, userAgent: "test",
                transport: transport)
            let answer = try? await movies.pullUpcoming(page: 1, validators: nil)
            #expect((answer != nil) == isKnown)
        }
        #expect(demo.end(by: SIGTERM) == 0)
    }

    @Test(arguments: ["", "{}", #"{"password": "", "token": "t"}"#, "p-1"])
    func `a file that holds no secrets is refused, and not quoted`(text: String) throws {
        let file = try scratch.write("secrets", text)
        let demo = try DemoProcess(["--port", "0", "--secrets", file])
        let end = demo.waitForEnd()
        #expect(end.status == 65 && end.output == "")
        #expect(end.errors.hasPrefix("demo-api: the file of secrets "))
        #expect(!end.errors.contains("p-1"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends it with 0`(signal: Int32) throws {
        let demo = try DemoProcess(["--port", "0"])
        _ = try demo.port()
        #expect(demo.end(by: signal) == 0)
    }

    @Test func `recorded pages are served byte for byte`() async throws {
        let pages = MovieCatalogue.generated(count: 45, seed: 3, overlap: false, dates: true).pages
        let files = try pages.enumerated().map {
            try scratch.write("page\($0)", String(decoding: $1, as: UTF8.self))
        }
        let demo = try DemoProcess(["--port", "0", "--quiet", "--movies"] + files.reversed())
        let movies = MoviesClient(
            baseURL: try BaseURL("http://127.0.0.1:\(try demo.port())/3"),
            credential: .bearer("demo"), language: nil, region: nil, limits: .standard,
            userAgent: "test", transport: transport)
        for (index, page) in pages.enumerated() {
            let answer = try await movies.pullUpcoming(page: index + 1, validators: nil)
            guard case .body(let body, _, _) = answer else {
                Issue.record("page \(index + 1) has no body")
                continue
            }
            #expect(body == page)
        }
        #expect(demo.end(by: SIGTERM) == 0)
    }

    @Test(arguments: [(false, 405), (true, 201)])
    func `rows of a list can be added and deleted only where that was asked for`(
        takesWrites: Bool, status: Int
    ) throws {
        let file = try scratch.write("notes.json", #"[{"id": 1}]"#)
        let demo = try DemoProcess(
            ["--port", "0", "--quiet", "--list", file]
                + (takesWrites ? ["--lists-take-writes"] : []))
        let port = try demo.port()
        let end = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        let added = try RawConnection.exchange(
            "POST /lists/notes\(end)Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":2}",
            port: port)
        #expect(added.hasPrefix("HTTP/1.1 \(status) "), "\(added)")
        let removed = try RawConnection.exchange("DELETE /lists/notes/1\(end)\r\n", port: port)
        #expect(removed.hasPrefix("HTTP/1.1 \(takesWrites ? 204 : 405) "), "\(removed)")
        let shown = try RawConnection.exchange("GET /lists/notes\(end)\r\n", port: port)
        #expect(
            shown.hasSuffix(takesWrites ? #"[{"id":1000001,"a":2}]"# : #"[{"id": 1}]"#), "\(shown)")
        #expect(demo.end(by: SIGTERM) == 0)
        #expect(try scratch.text(of: "notes.json") == #"[{"id": 1}]"#)
    }

    @Test(arguments: [
        ("restrict", 409, #"[{"id":7,"project_id":1}]"#), ("cascade", 204, "[]"),
        ("set-null", 204, #"[{"id":7,"project_id":null}]"#),
    ])
    func `a foreign key says what becomes of the rows below a deleted one`(
        rule: String, status: Int, left: String
    ) throws {
        let projects = try scratch.write("projects.json", #"[{"id":1}]"#)
        let tasks = try scratch.write("tasks.json", #"[{"id":7,"project_id":1}]"#)
        let demo = try DemoProcess([
            "--port", "0", "--quiet", "--lists-take-writes", "--list", projects, "--list", tasks,
            "--foreign-key", "tasks.project_id=projects:\(rule)",
        ])
        let port = try demo.port()
        let end = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        let orphan = try RawConnection.exchange(
            "POST /lists/tasks\(end)Content-Type: application/json\r\nContent-Length: 16\r\n\r\n"
                + #"{"project_id":2}"#, port: port)
        #expect(orphan.hasPrefix("HTTP/1.1 422 "), "\(orphan)")
        let removed = try RawConnection.exchange("DELETE /lists/projects/1\(end)\r\n", port: port)
        #expect(removed.hasPrefix("HTTP/1.1 \(status) "), "\(removed)")
        let shown = try RawConnection.exchange("GET /lists/tasks\(end)\r\n", port: port)
        #expect(shown.hasSuffix(left), "\(shown)")
        #expect(demo.end(by: SIGTERM) == 0)
    }

    @Test func `a foreign key of a list that is not served is a wrong argument`() throws {
        let tasks = try scratch.write("tasks.json", "[]")
        let demo = try DemoProcess([
            "--port", "0", "--list", tasks, "--foreign-key", "tasks.project_id=projects",
        ])
        let end = demo.waitForEnd()
        #expect(end.status == 64)
        #expect(end.errors.contains("'projects', which no --list serves"), "\(end.errors)")
    }

    @Test func `each request is a line on standard error, without token and body`() async throws {
        let demo = try DemoProcess(["--port", "0"])
        let client = try client(try demo.port())
        let token = try await client.login(email: "demo@example.com", password: "demo")
        _ = try await client.createTodo(
            title: "private", idempotencyKey: nil, token: token, timeout: .seconds(10))
        kill(demo.identifier, SIGTERM)
        let end = demo.waitForEnd()
        #expect(end.errors == "POST /login 200\nPOST /todos 200\n")
        #expect(end.status == 0)
    }

    @Test func `a start that cannot succeed ends with its status and two sentences`() throws {
        let broken = try scratch.write("broken", "milk\n")
        let page = try scratch.write("page", "[]")
        for (arguments, status, text) in [
            (["--prot", "1"], 64, "the nearest one is --port"),
            (["--port", "0", "--state", broken], 65, "is not a state file of demo-api: line 1"),
            (["--port", "0", "--movies", page], 65, "is not a page of a movie list"),
            (["--port", "0", "--movies", scratch.path(of: "no")], 65, "No such file or directory"),
        ] as [([String], Int32, String)] {
            let end = try DemoProcess(arguments).waitForEnd()
            #expect(end.status == status)
            #expect(end.errors.contains(text), "\(end.errors)")
            #expect(end.errors.split(separator: "\n").count == 2)
            #expect(end.output.isEmpty)
        }
    }

    @Test func `the help goes to standard output and is a success`() throws {
        let end = try DemoProcess(["--help"]).waitForEnd()
        #expect(end.status == 0)
        #expect(end.output.contains("--lose-answer-rate P"))
        #expect(end.errors.isEmpty)
    }
}
