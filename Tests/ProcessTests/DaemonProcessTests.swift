import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3))) struct DaemonProcessTests {
    @Test func `SIGTERM ends the daemon with 0, SIGINT too`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        for signal in [SIGTERM, SIGINT] {
            let (daemon, _) = try await stage.startDaemon()
            daemon.kill(signal)
            #expect(await daemon.ending() == .exited(0))
        }
    }

    @Test func `P23: a second daemon says who is there and ends with 75`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        let (daemon, _) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        let second = try await stage.syncd("run")
        #expect(second.code == 75)
        #expect(second.errors.contains("another syncd (process \(daemon.pid), daemon) holds "))
    }

    @Test func `sync goes through the daemon, and tells its outcome`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        try stage.configure(address)
        let (daemon, _) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        _ = try await stage.syncd("todo", "add", "through")
        let synced = try await stage.syncd("sync", "--json")
        #expect(synced.code == 0)
        #expect(synced.output.contains(#""synced_by":\#(daemon.pid),"#))
        #expect(synced.output.contains(/"replay":\{"sent":[01],"done":[01],/))
        #expect(try await stage.sqlite("SELECT state FROM todos").output == "synced\n")
        server.kill(SIGKILL)
        _ = await server.ending()
        let failed = try await stage.syncd("sync", "todos")
        #expect(failed.code == 69)
        #expect(failed.errors.contains("todos: offline: "))
    }

    @Test func `a killed daemon leaves nothing in the way of the next one`() async throws {
        let stage = try Stage()
        let (first, address) = try await stage.startServer()
        try stage.configure(address)
        // No server: what a daemon was killed in the middle of sending would be in doubt for a
        // while, which is another subject.
        first.kill(SIGKILL)
        _ = await first.ending()
        for title in ["one", "two", "three"] {
            let (daemon, _) = try await stage.startDaemon()
            #expect(try await stage.syncd("todo", "add", title).code == 0)
            daemon.kill(SIGKILL)
            #expect(await daemon.ending() == .killed(signal: SIGKILL))
        }
        let port = String(address.split(separator: ":").last ?? "")
        let (second, _) = try await stage.startServer(port: port)
        defer { second.kill(SIGKILL) }
        #expect(try await stage.syncd("sync").code == 0)
        let todos = try await stage.sqlite("SELECT title, state FROM todos ORDER BY id")
        #expect(todos.output == "one|synced\ntwo|synced\nthree|synced\n")
    }

    @Test func `P22: SIGHUP takes a good configuration and keeps the old one for a bad one`()
        async throws
    {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        try stage.write("{", to: stage.configuration)
        daemon.kill(SIGHUP)
        #expect(await log.line(holding: "config.json:1:2: the text ends too early") != nil)
        try stage.configure("http://127.0.0.1:10")
        daemon.kill(SIGHUP)
        #expect(await log.line(holding: "the cache belongs to demo@example.com at ") != nil)
        try stage.configure("http://127.0.0.1:9", extra: #", "log": {"level": "debug"}"#)
        daemon.kill(SIGHUP)
        #expect(await log.line(holding: "the configuration was read again") != nil)
        daemon.kill(SIGTERM)
        #expect(await daemon.ending() == .exited(0))
    }

    @Test func `P20: a daemon whose server hangs still ends on SIGTERM`() async throws {
        let stage = try Stage()
        let server = try SilentServer()
        // By itself the request would end only after this suite's time, and then lets the suite end.
        try stage.write(
            """
            {"todos": {"baseURL": "\(server.address)", "email": "demo@example.com",
                       "password": "\(stage.account.password)"},
             "movies": {"baseURL": "\(server.address)/3", "token": "\(stage.account.token)"},
             "http": {"timeout": "4m"}}
            """, to: stage.configuration)
        let (daemon, _) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        await server.wasAsked()
        daemon.kill(SIGTERM)
        #expect(await daemon.ending() == .exited(0))
    }

    @Test func `P28: secrets stand neither in the log nor in the process's public files`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        let secret = "canary-5f1d0c"
        let path = try stage.write(secret, to: "secrets/password")
        try stage.write(
            """
            {"movies": {"enabled": false}, "log": {"level": "debug"}, "todos":
             {"baseURL": "\(address)", "email": "eve@example.com", "passwordFile": "\(path)"}}
            """, to: stage.configuration)
        #expect(try await stage.syncd("user", "create").code == 0)
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(try await stage.syncd("sync").code == 0)
        let kept = try JSONDecoder().decode(
            [String: String].self, from: stage.bytes(of: stage.root + "/state/syncd/token.json"))
        #expect(kept["email"] == "eve@example.com")
        let token = try #require(kept["token"])
        try #require(token.count > 8)
        let process = try ["cmdline", "environ"].map {
            String(decoding: try stage.bytes(of: "/proc/\(daemon.pid)/\($0)"), as: UTF8.self)
        }
        // What is looked at is there: nothing is found in nothing.
        #expect(process[0].contains("run") && process[1].contains("XDG_STATE_HOME="))
        let dump = try await stage.run(.sqlite3, [stage.cache, ".dump"])
        #expect(dump.output.contains("eve@example.com"))
        let shown = try await stage.syncd("config")
        let all = log.lines + process + [dump.output, shown.output, shown.errors]
        for text in [secret, token] { #expect(all.allSatisfy { !$0.contains(text) }) }
    }
}
