import Foundation
import HostileHTTP
import Testing

/// A server that takes its key in the query, and repeats the query in the address of the next page.
@Suite(.timeLimit(.minutes(5))) struct QueryCredentialProcessTests {
    @Test func `N1: a key in the query is neither kept, logged nor printed`() async throws {
        let stage = try Stage()
        // The canary of `scripts/canary-test`, if it runs this.
        let key =
            DemoAccount.secretsFile == nil ? "canary-7b0e/2d+f" : stage.account.token
        let server = try HostileServer { connection in
            while let request = connection.readRequest() {
                let target = request.line.split(separator: " ")[1]
                let body =
                    target.contains("page=2")
                    ? #"{"next": null, "results": [{"id": 2, "title": "b"}]}"#
                    : #"{"next": "\#(target)&page=2", "results": [{"id": 1, "title": "a"}]}"#
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
        }
        let file = try stage.write(key, to: "secrets/api-key")
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"enabled": false}, "log": {"level": "debug"},
             "servers": {"shop": {"baseURL": "http://127.0.0.1:\(server.port)",
                                  "auth": {"kind": "query", "name": "api_key", "valueFile": "\(file)"}}}}
            """, to: stage.configuration)
        try stage.write(
            """
            {"server": "shop", "list": "/items?active=1", "id": "$.id", "rows": "$.results",
             "pages": {"next": "$.next"}, "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/items.json")
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(await log.line(holding: "items") != nil)
        // The second read goes by what was kept of the first.
        #expect(try await stage.syncd("sync", "items", "--timeout", "60").code == 0)
        #expect(try await stage.syncd("sync", "items", "--timeout", "60").code == 0)
        let shown = [
            try await stage.syncd("status", "--json"), try await stage.syncd("check"),
            try await stage.syncd("config"), try await stage.syncd("list", "items"),
            try await stage.run(.sqlite3, [stage.cache, ".dump"]),
        ].map { $0.output + $0.errors }
        #expect(shown[3].contains("a") && shown[3].contains("b"))
        #expect(shown[4].contains("/items?active=1"))
        let files = ["", "-wal", "-shm"].compactMap { suffix in
            try? stage.bytes(of: stage.cache + suffix)
        }.map { String(decoding: $0, as: UTF8.self) }
        #expect(files.count >= 2)
        let forms = [
            key, Data(key.utf8).base64EncodedString(),
            key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key,
        ]
        for form in forms {
            #expect((shown + files + log.lines).allSatisfy { !$0.contains(form) }, "\(form)")
        }
    }
}
