import APIClient
import CurlHTTP
import Foundation
import Glibc
import HostileHTTP
import Testing

@Suite("What a request must not be mixed with", .timeLimit(.minutes(3)))
struct SeparationTests {
    @Test(arguments: [301, 302, 303, 307, 308], HTTPMethod.allCases)
    func `H1: a redirect is handed on and not followed`(
        status: Int, method: HTTPMethod
    ) async throws {
        let server = try HostileServer.keeping(
            "HTTP/1.1 \(status) Moved\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
        let transport = makeTransport()
        let answer = try await transport.send(.to(server.port, method))
        #expect(answer.status == status)
        #expect(answer.value(of: "location") == "/next")
        #expect(server.count == 1)
    }

    @Test func `H26: a cookie is not kept`() async throws {
        let server = try HostileServer.keeping(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")
        let transport = makeTransport()
        for _ in 1...2 { _ = try await transport.send(.to(server.port)) }
        #expect(!server.received.flatMap(\.fields).contains { $0.lowercased().hasPrefix("cookie") })
        #expect(server.count == 2)
    }

    @Test func `N22: proxies in the environment are ignored`() async {
        // In a process of its own, because the environment belongs to all threads of one.
        await #expect(processExitsWith: .success) {
            let trap = try HostileServer.keeping("from the proxy".answer)
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"] {
                setenv(name, "http://127.0.0.1:\(trap.port)", 1)
            }
            let server = try HostileServer.keeping("direct".answer)
            let answer = try await makeTransport().send(.to(server.port))
            #expect(answer.text == "direct")
            #expect(
                await makeTransport().failure(.to(80, host: "nobody.invalid")).kind
                    == "cannotConnect")
            #expect(trap.connections == 0)
        }
    }

    @Test func `N22: the environment cannot turn a configured proxy off`() async {
        await #expect(processExitsWith: .success) {
            for name in ["no_proxy", "NO_PROXY"] { setenv(name, "*", 1) }
            let proxy = try HostileServer.keeping("from the proxy".answer)
            let transport = makeTransport(proxy: "http://127.0.0.1:\(proxy.port)")
            let answer = try await transport.send(.to(80, host: "nobody.invalid"))
            #expect(answer.text == "from the proxy")
        }
    }

    @Test func `a configured proxy is used, but not for this machine`() async throws {
        let proxy = try HostileServer.keeping("from the proxy".answer)
        let server = try HostileServer.keeping("direct".answer)
        let transport = makeTransport(proxy: "http://user:pass@127.0.0.1:\(proxy.port)")
        #expect(try await transport.send(.to(server.port)).text == "direct")
        #expect(try await transport.send(.to(80, host: "nobody.invalid")).text == "from the proxy")
        #expect(proxy.received.map(\.line) == ["GET http://nobody.invalid/ HTTP/1.1"])
    }

    @Test func `a secret does not go to the proxy of an https server`() async throws {
        let proxy = try HostileServer.answering(
            "HTTP/1.1 407 Who\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let transport = makeTransport(proxy: "http://user:pass@127.0.0.1:\(proxy.port)")
        let error = await transport.failure(
            .to(
                443, .post, scheme: "https", host: "nobody.invalid",
                fields: [.init("Authorization", "Bearer canary")], body: "canary"))
        #expect(error.kind == "cannotConnect")
        #expect(!"\(String(describing: error))".contains("pass"))
        let request = try #require(proxy.received.first)
        #expect(request.line == "CONNECT nobody.invalid:443 HTTP/1.1")
        #expect(!request.fields.contains { $0.contains("canary") })
    }

    @Test(arguments: ["ftp://pass@127.0.0.1:9", "gopher://user:pass@h", "http://user:pass@[", "::"])
    func `a bad proxy is an error that does not show its password`(proxy: String) async {
        let error = await makeTransport(proxy: proxy).failure(.to(80, host: "nobody.invalid"))
        #expect(error?.mayHaveArrived == false)
        #expect(!String(describing: error).contains("pass"))
    }

    // MARK: Injection

    @Test(arguments: ["\r\nX-Evil: 1", "\n", "\r", "\0", "a\u{1B}[2J", "\u{7F}"])
    func `X3: a control character in a value is refused`(value: String) async throws {
        let server = try HostileServer.keeping("[]".answer)
        let error = await makeTransport().failure(
            .to(server.port, fields: [.init("Authorization", "Bearer canary" + value)]))
        #expect(error.kind == "invalidRequest")
        #expect(!String(describing: error).contains("canary"))
        #expect(server.connections == 0)
    }

    @Test(arguments: ["", "X:", "X Y", "X\r\nY", "X\0", "Ä", "X;"])
    func `X3: a name that is no token is refused`(name: String) async {
        #expect(
            await makeTransport().failure(.to(1, fields: [.init(name, "1")])).kind
                == "invalidRequest")
    }

    @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection", "Upgrade"])
    func `X3: a field that frames the message is refused`(name: String) async {
        #expect(
            await makeTransport().failure(.to(1, fields: [.init(name, "1")])).kind
                == "invalidRequest")
    }

    @Test(arguments: [
        "", "todos", "@evil.example/", "/a b", "/a\r\nX: y", "/a\0", "/ä", "/a#b", "/\u{7F}",
    ])
    func `X3: a target that could be read otherwise is refused`(target: String) async {
        #expect(await makeTransport().failure(.to(1, .get, target)).kind == "invalidRequest")
    }

    @Test(arguments: ["", "a b", "user@host", "host/", "host?", "[::1", "[a@b]", "ä", "a:1", "%41"])
    func `X3: a host that could be read otherwise is refused`(host: String) async {
        #expect(await makeTransport().failure(.to(1, host: host)).kind == "invalidRequest")
    }

    @Test func `X3: another scheme or a port out of range is refused`() async {
        #expect(await makeTransport().failure(.to(1, scheme: "file")).kind == "invalidRequest")
        for port in [0, -1, 65_536] {
            #expect(await makeTransport().failure(.to(port)).kind == "invalidRequest")
        }
    }
}
