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

    @Test func `P22: a refused configuration leaves every table as it was declared`() async throws {
        let stage = try Stage()
        func configure(_ email: String) throws {
            try stage.write(
                """
                {"movies": {"enabled": false}, "servers": {"off": {"baseURL": "http://127.0.0.1:9"}},
                 "todos": {"baseURL": "http://127.0.0.1:9", "email": "\(email)", "password": "x"}}
                """, to: stage.configuration)
        }
        func declare(_ column: String) throws {
            try stage.write(
                """
                {"server": "off", "list": "/notes", "id": "$.id", "columns": {"\(column)": "text $.title"}}
                """, to: "config/syncd/lists/notes.json")
        }
        func column() async throws -> String {
            try await stage.sqlite("SELECT name FROM pragma_table_info('notes') LIMIT 1").output
        }
        try configure("me@example.com")
        try declare("title")
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        #expect(try await column() == "title\n")
        try configure("other@example.com")
        try declare("heading")
        daemon.kill(SIGHUP)
        try #require(await log.line(holding: "the old configuration stays") != nil)
        #expect(try await column() == "title\n")
        try configure("me@example.com")
        daemon.kill(SIGHUP)
        try #require(await log.line(holding: "the configuration was read again") != nil)
        #expect(try await column() == "heading\n")
    }
}
