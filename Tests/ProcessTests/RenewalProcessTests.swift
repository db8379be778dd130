import Foundation
import HostileHTTP
import Synchronization
import Testing

/// A server whose tokens are renewed by another token, at an address of its own.
@Suite(.timeLimit(.minutes(2))) struct RenewalProcessTests {
    /// Gives tokens: each renewing token is good once.
    private final class Office: Sendable {
        private struct State {
            var refresh = "first/of+all"
            var access = ""
            var given = 0
        }

        private let state = Mutex(State())
        let tokens: HostileServer
        let lists: HostileServer

        init() throws {
            let answer = Mutex<@Sendable (HostileServer.Received) -> String>({ _ in "" })
            let respond: @Sendable (HostileServer.Received) -> String = { request in
                answer.withLock { $0 }(request)
            }
            tokens = try HostileServer { connection in
                while let request = connection.readRequest() { connection.send(respond(request)) }
            }
            lists = try HostileServer { connection in
                while let request = connection.readRequest() { connection.send(respond(request)) }
            }
            answer.withLock { $0 = { [self] in self.answer(to: $0) } }
        }

        func expire() { state.withLock { $0.access = "" } }
        /// The person logs in anew.
        func give(_ refresh: String) { state.withLock { $0.refresh = refresh } }

        private func answer(to request: HostileServer.Received) -> String {
            state.withLock { state in
                if request.line.hasPrefix("POST /oauth/token ") {
                    let refresh = state.refresh.addingPercentEncoding(
                        withAllowedCharacters: .alphanumerics.union(["-"]))
                    let form =
                        "grant_type=refresh_token&refresh_token=\(refresh ?? "")&client_id=syncd&client_secret=of%20ours"
                    guard request.body == form else {
                        return Self.answer("400 Bad Request", #"{"error":"invalid_grant"}"#)
                    }
                    state.given += 1
                    (state.access, state.refresh) = ("access-\(state.given)", "next-\(state.given)")
                    return Self.answer(
                        "200 OK",
                        #"{"access_token":"\#(state.access)","refresh_token":"\#(state.refresh)"}"#)
                }
                guard request.fields.contains("Authorization: Bearer \(state.access)") else {
                    return Self.answer("401 Unauthorized", "{}")
                }
                return Self.answer("200 OK", #"[{"id":1,"title":"a"}]"#)
            }
        }

        private static func answer(_ status: String, _ body: String) -> String {
            "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }

    private static func stage(_ office: Office) throws -> (stage: Stage, token: String) {
        let stage = try Stage()
        let token = try stage.write("first/of+all\n", to: "secrets/refresh")
        let client = try stage.write("of ours\n", to: "secrets/client")
        try stage.write(
            """
            {"servers": {"cloud": {
                "baseURL": "http://127.0.0.1:\(office.lists.port)/v1", "headers": {"X-Key": "k"},
                "auth": {"kind": "refresh", "path": "http://127.0.0.1:\(office.tokens.port)/oauth/token",
                    "send": {"grant_type": "refresh_token", "refresh_token": "@token",
                             "client_id": "syncd", "client_secret": "@secret"},
                    "tokenFile": "\(token)", "secretFile": "\(client)"}}}}
            """, to: stage.configuration)
        try stage.write(
            """
            {"server": "cloud", "list": "/notes", "id": "$.id",
             "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/notes.json")
        return (stage, token)
    }

    @Test func `each run goes on with the token of the last one, and its file stays as it was`()
        async throws
    {
        let office = try Office()
        let (stage, token) = try Self.stage(office)
        for _ in 1...3 {
            office.expire()
            let synced = try await stage.syncd("sync")
            #expect(synced.code == 0, "\(synced.errors)")
        }
        #expect(office.tokens.received.count == 3)
        #expect(try String(contentsOfFile: token, encoding: .utf8) == "first/of+all\n")
        // Fields of the server are not for others.
        #expect(!office.tokens.received.contains { $0.fields.contains("X-Key: k") })
        #expect(office.lists.received.allSatisfy { $0.fields.contains("X-Key: k") })
        let servers = try await stage.syncd("config", "servers")
        #expect(servers.output.contains("\"kind\": \"refresh\""), "\(servers.output)")
        #expect(servers.output.contains("\"secretFile\": "))
        let shown = try await stage.syncd("lists", "show", "notes")
        #expect(shown.code == 0)
    }

    @Test func `a refusal names the file for the token of a new login, which is tried at once`()
        async throws
    {
        let office = try Office()
        let (stage, token) = try Self.stage(office)
        #expect(try await stage.syncd("sync").code == 0)
        office.expire()
        office.give("of/another login")
        let refused = try await stage.syncd("sync")
        #expect(refused.code == 77)
        #expect(
            refused.errors == """
                syncd: notes: needs credentials: \
                POST http://127.0.0.1:\(office.tokens.port)/oauth/token was answered 400: \
                invalid_grant. Put the refresh token of a new login into \(token), \
                then run `syncd login cloud`.

                """)
        let declared = try await stage.syncd(
            "declare", "http://127.0.0.1:\(office.lists.port)/v1/notes", "--server", "cloud")
        #expect(
            declared.errors.contains(
                "Put the refresh token of a new login where servers.cloud.auth.tokenFile says."),
            "\(declared.errors)")
        // The newest one and the one before it.
        let asked = office.tokens.received.count
        #expect(asked == 3)
        #expect(try await stage.syncd("sync").code == 77)
        #expect(office.tokens.received.count == asked)
        let client = (token as NSString).deletingLastPathComponent + "/client"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: client)
        let readable = try await stage.syncd("sync")
        #expect(readable.code == 78)
        #expect(readable.errors.contains("secretFile"), "\(readable.errors)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: client)
        office.give("second")
        try stage.write("second\n", to: "secrets/refresh")
        let login = try await stage.syncd("login", "cloud")
        #expect(login.code == 0, "\(login.errors)")
        #expect(login.errors == "syncd: logged in at http://127.0.0.1:\(office.lists.port)/v1\n")
        #expect(try await stage.syncd("sync").code == 0)
    }
}
