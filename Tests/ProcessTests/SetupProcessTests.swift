import Foundation
import Glibc
import Testing

/// The first run: from nothing to a configuration that works.
@Suite(.timeLimit(.minutes(2))) struct SetupProcessTests {
    @Test func `what it writes works, and only its owner reads it`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.writeSecrets(mode: 0o644)
        let ended = try await stage.setup(Stage.setupOptions(address))
        // They were readable for everybody on purpose; the search for secrets is for what is left.
        for name in ["movies-token", "password"] { unlink(stage.root + "/" + name) }
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.errors.contains("logged in as demo@example.com"))
        let folder = stage.root + "/config/syncd"
        #expect(try stage.mode(of: folder) == 0o700)
        for name in ["config.json", "movies-token", "todos-password"] {
            #expect(try stage.mode(of: folder + "/" + name) == 0o600, "\(name)")
        }
        let written = String(decoding: try stage.bytes(of: stage.configuration), as: UTF8.self)
        #expect(!written.contains("\"\(try DemoAccount.read().password)\""))
        #expect(try await stage.syncd("sync").code == 0)
    }

    @Test func `two configurations in one directory keep a password and a token each`()
        async throws
    {
        let stage = try Stage()
        for name in ["a.json", "b.json", "config.json"] {
            try stage.write("token-of-\(name)\n", to: "movies-token")
            try stage.write("password of \(name)\n", to: "password")
            let ended = try await stage.setup(
                ["--config", "D/" + name, "--no-check"] + Stage.setupOptions("http://127.0.0.1:1"))
            #expect(ended.code == 0, "\(ended.errors)")
        }
        for (name, prefix) in [
            ("a.json", "a.json."), ("b.json", "b.json."), ("config.json", ""),
        ] {
            for (secret, text) in [
                ("movies-token", "token-of-"), ("todos-password", "password of "),
            ] {
                let path = stage.root + "/D/" + prefix + secret
                #expect(try stage.bytes(of: path) == Data("\(text)\(name)\n".utf8))
                #expect(try stage.mode(of: path) == 0o600)
                let written = String(
                    decoding: try stage.bytes(of: stage.root + "/D/" + name), as: UTF8.self)
                #expect(written.contains("\"\(path)\""), "\(written)")
            }
        }
    }

    @Test func `a configuration elsewhere is named by what is to be run next`() async throws {
        let stage = try Stage()
        for name in ["movies-token", "password"] { try stage.write("secret", to: name) }
        let others = ["--no-check"] + Stage.setupOptions("http://127.0.0.1:1")
        let refused = try await stage.setup(["--config", "my own.json", "--enable"] + others)
        #expect(refused.code == 64)
        #expect(refused.errors.contains("--enable starts the service"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: stage.root + "/my own.json"))
        let ended = try await stage.setup(["--config", "my own.json"] + others)
        #expect(ended.code == 0, "\(ended.errors)")
        let option = "--config '\(stage.root)/my own.json'"
        #expect(ended.errors.contains("next: `syncd sync \(option)` syncs once"), "\(ended.errors)")
        // Nothing is asked of the service manager, which would start another configuration.
        #expect(!ended.errors.contains("systemctl"))
        #expect(try await stage.syncd("config", "--config", "my own.json").code == 0)
    }

    @Test func `a configuration that is there stays, unless it is to be replaced`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.writeSecrets()
        try stage.configure(address)
        let before = try stage.bytes(of: stage.configuration)
        let ended = try await stage.setup(Stage.setupOptions(address))
        #expect(ended.code == 65 && ended.errors.contains("--replace"), "\(ended.errors)")
        #expect(try stage.bytes(of: stage.configuration) == before)
        let second = try await stage.setup(["--replace"] + Stage.setupOptions(address))
        #expect(second.code == 0, "\(second.errors)")
        #expect(try stage.bytes(of: stage.configuration) != before)
    }

    @Test func `credentials that are refused are told, and nothing is written`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.write("not it", to: "password")
        let ended = try await stage.setup(["--no-movies"] + Stage.setupOptions(address))
        #expect(ended.code == 77, "\(ended.errors)")
        #expect(!ended.errors.contains("not it"))
        #expect(!FileManager.default.fileExists(atPath: stage.root + "/config/syncd"))
    }

    @Test func `a server that is away is 69, and without asking it the files are written`()
        async throws
    {
        let stage = try Stage()
        try stage.writeSecrets()
        // Nobody listens on port 1.
        let away = Stage.setupOptions("http://127.0.0.1:1")
        #expect(try await stage.setup(away).code == 69)
        #expect(!FileManager.default.fileExists(atPath: stage.configuration))
        #expect(try await stage.setup(["--no-check"] + away).code == 0)
        #expect(try await stage.syncd("config").code == 0)
    }

    @Test func `an account is made, with its password from standard input`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let ended = try await stage.setup(
            [
                "--no-movies", "--create-account", "--todos-url", address,
                "--email", "ada@example.com", "--password-file", "-",
            ], input: "a new one\n")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try await stage.syncd("login").code == 0)
    }

    @Test func `Ctrl-C at a hidden question ends it, and nothing is written`() async throws {
        let stage = try Stage()
        let terminal = try PseudoTerminal(columns: 100)
        let child = try stage.startSession(
            [
                "setup", "--no-movies", "--no-check", "--todos-url", "http://127.0.0.1:1",
                "--email",
                "a@b.example",
            ],
            at: terminal)
        try #require(await terminal.shows("(not shown): "))
        try terminal.type("half\u{3}")
        #expect(await child.ending() == .exited(130))
        #expect(!(await terminal.transcript()).contains("half"))
        #expect(!FileManager.default.fileExists(atPath: stage.root + "/config/syncd"))
    }

    @Test(arguments: [
        (["--no-movies", "--no-todos"], "nothing to sync"),
        (["--movies-token-file", "-", "--password-file", "-"], "only one secret"),
        (
            ["--no-movies", "--todos-url", "http://127.0.0.1:1", "--email", "a@example.com"],
            "--password-file is missing"
        ),
    ])
    func `what is missing or cannot be is 64`(options: [String], sentence: String) async throws {
        let stage = try Stage()
        let ended = try await stage.setup(options)
        #expect(ended.code == 64 && ended.errors.contains(sentence), "\(ended.errors)")
    }

    @Test(arguments: [
        (["--movies-url", "ftp://x"], "--movies-url: the base URL does not begin with http", 78),
        (["--movies-url", "http://127.0.0.1:1"], "--movies-url: no connection", 69),
        (["--movies-token-file", "wrong"], "--movies-token-file: GET http", 77),
        (["--todos-url", "http://127.0.0.1:1"], "--todos-url: no connection", 69),
        (["--email", "nobody"], "--email: todos.email must be 3 to 254 bytes", 78),
        (["--password-file", "wrong"], "--email and --password-file: POST http", 77),
        (["--password-file", "empty"], "--password-file: the password cannot be used", 65),
        (["--database", "config"], "--database: the database cannot be used", 78),
    ])
    func `an answer that fails names its option, and nothing is written`(
        option: [String], sentence: String, code: Int32
    ) async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.writeSecrets()
        try stage.write("not-it\n", to: "wrong")
        try stage.write("", to: "empty")
        try stage.write("", to: "config/other")
        // Of an option that is given twice, the last value counts.
        let ended = try await stage.setup(Stage.setupOptions(address) + option)
        #expect(ended.code == code, "\(ended.errors)")
        #expect(ended.errors.contains("syncd: " + sentence), "\(ended.errors)")
        #expect(!ended.errors.contains("config.json:") && !ended.errors.contains("not-it"))
        #expect(!FileManager.default.fileExists(atPath: stage.root + "/config/syncd"))
    }

    @Test func `a server elsewhere without TLS is refused before it is asked`() async throws {
        let stage = try Stage()
        try stage.writeSecrets()
        let ended = try await stage.setup(Stage.setupOptions("http://todos.example.com"))
        #expect(ended.code == 78 && ended.errors.contains("https"), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: stage.configuration))
    }
}
