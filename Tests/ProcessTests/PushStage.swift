import Foundation
import Glibc
import Synchronization
import Testing

/// A daemon with intervals of an hour and a server that tells its requests: what arrives there, was
/// pushed because somebody wrote to the cache.
final class PushStage: Sendable {
    let stage: Stage
    private let server: Child
    private let requests: LineReader
    let daemon: Child
    let log: LineReader
    private let mayEnd = Flag()

    static let create = "POST /todos 200"

    init() async throws {
        stage = try Stage()
        (server, requests) = try stage.start(
            .shell,
            ["-c", "exec \"$0\" --port 0 \"$@\" 2>&1", Program.demoAPI.path]
                + DemoAccount.arguments,
            readingErrors: false)
        let line = try #require(await requests.line(holding: "listening on "))
        let address = line.split(separator: " ").last ?? ""
        try stage.write(
            """
            {"movies": {"baseURL": "\(address)/3", "token": "\(stage.account.token)",
                        "interval": "1h"},
             "todos": {"baseURL": "\(address)", "email": "demo@example.com",
                       "password": "\(stage.account.password)",
                       "interval": "1h"}, "log": {"level": "debug"}}
            """, to: stage.configuration)
        (daemon, log) = try await stage.startDaemon()
        let (ended, killed) = (daemon, server)
        Task { [mayEnd] in
            _ = await ended.ending()
            // Nobody shall wait for requests that nobody makes.
            if !mayEnd.isSet { killed.kill(SIGKILL) }
        }
        // The cycles of the start are over: from now on nothing is due for an hour. `syncd sync`
        // would not do: its signal asks for another cycle where the request is answered already.
        for list in ["movies", "todos"] {
            try #require(await log.line(holding: "\(list): cycle ended: ok") != nil)
        }
    }

    /// Lets the daemon end well.
    func stopDaemon() async -> Ending {
        mayEnd.set()
        daemon.kill(SIGTERM)
        return await daemon.ending()
    }

    deinit {
        daemon.kill(SIGKILL)
        server.kill(SIGKILL)
    }

    /// How many requests that hold `text` the server has had.
    func requests(holding text: String) -> Int {
        requests.lines.count { $0.contains(text) }
    }

    /// Waits until the server has had so many requests that hold `text`.
    func waitForRequests(_ count: Int, holding text: String) async throws {
        while true {
            let lines = requests.lines
            if lines.count(where: { $0.contains(text) }) >= count { return }
            try #require(
                await requests.line(holding: text, from: lines.count) != nil,
                "the daemon or the server ended: \(log.lines.suffix(5))")
        }
    }

    /// Lines of the daemon's log that tell the end of a cycle of the todos.
    var cycles: Int { log.lines.count { $0.contains("todos: cycle ended") } }

    /// Starts the stock program with SQL, and keeps it and its connection open.
    func startWriter(
        _ sql: String, under wrapper: [String] = []
    ) async throws -> (Child, LineReader) {
        let words = wrapper + [Program.sqlite3.path, "-cmd", ".timeout 5000", stage.cache]
        return try stage.start(
            Program(path: words[0]), Array(words.dropFirst()), readingErrors: false,
            input: sql + "\n.shell echo done\n")
    }

    /// Deletes the files that SQLite keeps beside the database.
    func deleteCompanions() throws {
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: stage.cache + suffix)
        }
    }
}

/// Something that comes true once.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}
