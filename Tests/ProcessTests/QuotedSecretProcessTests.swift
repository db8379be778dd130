import Foundation
import HostileHTTP
import Testing

/// A server that knows the password of the todos and quotes it where no request of this process held it.
@Suite(.timeLimit(.minutes(5))) struct QuotedSecretProcessTests {
    private static let email = "eve@example.com"

    /// The canary of `scripts/canary-test`, if it runs this.
    private static func password(_ stage: Stage) -> String {
        DemoAccount.secretsFile == nil ? "canary-5f1d/0c+e" : stage.account.password
    }

    /// A password as a server may write it: as it came, in base64, in a URL, in JSON, in capitals.
    private static func forms(_ password: String) -> [String] {
        let base64 = Data(password.utf8).base64EncodedString()
        let pair = Data("\(email):\(password)".utf8).base64EncodedString()
        let url = password.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? password
        let json = password.replacingOccurrences(of: "/", with: #"\/"#)
        return [password, base64, pair, url, json, password.uppercased()]
    }

    private static func answer(
        _ status: String, _ body: String, fields: String = ""
    ) -> String {
        "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// Whatever is asked is answered with an error that holds `quote`, in each place that syncd shows.
    private static let answers: [String: @Sendable (String) -> String] = [
        "a reason": { answer("400 Bad Request", #"{"reason":"no: \#($0)","error":true}"#) },
        "an error of TMDB": {
            answer("401 Unauthorized", #"{"status_message":"no: \#($0)","status_code":7}"#)
        },
        "the keys of rows": { answer("200 OK", #"[{"\#($0)":1,"key":2}]"#) },
        "the page of a redirect": {
            answer("307 Temporary Redirect", "", fields: "Location: /x/\($0)\r\n")
        },
        "the host of a redirect": {
            answer("307 Temporary Redirect", "", fields: "Location: http://\($0).example/\r\n")
        },
        "a coding": { answer("200 OK", "[]", fields: "Content-Encoding: \($0)\r\n") },
        // The list is read, and the create refused.
        "a refused create": { answer("400 Bad Request", #"{"reason":"no: \#($0)"}"#) },
        "no HTTP": { "SSH-2.0-\($0)\r\n\r\n" },
    ]

    @Test(arguments: answers.keys.sorted())
    func `F9: a password that an answer quotes is neither stored, logged nor printed`(
        place: String
    ) async throws {
        let answer = try #require(Self.answers[place])
        let stage = try Stage()
        let password = Self.password(stage)
        let forms = Self.forms(password)
        // A field of a header holds no text of several words.
        let isText = ["a reason", "an error of TMDB", "the keys of rows", "a refused create"]
            .contains(place)
        let quote = isText ? forms.joined(separator: " ") : password
        let server = try HostileServer { connection in
            guard let request = connection.readRequest() else { return }
            let isList = place == "a refused create" && request.line.hasPrefix("GET /todos")
            connection.send(isList ? Self.answer("200 OK", "[]") : answer(quote))
            connection.finish()
        }
        let address = "http://127.0.0.1:\(server.port)"
        let path = try stage.write(password, to: "secrets/password")
        try stage.write("movies-token-1", to: "secrets/movies-token")
        try stage.write(
            """
            {"movies": {"baseURL": "\(address)/3",
                        "tokenFile": "\(stage.root)/secrets/movies-token"},
             "todos": {"baseURL": "\(address)", "email": "\(Self.email)",
                       "passwordFile": "\(path)"},
             "database": "\(stage.root)/state/syncd/\(server.port).sqlite",
             "log": {"level": "debug"}}
            """, to: stage.configuration)
        // A token of an earlier process: this one logs in nowhere, and sends no password.
        try stage.write(
            #"{"baseURL":"\#(address)","email":"\#(Self.email)","token":"stored-token-1"}"#,
            to: "state/syncd/token.json")
        let added = try await stage.syncd("todo", "add", "milk")
        try #require(added.code == 0, "\(added.errors)")
        let finished = [
            try await stage.syncd("sync"), try await stage.syncd("status", "--json"),
            try await stage.syncd("outbox", "list"), try await stage.syncd("check"),
            try await stage.run(
                .sqlite3, ["\(stage.root)/state/syncd/\(server.port).sqlite", ".dump"]),
        ]
        #expect(finished[0].code != 0)
        #expect(finished[4].output.contains("milk"))
        let shown = finished.map { ($0.output + $0.errors).lowercased() }
        // A host ends at a slash: not even that part is told.
        for form in forms + password.split(separator: "/").prefix(1).map(String.init) {
            #expect(shown.allSatisfy { !$0.contains(form.lowercased()) }, "\(form): \(shown)")
        }
    }

    @Test func `F9: the daemon's log and its status hold no password that both servers quote`()
        async throws
    {
        let stage = try Stage()
        let password = Self.password(stage)
        let answer = try #require(Self.answers["a reason"])
        let server = try HostileServer.answering(answer(password))
        let address = "http://127.0.0.1:\(server.port)"
        let path = try stage.write(password, to: "secrets/password")
        try stage.write("movies-token-1", to: "secrets/movies-token")
        try stage.write(
            """
            {"movies": {"baseURL": "\(address)/3", "tokenFile": "\(stage.root)/secrets/movies-token"},
             "todos": {"baseURL": "\(address)", "email": "\(Self.email)", "passwordFile": "\(path)"},
             "log": {"level": "debug"}}
            """, to: stage.configuration)
        try stage.write(
            #"{"baseURL":"\#(address)","email":"\#(Self.email)","token":"stored-token-1"}"#,
            to: "state/syncd/token.json")
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(await log.line(holding: "[redacted]") != nil)
        #expect(try await stage.syncd("sync", "--timeout", "60").code != 0)
        let stored = try await stage.sqlite("SELECT group_concat(last_error) FROM sync_status")
        #expect(stored.output.components(separatedBy: "[redacted]").count > 2)
        #expect((log.lines + [stored.output]).allSatisfy { !$0.contains(password) })
    }
}
