import APIClient
import APIClientTesting
import Testing

@Suite struct RedirectTests {
    private static let base = "https://api.example.com/v1"

    /// Pulls `/v1/todos` of a server that answers it with a redirect.
    private func pull(
        _ location: String, status: Int = 302, then target: String? = nil
    ) async throws(APIError) -> [HTTPRequest] {
        let mock = MockTransport { _ in }
        mock.on(.get, "/v1/todos", .status(status, fields: [HTTPField("location", location)]))
        if let target { mock.on(.get, target, .json("[]")) }
        let base: BaseURL
        do {
            base = try BaseURL(Self.base)
        } catch {
            throw .invalidRequest(error.description)
        }
        let client = TodosClient(baseURL: base, transport: mock)
        _ = try await client.pullTodos(
            token: "canary-token", validators: Validators(entityTag: "\"a\"", lastModified: nil))
        return mock.requests
    }

    @Test(arguments: [
        ("https://api.example.com/new", "/new"),
        ("https://api.example.com:443/new?a=b", "/new?a=b"),
        ("HTTPS://API.EXAMPLE.COM/new", "/new"), ("https://api.example.com", "/"),
        ("https://api.example.com?q", "/?q"), ("/new", "/new"), ("/new?x=%20&y", "/new?x=%20&y"),
        ("new", "/v1/new"), ("./new", "/v1/new"), ("../new", "/new"), ("../../../new", "/new"),
        ("todos/", "/v1/todos/"), (".", "/v1/"), ("..", "/"), ("a/./b/../c", "/v1/a/c"),
        ("?page=2", "/v1/todos?page=2"), ("/new#fragment", "/new"), (" /new\t", "/new"),
        ("/a/..//b", "/b"), ("https://api.example.com//x", "/x"), ("/x//y", "/x//y"),
        ("/a:b", "/a:b"), ("./a:b", "/v1/a:b"),
    ])
    func `a redirect within the origin is followed, with the same header`(
        location: String, target: String
    ) async throws {
        let requests = try await pull(location, then: target)
        var expected = try #require(requests.first)
        expected.target = target
        #expect(requests.count == 2)
        #expect(requests.last == expected)
    }

    @Test(arguments: [
        "http://api.example.com/new", "https://api.example.com:444/new", "https://example.com/new",
        "https://api.example.com.evil.example/new", "https://169.254.169.254/", "https://[::1]/",
        "https://localhost/", "//api.example.com/new", "//evil.example/", "///x",
        "/\\evil.example/",
        "\\\\evil.example", "https:\\\\api.example.com/", "https:/api.example.com/new",
        "https:api.example.com", "https:///new", "https://", "https://user@api.example.com/new",
        "https://user:pw@api.example.com/new", "https://api.example.com@evil.example/",
        "https://evil.example#@api.example.com/", "https://evil.example?@api.example.com/",
        "https://api.example.com:/new", "https://api.example.com:99999/new", "file:///etc/passwd",
        "javascript:alert(1)", "unix:/run/x", "data:,x", "a:b", "://x", ":", "",
        "/new\r\nX-Evil: 1", "/new\n", "/new\u{0}", "/ne w", "/n\u{E9}w", "/\u{FFFD}", "/\u{7F}",
        "/%", "/%zz", "/%4", "/<x>", "/a?b=%", "/`", "/{}", "/a|b", "/a\"b", "/a^b",
        "https://evil.examplecanary-token/3", "https://CANARY-TOKEN", "https://canary%2Dtoken/",
    ])
    func `P29: any other redirect is refused, without a request and without a secret`(
        location: String
    ) async {
        do {
            _ = try await pull(location)
            Issue.record("followed")
        } catch {
            guard case .redirectRefused(let what) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!what.contains("\r") && !what.contains("pw"))
            #expect(!what.lowercased().contains("canary"))
        }
    }

    @Test func `a Location of 8 KiB is read and one byte more is not`() async throws {
        let long = "/" + String(repeating: "a", count: 8191)
        #expect(try await pull(long, then: long).count == 2)
        await #expect(throws: APIError.self) { try await pull(long + "a", then: long + "a") }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `every status that moves a GET is followed`(status: Int) async throws {
        #expect(try await pull("/new", status: status, then: "/new").map(\.method) == [.get, .get])
    }

    @Test(arguments: [300, 304, 305, 306, 310, 399, 201])
    func `no other status is followed`(status: Int) async {
        do {
            let requests = try await pull("/new", status: status)
            #expect(status == 304 && requests.count == 1)
        } catch {
            #expect(error == .emptyData || error.isStatus(status))
        }
    }

    @Test func `a redirect without a place or with two is not followed`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        let two = [HTTPField("Location", "/a"), HTTPField("location", "/b")]
        mock.on(.get, "/todos", .status(302), .status(302, fields: two))
        let client = TodosClient(transport: mock)
        await #expect { try await client.todos(token: "t") } throws: {
            ($0 as? APIError)?.isStatus(302) == true
        }
        await #expect(throws: APIError.redirectRefused("it names more than one Location")) {
            try await client.todos(token: "t")
        }
        #expect(mock.requests.count == 2)
    }

    @Test func `three redirects in a row are followed and a fourth is not`() async throws {
        let mock = MockTransport { Issue.record("\($0)") }
        for step in 1...4 {
            mock.on(.get, "/\(step)", .status(302, fields: [HTTPField("Location", "/\(step + 1)")]))
        }
        mock.on(.get, "/todos", .status(302, fields: [HTTPField("Location", "/2")]))
        await #expect(throws: APIError.redirectRefused("more than 3 redirects in a row")) {
            try await TodosClient(transport: mock).todos(token: "t")
        }
        #expect(mock.requests.map(\.target) == ["/todos", "/2", "/3", "/4"])
        mock.replace(.get, "/4", .json("[]"))
        #expect(try await TodosClient(transport: mock).todos(token: "t").isEmpty)
    }

    @Test(arguments: ClientCall.all.filter { $0.method.isWrite }, [301, 302, 303, 307, 308])
    func `a write is never sent to a second place`(call: ClientCall, status: Int) async {
        let mock = MockTransport { Issue.record("\($0)") }
        mock.on(
            call.method, call.target, .status(status, fields: [HTTPField("Location", call.target)]))
        await #expect { try await call.run(mock) } throws: {
            ($0 as? APIError)?.isStatus(status) == true
        }
        #expect(mock.requests.count == 1)
    }

    @Test func `random places are followed within the origin or refused, and never a trap`() async {
        var random = SeededGenerator(seed: 6)
        let alphabet = Array("https://api.example.com:443/..?#%4e@\\[]\r\u{0}é ".utf8)
        for _ in 0..<3_000 {
            let tail = String(decoding: random.bytes(of: alphabet, upTo: 16), as: UTF8.self)
            for location in [tail, "https://api.example.com" + tail] {
                do {
                    _ = try await pull(location)
                } catch {
                    // What is followed meets a server that has no answer for it.
                    if case .redirectRefused = error { continue }
                    if case .transport(.invalidRequest(let what)) = error {
                        #expect(what.hasPrefix("no answer for GET /"))
                    } else {
                        #expect(error.isStatus(302))
                    }
                }
            }
        }
    }
}

extension APIError {
    fileprivate func isStatus(_ code: Int) -> Bool {
        if case .status(let failure) = self { failure.code == code } else { false }
    }
}
