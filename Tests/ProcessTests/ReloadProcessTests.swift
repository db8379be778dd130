import Glibc
import Testing

/// A configuration that is read again is taken wholly or not at all.
@Suite(.timeLimit(.minutes(3))) struct ReloadProcessTests {
    @Test func `P22: a refused configuration does not say whose the cache is`() async throws {
        let stage = try Stage()
        func configure(_ todos: String) throws {
            try stage.write(
                """
                {"movies": {"baseURL": "http://127.0.0.1:9/3", "token": "\(stage.account.token)"},
                 "todos": {"baseURL": "http://127.0.0.1:9", \(todos)}}
                """, to: stage.configuration)
        }
        try configure(#""enabled": false"#)
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        try configure(#""email": "typo@example.com", "passwordFile": "missing""#)
        daemon.kill(SIGHUP)
        try #require(await log.line(holding: "the old configuration stays") != nil)
        #expect(try await stage.sqlite("SELECT count(*) FROM account").output == "0\n")
        try configure(
            #""email": "demo@example.com", "password": "\#(stage.account.password)""#)
        daemon.kill(SIGHUP)
        #expect(await log.line(holding: "the configuration was read again") != nil)
        #expect(try await stage.sqlite("SELECT count(*) FROM account").output == "1\n")
    }
}
