import Foundation
import Glibc
import Testing

/// `setup --replace` without a terminal: what no option gives stays as it is.
@Suite(.timeLimit(.minutes(2))) struct SetupReplaceProcessTests {
    private static let others = """
        , "log": {"level": "debug"}, "database": null
        """

    @Test func `what no option gives stays, and the old configuration is kept`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address, extra: Self.others)
        let text = try stage.bytes(of: stage.configuration)
        try stage.write("correct horse\n", to: "password")
        let ended = try await stage.setup([
            "--replace", "--create-account", "--email", "ada@example.com", "--password-file",
            "password",
        ])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.errors.contains("wrote \(stage.configuration).bak"))
        #expect(try stage.bytes(of: stage.configuration + ".bak") == text)
        let password = stage.root + "/config/syncd/todos-password"
        let expected: NSDictionary = [
            "movies": ["baseURL": address + "/3", "token": stage.account.token],
            "todos": ["baseURL": address, "email": "ada@example.com", "passwordFile": password],
            "http": ["timeout": "10s", "connectTimeout": "10s"],
            "log": ["level": "debug"], "database": NSNull(),
        ]
        #expect(try stage.configured() == expected)
        #expect(try stage.bytes(of: password) == Data("correct horse\n".utf8))
    }

    @Test func `a list that is left out keeps its other keys`() async throws {
        let stage = try Stage()
        try stage.write(
            #"{"movies": {"region": "DE", "token": "demo"}, "todos": {"enabled": false}}"#,
            to: stage.configuration, mode: 0o644)
        try stage.write("p\n", to: "password")
        let ended = try await stage.setup([
            "--replace", "--no-check", "--no-movies", "--todos-url", "http://127.0.0.1:1",
            "--email", "ada@example.com", "--password-file", "password",
        ])
        #expect(ended.code == 0, "\(ended.errors)")
        let expected: NSDictionary = [
            "movies": ["region": "DE", "token": "demo", "enabled": false],
            "todos": [
                "baseURL": "http://127.0.0.1:1", "email": "ada@example.com",
                "passwordFile": stage.root + "/config/syncd/todos-password",
            ],
        ]
        #expect(try stage.configured() == expected)
        // Who could read it before can read it still, and its copy.
        for path in [stage.configuration, stage.configuration + ".bak"] {
            #expect(try stage.mode(of: path) == 0o644)
        }
    }

    @Test func `the token of an account that was there goes with it`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("login").code == 0)
        let token = stage.root + "/state/syncd/token.json"
        // The same account: it stays.
        #expect(try await stage.setup(["--replace"]).code == 0)
        #expect(FileManager.default.fileExists(atPath: token))
        try stage.write("correct horse\n", to: "password")
        let ended = try await stage.setup([
            "--replace", "--create-account", "--email", "ada@example.com", "--password-file",
            "password",
        ])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: token))
    }

    @Test func `an old configuration that is wrong is not thrown away`() async throws {
        let stage = try Stage()
        try stage.write("{\"htpp\": {}}", to: stage.configuration)
        let ended = try await stage.setup(["--replace", "--no-check", "--no-movies"])
        #expect(ended.code == 78 && ended.errors.contains("config.json:1:2"), "\(ended.errors)")
        #expect(try stage.bytes(of: stage.configuration) == Data("{\"htpp\": {}}".utf8))
        #expect(!FileManager.default.fileExists(atPath: stage.configuration + ".bak"))
    }
}
