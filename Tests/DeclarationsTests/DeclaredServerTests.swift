import Declarations
import Testing
import Text

@Suite struct `a server in a declaration` {
    private func server(_ text: String) throws -> (ServerDescription?, [String]) {
        let whole = """
            {"server": \(text), "list": "/l", "id": "$.id", "columns": {"a": "text $.a"}}
            """
        do {
            return (
                try Declaration.read(
                    Array(whole.utf8), name: ListName("notes"), rules: .lenient
                ).server, []
            )
        } catch let error as DeclarationError {
            return (nil, error.problems.map(\.sentence))
        }
    }

    @Test func `says where it is and who asks`() throws {
        let (found, _) = try server(
            """
            {"baseURL": "https://example.org", "concurrency": 2, "account": "me",
             "headers": {"Accept": "application/json"},
             "auth": {"kind": "header", "name": "X-Auth", "prefix": "Token ", "valueFile": "/f"}}
            """)
        let server = try #require(found)
        #expect(server.baseURL == "https://example.org")
        #expect(server.concurrency == 2 && server.account == "me")
        #expect(server.headers.map(\.name) == ["Accept"])
        #expect(server.headers.map(\.value) == ["application/json"])
        #expect(
            server.authentication
                == .header(name: "X-Auth", prefix: "Token ", .file("/f")))
    }

    @Test func `can say whose a credential is`() throws {
        let (found, _) = try server(
            #"{"baseURL": "https://a", "whoami": {"path": "/users/me?x=1", "id": "$.data.id"}}"#)
        let whoami = try #require(found?.whoami)
        #expect(whoami.path == "/users/me?x=1")
        #expect(whoami.account(in: Array(#"{"data": {"id": "ann"}}"#.utf8)) == "ann")
        #expect(whoami.account(in: Array(#"{"data": {"id": 17}}"#.utf8)) == "17")
        for answer in [#"{"data": {"id": null}}"#, #"{"data": {"id": ""}}"#, "{}", "no JSON"] {
            #expect(whoami.account(in: Array(answer.utf8)) == nil)
        }
    }

    @Test(arguments: [
        (#"{"id": "$.login"}"#, "server.whoami.path is not set"),
        (#"{"path": "/user"}"#, "server.whoami.id is not set"),
        (#"{"path": "//other/user", "id": "$.login"}"#, "server.whoami.path must be"),
        (#"{"path": "/user", "id": "login"}"#, "server.whoami.id"),
        (#""/user""#, "server.whoami must be an object"),
    ])
    func `says what is wrong with the call that says whose a credential is`(
        text: String, problem: String
    ) throws {
        let (_, problems) = try server(#"{"baseURL": "https://a", "whoami": \#(text)}"#)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
    }

    @Test(arguments: [
        (
            #"{"kind": "bearer", "tokenFile": "/f"}"#,
            ServerDescription.Authentication.bearer(.file("/f"))
        ),
        (#"{"kind": "bearer"}"#, .bearer(.credential)),
        (#"{"kind": "query", "name": "k", "valueFile": "~/f"}"#, .query(name: "k", .file("~/f"))),
        (#"{"kind": "basic", "user": "me", "password": "p"}"#, .basic(user: "me", .inline("p"))),
    ])
    func `has one of four kinds of authentication`(
        text: String, authentication: ServerDescription.Authentication
    ) throws {
        let (found, problems) = try server(
            #"{"baseURL": "http://127.0.0.1:8080", "auth": \#(text)}"#)
        #expect(problems == [])
        #expect(found?.authentication == authentication)
    }

    @Test(arguments: [
        (#"{}"#, "server.baseURL is not set"),
        (#"{"baseURL": "me:secret@host"}"#, "server.baseURL is no address"),
        (#"{"baseURL": 5}"#, "server.baseURL must be an address"),
        (
            #"{"baseURL": "https://a", "auth": {"kind": "bearer", "token": "secret"}}"#,
            "server.auth.token holds a secret for a server on another machine"
        ),
        (
            #"{"baseURL": "https://a", "auth": "secret"}"#,
            "server.auth must be an object whose kind is bearer, header, query, basic, login or refresh"
        ),
        (
            #"{"baseURL": "https://a", "auth": {"kind": "secret"}}"#,
            "server.auth must be an object whose kind is bearer, header, query, basic, login or refresh"
        ),
        (
            #"{"baseURL": "http://127.0.0.1", "auth": {"kind": "bearer", "token": "secret", "tokenFile": "/f"}}"#,
            "one secret has two sources: server.auth.token and server.auth.tokenFile"
        ),
        (
            #"{"baseURL": "https://a", "auth": {"kind": "bearer", "tokenFile": "secret"}}"#,
            "server.auth.tokenFile must be an absolute path, or one that begins with ~/"
        ),
        (
            #"{"baseURL": "https://a", "auth": {"kind": "query", "valueFile": "/f"}}"#,
            "server.auth.name is not set"
        ),
        (
            #"{"baseURL": "https://a", "auth": {"kind": "basic", "passwordFile": "/f"}}"#,
            "server.auth.user is not set"
        ),
        (
            #"{"baseURL": "https://a", "concurrency": 17}"#,
            "server.concurrency must be a whole number from 1 to 16, not 17"
        ),
        (
            #"{"baseURL": "https://a", "headers": {"Host": "b"}}"#,
            "server.headers.Host cannot be given: syncd sets Authorization, Content-Type, Cookie, Host"
                + " and the fields of a body's length itself"
        ),
    ])
    func `tells what is wrong, and no secret`(text: String, sentence: String) throws {
        let (_, problems) = try server(text)
        #expect(problems == [sentence])
        #expect(!problems.joined().contains("secret@") && !problems.joined().contains("\"secret"))
    }

    @Test(arguments: [
        ("", "Bearer "), (#", "prefix": "Token ""#, "Token "), (#", "prefix": """#, ""),
    ])
    func `has the word before a token that its login gave`(more: String, prefix: String) throws {
        let (found, problems) = try login(
            #""path": "/l", "user": "me", "passwordFile": "/f", "token": "$.t""# + more)
        #expect(problems == [])
        #expect(found?.prefix == prefix)
        let isShown = found?.members.contains { $0.key == "prefix" && $0.node != nil }
        #expect(isShown == !more.isEmpty)
    }

    private func login(_ members: String) throws -> (LoginDescription?, [String]) {
        let (server, problems) = try server(
            #"{"baseURL": "https://example.org", "auth": {"kind": "login", \#(members)}}"#)
        guard case .login(let login, let secret)? = server?.authentication else {
            return (nil, problems)
        }
        #expect(secret == .file("/f"))
        return (login, problems)
    }

    private static let least =
        #""path": "/login", "user": "me", "passwordFile": "/f", "token": "$.data.access_token""#

    @Test func `a login sends name and password where the declaration says`() throws {
        let basic = try #require(try login(Self.least).0)
        #expect(basic.path == "/login" && basic.user == "me" && basic.status == 401)
        #expect(basic.body == .none)
        #expect(
            basic.tokens(in: Array(#"{"data": {"access_token": "t"}}"#.utf8))?.token == "t")
        for answer in ["", "[]", "null", #"{"data": []}"#, #"{"data": {"access_token": 1}}"#] {
            #expect(basic.tokens(in: Array(answer.utf8)) == nil, "\(answer)")
        }
        let json = try #require(
            try login(
                Self.least
                    + #", "send": {"login": {"name": "@user"}, "keys": ["@password", 1]}, "status": 403"#
            ).0)
        #expect(json.status == 403)
        guard case .json(let node) = json.body else {
            Issue.record("\(json)")
            return
        }
        #expect(
            String(decoding: json.filled(node, with: .init("a\"b")).lines, as: UTF8.self) == """
                {
                  "login": {
                    "name": "me"
                  },
                  "keys": ["a\\"b", 1]
                }

                """)
        let form = try #require(
            try login(
                Self.least
                    + #", "as": "form", "send": {"grant_type": "password", "password": "@password"}"#
            ).0)
        guard case .form(let fields) = form.body else {
            Issue.record("\(form)")
            return
        }
        #expect(fields.map(\.name) == ["grant_type", "password"])
        #expect(fields.map { form.filled($0.value, with: .init("p")) } == ["password", "p"])
    }

    @Test(arguments: [
        (#""user": "me", "passwordFile": "/f", "token": "$.t""#, "path is not set"),
        (#""path": "/l", "passwordFile": "/f", "token": "$.t""#, "user is not set"),
        (#""path": "/l", "user": "me", "passwordFile": "/f""#, "token is not set"),
        (
            #""path": "l", "user": "me", "passwordFile": "/f", "token": "$.t""#,
            "path must be a path"
        ),
        (#""path": "/l", "user": "a:b", "passwordFile": "/f", "token": "$.t""#, "user must be"),
        (
            #""path": "/l", "user": "me", "passwordFile": "/f", "token": "$.t", "send": {"a": "@user"}"#,
            "send sends no password"
        ),
        (
            #""path": "/l", "user": "me", "passwordFile": "/f", "token": "$.t", "send": "hunter2""#,
            "send must be"
        ),
        (
            #""path": "/l", "user": "me", "passwordFile": "/f", "token": "$.t", "as": "form", "send": {"a": ["@password"]}"#,
            "has a value that is no text"
        ),
        (
            #""path": "/l", "user": "me", "passwordFile": "/f", "token": "$.t", "status": 500"#,
            "status must be"
        ),
        (
            #""path": "/l", "user": "me", "passwordFile": "/f", "token": "$.t", "name": "x""#,
            "not known"
        ),
    ])
    func `a login that lacks something is told of, and no secret`(
        members: String, word: String
    ) throws {
        let problems = try login(members).1
        #expect(problems.contains { $0.contains(word) }, "\(problems)")
        #expect(!problems.contains { $0.contains("hunter2") })
    }
}
