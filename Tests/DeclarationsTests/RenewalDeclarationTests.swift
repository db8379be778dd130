import Declarations
import Testing
import Text

/// A server whose tokens are renewed by another token.
@Suite struct RenewalDeclarationTests {
    private func renewal(
        _ members: String, kind: String = "refresh"
    ) throws -> (LoginDescription?, ServerDescription.SecretPlace?, [String]) {
        let whole = """
            {"server": {"baseURL": "https://example.org", "auth": {"kind": "\(kind)", \(members)}},
             "list": "/l", "id": "$.id", "columns": {"a": "text $.a"}}
            """
        do {
            let server = try Declaration.read(
                Array(whole.utf8), name: ListName("notes"), rules: .lenient
            ).server
            guard case .login(let login, let secret)? = server?.authentication else {
                return (nil, nil, [])
            }
            return (login, secret, [])
        } catch let error as DeclarationError {
            return (nil, nil, error.problems.map(\.sentence))
        }
    }

    @Test func `what is left out is as OAuth 2 has it`() throws {
        let (found, secret, problems) = try renewal(#""path": "/token", "tokenFile": "/f""#)
        #expect(problems == [])
        let login = try #require(found)
        #expect(secret == .file("/f"))
        #expect(login.renewal?.clientSecret == nil)
        guard case .form(let fields) = login.body else {
            Issue.record("\(login.body)")
            return
        }
        #expect(fields.map(\.name) == ["grant_type", "refresh_token"])
        #expect(fields.map { login.filled($0.value, with: .init("r")) } == ["refresh_token", "r"])
        let answer = #"{"access_token": "a", "refresh_token": "b", "token_type": "Bearer"}"#
        let tokens = login.tokens(in: Array(answer.utf8))
        #expect(tokens?.token == "a" && tokens?.next == "b")
        #expect(login.tokens(in: Array(#"{"access_token": "a"}"#.utf8))?.next == nil)
        #expect(login.tokens(in: Array(#"{"refresh_token": "b"}"#.utf8)) == nil)
    }

    @Test func `what is usually sent can go as JSON, too`() throws {
        let (found, _, _) = try renewal(#""path": "/token", "as": "json", "tokenFile": "/f""#)
        guard case .json(let node)? = found?.body else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(
            found?.filled(node, with: .init("r")).compact
                == #"{"grant_type":"refresh_token","refresh_token":"r"}"#)
    }

    @Test func `each mistake of it is told at once`() throws {
        let problems = try renewal(#""tokenFile": "f", "as": "xml", "status": 7"#).2
        #expect(problems.count == 4, "\(problems)")
        let login = try renewal(#""user": "me", "tokenFile": "/f", "status": 7"#, kind: "login").2
        #expect(login.contains { $0.contains("status must be") }, "\(login)")
    }

    @Test func `the call can be elsewhere, send JSON, and name the client`() throws {
        let (found, _, problems) = try renewal(
            #""path": "https://accounts.example.org/token", "as": "json", "token": "$.t", "next": "$.n""#
                + #", "send": {"old": "@token", "who": ["syncd", "@secret"], "mail": "@user"}"#
                + #", "secretFile": "/s", "tokenFile": "/f", "status": 403, "prefix": """#)
        #expect(problems == [])
        let login = try #require(found)
        #expect(login.path == "https://accounts.example.org/token")
        #expect(login.status == 403 && login.prefix.isEmpty)
        #expect(login.renewal?.clientSecret == .file("/s"))
        guard case .json(let node) = login.body else {
            Issue.record("\(login.body)")
            return
        }
        let filled = login.filled(node, with: .init("r", client: "c")).lines
        #expect(
            String(decoding: filled, as: UTF8.self) == """
                {
                  "old": "r",
                  "who": ["syncd", "c"],
                  "mail": "@user"
                }

                """)
        let shown = login.members.filter { $0.node != nil }.map(\.key)
        #expect(shown == ["path", "send", "as", "token", "next", "status", "prefix"])
    }

    @Test(arguments: [
        (#""tokenFile": "/f""#, "server.auth.path is not set"),
        (#""path": "token", "tokenFile": "/f""#, "server.auth.path must be a path"),
        (#""path": "/t", "token": "$.t[", "tokenFile": "/f""#, "server.auth.token"),
        (#""path": "/t", "user": "me", "tokenFile": "/f""#, "not known"),
        (
            #""path": "/t", "send": {"a": "b"}, "tokenFile": "/f""#,
            "server.auth.send sends no token"
        ),
        (
            #""path": "/t", "send": "basic", "tokenFile": "/f""#,
            "server.auth.send must be an object"
        ),
        (
            #""path": "/t", "send": {"a": "@token", "b": "@secret"}, "tokenFile": "/f""#,
            #"server.auth.send has "@secret", and server.auth.secretFile is not set"#
        ),
        (
            #""path": "/t", "secretFile": "/s", "tokenFile": "/f""#,
            "server.auth.secretFile names a secret that server.auth.send does not send"
        ),
        (#""path": "/t", "tokenFile": "hunter2""#, "server.auth.tokenFile must be an absolute"),
    ])
    func `what is wrong with it is told, and no secret`(members: String, word: String) throws {
        let problems = try renewal(members).2
        #expect(problems.count == 1)
        #expect(problems.first?.contains(word) ?? false, "\(problems)")
        #expect(!problems.joined().contains("hunter2"))
    }

    @Test func `plain HTTP to another machine is refused for its address, too`() throws {
        let rules = ServerDescription.Rules(
            problem: { $0.hasPrefix("http:") ? ("is not safe", "Use https.") : nil },
            isOwnMachine: { _ in false })
        let text =
            #"{"a": {"baseURL": "https://a", "auth": {"kind": "refresh", "path": "http://b/t", "tokenFile": "/f"}}}"#
        let node = try JSONReader.read(Array(text.utf8))
        #expect {
            try ServerDescription.section(node, in: Array(text.utf8), rules: rules)
        } throws: { error in
            (error as? DeclarationError)?.problems.map(\.sentence)
                == ["servers.a.auth.path is not safe"]
        }
    }
}
