import Foundation
import Glibc
import Testing

/// The first real account, after the demo and after the start by hand.
@Suite(.timeLimit(.minutes(3))) struct FirstSetupProcessTests {
    /// Sets up an account of its own, and uses it without a word of advice.
    private func setUpAda(_ stage: Stage, at address: String) async throws {
        try stage.write("\(stage.account.token)\n", to: "movies-token")
        try stage.write("correct horse\n", to: "password")
        let ended = try await stage.setup([
            "--create-account", "--movies-url", address + "/3", "--movies-token-file",
            "movies-token", "--todos-url", address, "--email", "ada@example.com",
            "--password-file", "password",
        ])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try await stage.syncd("todo", "add", "hers").code == 0)
        for arguments in [["sync"], ["status", "--max-age", "1h"], ["check"]] {
            let ended = try await stage.run(.syncd, arguments)
            #expect(ended.code == 0, "\(arguments): \(ended.output)\(ended.errors)")
        }
        #expect(try await stage.syncd("query", "SELECT title FROM todos").output == "title\nhers\n")
    }

    @Test func `after the start by hand, a real account has the usual cache`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../config.example.json").standardized.path
        let example = String(decoding: try stage.bytes(of: path), as: UTF8.self)
            .replacingOccurrences(of: "http://127.0.0.1:8080", with: address)
            .replacingOccurrences(
                of: "\"token\": \"demo\"", with: "\"token\": \"\(stage.account.token)\""
            )
            .replacingOccurrences(
                of: "\"password\": \"demo\"", with: "\"password\": \"\(stage.account.password)\"")
        let byHand = try stage.write(example, to: "config.example.json")
        let (daemon, log) = try stage.start(
            .syncd, ["run", "--config", byHand], readingErrors: true)
        try #require(await log.line(holding: "todos: ok") != nil, "\(log.lines)")
        #expect(try await stage.syncd("todo", "add", "the demo's", "--config", byHand).code == 0)
        #expect(try await stage.syncd("sync", "--config", byHand).code == 0)
        daemon.kill(SIGTERM)
        #expect(await daemon.ending() == .exited(0))
        try await setUpAda(stage, at: address)
        #expect(try await stage.syncd("config", "database").output == stage.cache + "\n")
    }

    @Test func `after the demo, which has a state directory of its own, a real account works`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let cache = stage.root + "/demo/state/syncd/cache.sqlite"
        let demo = try stage.write(
            """
            {"database": "\(cache)",
             "movies": {"baseURL": "\(address)/3", "token": "\(stage.account.token)"},
             "todos": {"baseURL": "\(address)", "email": "demo@example.com",
                       "password": "\(stage.account.password)"}}
            """, to: "demo/config.json")
        // What `scripts/demo --keep` prints names no directory, as here.
        for arguments in [["todo", "add", "the demo's"], ["sync"]] {
            #expect(try await stage.run(.syncd, arguments + ["--config", demo]).code == 0)
        }
        try await setUpAda(stage, at: address)
    }

    @Test func `where the usual cache is another account's, the way out is told and works`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        try FileManager.default.removeItem(atPath: stage.configuration)
        try stage.write("correct horse\n", to: "password")
        var options = [
            "--no-movies", "--create-account", "--todos-url", address, "--email",
            "ada@example.com", "--password-file", "password",
        ]
        let refused = try await stage.setup(options)
        #expect(refused.code == 78, "\(refused.errors)")
        let free = stage.root + "/state/syncd/ada@example.com.sqlite"
        #expect(
            refused.errors.contains(
                "--database: \(stage.cache) is the cache of demo@example.com at \(address), "
                    + "not of ada@example.com at \(address). Add --database \(free); or "
                    + "`syncd cache reset` sets it aside, then run setup again.\n"),
            "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: stage.configuration))
        #expect(!FileManager.default.fileExists(atPath: free))
        options.removeAll { $0 == "--create-account" }
        // A reset would make the new cache the old account's again, as long as that is configured.
        try stage.configure(address)
        let replacing = try await stage.setup(options + ["--replace"])
        #expect(replacing.code == 78)
        #expect(
            replacing.errors.contains("Add --database \(free).\n"), "\(replacing.errors)")
        try FileManager.default.removeItem(atPath: stage.configuration)
        let ended = try await stage.setup(options + ["--database", free])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.syncd("status", "--max-age", "1h").code == 0)
        // The other account's cache is as it was.
        #expect(try await stage.sqlite("SELECT email FROM account").output == "demo@example.com\n")
    }
}
