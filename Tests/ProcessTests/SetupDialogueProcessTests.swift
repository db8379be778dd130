import Foundation
import Glibc
import Testing

/// The first run at a terminal: each answer is tried where it is given.
@Suite(.timeLimit(.minutes(3))) struct SetupDialogueProcessTests {
    private static let moviesURL = "the movies' base URL, or none [https://api.themoviedb.org/3]: "
    private static let token = "the movies' read token (not shown): "
    private static let todosURL = "the todos' base URL, or none: "
    private static let email = "the account's e-mail: "
    private static let keep = "keep it all the same? y or n [n]: "
    private static let away = "Check the network and the base URL.\r\n" + keep

    private static func password(_ email: String) -> String {
        "the password of \(email) (not shown): "
    }

    private static let again = "the password of ada@example.com again (not shown): "

    /// Nobody listens on port 1.
    private static let nobody = "http://127.0.0.1:1"

    @Test func `an answer that fails is told in a sentence, and asked for again`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let password = Self.password(DemoAccount.email)
        let (transcript, ending) = try await stage.setup(
            [],
            at: [
                (Self.moviesURL, Self.nobody), (Self.away, ""),
                (Self.keep + "\r\n" + Self.moviesURL, address),
                ("Check that the base URL leads to the API.\r\n" + Self.moviesURL, address + "/3"),
                (Self.token, "not-this-one"),
                (
                    "was answered 401: This key is not known here. (code 7)\r\n" + Self.token,
                    stage.account.token
                ),
                ("upcoming movies", nil), (Self.todosURL, ""),
                ("nothing was typed\r\n" + Self.todosURL, "ftp://todos.example.com"),
                (
                    "Write the address like https://example.com/api.\r\n" + Self.todosURL,
                    "http://todos.example.com"
                ), ("on another machine and has no TLS. Use https", nil),
                ("if the network is trusted.\r\n" + Self.todosURL, address),
                (Self.email, "nobody"), ("not \"nobody\"\r\n" + Self.email, DemoAccount.email),
                (password, "not this one"),
                ("create the account demo@example.com there? y or n [n]: ", ""),
                ("the account's e-mail [demo@example.com]: ", ""),
                ("[demo@example.com]: \r\n" + password, stage.account.password),
                ("logged in as demo@example.com", nil),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(!transcript.contains("not-this-one") && !transcript.contains("not this one"))
        // Nothing is said of a file that is not written yet.
        #expect(
            !transcript.contains("config.json:") && !transcript.contains("in the configuration"))
        #expect(try await stage.syncd("sync").code == 0)
    }

    @Test func `what is said at 60 columns is broken between words`() async throws {
        let stage = try Stage()
        let (transcript, _) = try await stage.setup(
            ["--no-movies"],
            at: [
                (Self.todosURL, "http://todos.example.com"),
                ("trusted.\r\n" + Self.todosURL, "none"),
            ], columns: 60)
        let lines = Screen(transcript).lines
        let start = try #require(lines.firstIndex { $0.hasPrefix("todos.baseURL is ") }, "\(lines)")
        let told = lines[start...].prefix { !$0.hasPrefix("the todos' base URL") }
        for line in told { #expect(line.count <= 60, "\(line)") }
        #expect(
            told.joined(separator: " ") == """
                todos.baseURL is http://todos.example.com, which is on another machine and has no TLS. \
                Use https, or add "http://todos.example.com" to http.allowInsecure if the network is \
                trusted.
                """)
    }

    @Test func `the account is created on the way, where the login is refused`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let secret = "correct horse"
        let password = Self.password("ada@example.com")
        let refused =
            "\(password)\r\nPOST \(address)/login was answered 401: Unauthorized\r\n"
            + "create the account ada@example.com there? y or n [n]: "
        let (transcript, ending) = try await stage.setup(
            ["--no-movies", "--todos-url", address],
            at: [
                (Self.email, "ada@example.com"), (password, secret), (refused, "y"),
                // Enter alone asks the same again.
                (Self.again, ""), (Self.again + "\r\n" + Self.again, "another"),
                (
                    "the two inputs differ: the password of ada@example.com is asked for once more\r\n"
                        + "the account's e-mail [ada@example.com]: ", ""
                ),
                ("[ada@example.com]: \r\n" + password, secret),
                ("[ada@example.com]: \r\n" + refused, "y"),
                ("[ada@example.com]: \r\n" + refused + "y\r\n" + Self.again, secret),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(transcript.contains("created the account ada@example.com"))
        #expect(transcript.contains("logged in as ada@example.com"))
        #expect(!transcript.contains(secret))
        #expect(try await stage.syncd("login").code == 0)
    }

    @Test func `with --create-account the password is typed twice, and nothing is asked about it`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let (transcript, ending) = try await stage.setup(
            ["--create-account"],
            at: [
                (Self.moviesURL, "none"), (Self.todosURL, address),
                (Self.email, "ada@example.com"),
                (Self.password("ada@example.com"), "correct horse"), (Self.again, "correct horse"),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(transcript.contains("logged in as ada@example.com"))
        #expect(try await stage.syncd("login").code == 0)
    }

    @Test func `an answer is kept all the same where the server is away`() async throws {
        let stage = try Stage()
        let (transcript, ending) = try await stage.setup(
            ["--no-movies"],
            at: [
                (Self.todosURL, Self.nobody), (Self.away, "y"), (Self.email, "ada@example.com"),
                (Self.password("ada@example.com"), "correct horse"),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(try await stage.syncd("config", "todos.baseURL").output == Self.nobody + "\n")
    }

    @Test func `before a token of TMDB is asked for, one sentence says where it comes from`()
        async throws
    {
        let stage = try Stage()
        let sentence = "A token of TMDB is the API Read Access Token at themoviedb.org: "
        let (transcript, ending) = try await stage.setup(
            ["--no-todos", "--no-check"],
            at: [
                (Self.moviesURL, ""),
                (sentence + "account settings, API.\r\n" + Self.token, "eyJhbGciOi"),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(transcript.components(separatedBy: "themoviedb.org: ").count == 2)
    }

    @Test func `what is there is offered, and Enter keeps all of it`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address, extra: ", \"log\": {\"level\": \"debug\"}")
        let before = try stage.configured()
        let text = try stage.bytes(of: stage.configuration)
        let kept = "(not shown; Enter keeps the present one): "
        let (transcript, ending) = try await stage.setup(
            ["--replace"],
            at: [
                ("the movies' base URL, or none [\(address)/3]: ", ""),
                ("the movies' read token \(kept)", ""), ("upcoming movies", nil),
                ("the todos' base URL, or none [\(address)]: ", ""),
                ("the account's e-mail [demo@example.com]: ", ""),
                ("the password of demo@example.com \(kept)", ""),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(try stage.configured() == before)
        #expect(try stage.bytes(of: stage.configuration + ".bak") == text)
        #expect(try stage.mode(of: stage.configuration + ".bak") == 0o600)
    }

    @Test func `a secret is not kept for another server`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(Self.nobody)
        let (transcript, ending) = try await stage.setup(
            ["--replace", "--no-movies"],
            at: [
                ("the todos' base URL, or none [\(Self.nobody)]: ", address),
                (Self.email, DemoAccount.email),
                (Self.password(DemoAccount.email), stage.account.password),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(transcript.contains("logged in as demo@example.com"))
    }

    @Test func `a cache of another account stays, and this one gets its own`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        try FileManager.default.removeItem(atPath: stage.configuration)
        let free = stage.root + "/state/syncd/ada@example.com.sqlite"
        let (transcript, ending) = try await stage.setup(
            ["--no-movies", "--create-account", "--todos-url", address],
            at: [
                (Self.email, "ada@example.com"),
                (Self.password("ada@example.com"), "correct horse"), (Self.again, "correct horse"),
                ("is the cache of demo@example.com at \(address), not of ada@example.com", nil),
                ("`syncd cache reset` sets it aside", nil),
                ("where this account's cache goes [\(free)]: ", stage.cache),
                ("\(stage.cache)\r\n\(stage.cache) is the cache of demo@example.com", nil),
                ("not of ada@example.com at \(address)\r\nwhere this account's cache", ""),
            ])
        #expect(ending == .exited(0), "\(transcript)")
        #expect(try await stage.syncd("config", "database").output == free + "\n")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.syncd("status", "--max-age", "1h").code == 0)
    }
}
