import HostileHTTP
import Testing

/// `declare` where a server cuts a list and says nothing of it.
@Suite(.timeLimit(.minutes(3))) struct SilentListProcessTests {
    /// Five rows come of as many as there are, in a plain array; nothing tells of the others.
    private func silentServer(_ parameters: (start: String, length: String)?) throws -> (
        HostileServer, String
    ) {
        let rows = (1...7).map {
            "{\"kind\": \"user\", \"created\": \"2026-01-0\($0)T10:00:00Z\", \"nick\": \"u\($0)\"}"
        }
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let target = String(request.line.split(separator: " ")[1])
                var asked: [String: Int] = [:]
                for part in target.split(separator: "?").last?.split(separator: "&") ?? [] {
                    let halves = part.split(separator: "=")
                    if halves.count == 2 { asked[String(halves[0])] = Int(halves[1]) }
                }
                let length = parameters.flatMap { asked[$0.length] } ?? 5
                var start = parameters.flatMap { asked[$0.start] } ?? 0
                if parameters?.start == "page" { start = max(start - 1, 0) * length }
                let page = rows.dropFirst(start).prefix(length).joined(separator: ",")
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count + 2)\r\n\r\n[\(page)]")
            }
        }
        return (server, "http://127.0.0.1:\(server.port)")
    }

    @Test(arguments: [
        ("page", "per_page", "{\"page\":\"page\"}"), ("page", "limit", "{\"page\":\"page\"}"),
        ("offset", "limit", "{\"offset\":\"offset\"}"), ("skip", "limit", "{\"offset\":\"skip\"}"),
    ])
    func `a plain array that is cut in silence is asked for one row`(
        start: String, length: String, pages: String
    ) async throws {
        let (server, address) = try silentServer((start, length))
        defer { withExtendedLifetime(server) {} }
        let stage = try Stage()
        try stage.configure(address)
        let added = try await stage.syncd("declare", "\(address)/users", "--write")
        #expect(added.code == 0, "\(added.errors)")
        #expect(
            added.errors.contains(
                "pages: \(pages): asked for one row, the server brings one, and the second page has 1 row with other ids"
            ), "\(added.errors)")
        #expect(try await stage.syncd("sync", "users").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM users").output == "7\n")
    }

    @Test func `a plain array without pages stays one`() async throws {
        let (server, address) = try silentServer(nil)
        defer { withExtendedLifetime(server) {} }
        let stage = try Stage()
        try stage.configure(address)
        let added = try await stage.syncd("declare", "\(address)/users")
        #expect(added.errors.contains("pages: none: nothing in the answer tells of a second page"))
        #expect(added.errors.contains("id: $.nick"))
        #expect(!added.errors.contains("was tried"))
    }
}
