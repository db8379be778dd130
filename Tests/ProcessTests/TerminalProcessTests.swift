import Foundation
import Glibc
import Testing

/// What a person sees at a terminal, and a pipe does not.
@Suite(.timeLimit(.minutes(3))) struct TerminalProcessTests {
    private static let escape = "\u{1b}"

    @Test(
        arguments: [
            ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false),
            (["TERM": "dumb"], false),
        ] as [([String: String], Bool)])
    func `there is colour on a terminal, unless the person wants none`(
        environment: [String: String], isColoured: Bool
    ) async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let shown = try await stage.syncd(["todo", "list"], columns: 80, environment: environment)
        #expect(shown.ending == .exited(0))
        #expect(shown.transcript.contains("queued"))
        #expect(shown.transcript.contains("\(Self.escape)[") == isColoured)
        let failed = try await stage.syncd(
            ["todo", "rm", "9"], columns: 80, environment: environment)
        #expect(failed.ending == .exited(65))
        #expect(failed.transcript.contains("\(Self.escape)[31msyncd:") == isColoured)
        let piped = try await stage.run(.syncd, ["todo", "list"], environment: environment)
        #expect(!piped.output.contains(Self.escape))
    }

    @Test(arguments: [30, 40, 79, 80, 200] as [UInt16])
    func `tables fit the terminal, whatever the titles`(columns: UInt16) async throws {
        let stage = try Stage()
        let title = String(repeating: "東京 long ", count: 30)
        #expect(try await stage.syncd("todo", "add", title, "short").code == 0)
        for arguments in [
            ["todo", "list"], ["outbox", "list"], ["status"], ["plan"],
            ["query", "SELECT * FROM todos"],
        ] {
            let shown = try await stage.syncd(
                arguments, columns: columns, environment: ["NO_COLOR": "1"])
            // A remark is broken by the terminal, and a path is whole.
            for line in Screen(shown.transcript).lines
            where !line.hasPrefix("syncd: ") && !line.contains(stage.root) {
                // Each of 東 and 京 takes two columns.
                let wide = line.unicodeScalars.filter { $0 == "東" || $0 == "京" }.count
                #expect(line.unicodeScalars.count + wide <= Int(columns), "\(arguments): \(line)")
            }
        }
        let piped = try await stage.syncd("todo", "list")
        #expect(piped.output.contains(title))
    }

    @Test(arguments: [40, 80, 200] as [UInt16])
    func `a path is whole in a table of any width, and everything else fits`(
        columns: UInt16
    ) async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        for (arguments, texts) in [
            (["status"], [stage.cache, "demo@example.com at \(address)"]),
            (["config"], [stage.cache]), (["config", "database"], [stage.cache]),
            (["movies"], []), (["sync"], []),
        ] {
            let shown = try await stage.syncd(
                arguments, columns: columns, environment: ["NO_COLOR": "1"])
            #expect(shown.ending == .exited(0))
            let lines = Screen(shown.transcript).lines
            for text in texts {
                #expect(lines.contains { $0.contains(text) }, "\(arguments): \(lines)")
            }
            // A terminal breaks a remark itself.
            for line in lines
            where !line.hasPrefix("syncd: ") && !line.contains(stage.root)
                && !line.contains(address)
            {
                #expect(line.count <= Int(columns), "\(arguments): \(line)")
            }
        }
    }

    @Test func `what check says to run is whole, however narrow the terminal`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        try #require(chmod(stage.cache, 0o644) == 0)
        let shown = try await stage.syncd(["check"], columns: 80, environment: ["NO_COLOR": "1"])
        #expect(shown.ending == .exited(1))
        let told = """
            problem: \(stage.cache)
                its mode is 644, and at most 600 is right
                Run: chmod 600 \(stage.cache)

            """
        #expect(
            shown.transcript.replacing("\r\n", with: "\n").contains(told), "\(shown.transcript)")
        let coloured = try await stage.syncd(["check"], columns: 80)
        #expect(coloured.transcript.contains("\(Self.escape)[31mproblem\(Self.escape)[0m: "))
        // A program reads one finding a line, as before.
        let piped = try await stage.syncd("check")
        #expect(piped.output.hasPrefix("level\tsubject\tproblem\thint\n"))
    }

    @Test func `F10: nothing in a title commands, turns or hides what is on the terminal`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "x").code == 0)
        let hostile =
            "a\u{1b}]52;c;eA==\u{07}b\u{1b}[2J\u{9b}31m\u{202e}c\nsyncd: d\r\u{08}e"
            + "\u{200f}\u{61c}\u{ad}\u{e0041}\u{2066}\u{fe00}f"
        let inserted = try await stage.run(
            .sqlite3, [stage.cache, "INSERT INTO todos(title) VALUES('\(hostile)')"])
        #expect(inserted.code == 0, "\(inserted.errors)")
        let commands: [[String]] = [
            ["todo", "list"], ["outbox", "list"], ["todo", "list", "--search", hostile],
            ["query", "SELECT title FROM todos"], ["todo", "rm", hostile], [hostile],
            ["query", "SELECT '\(hostile)' FROM nowhere"], ["query", "SELECT 1 AS \"\(hostile)\""],
            ["todo", "list", "--json"], ["watch", hostile], ["todo", "add", "--\(hostile)"],
            ["movies", "--search", hostile], ["todo", "list", "--config", hostile],
            ["query", "--json", "SELECT title FROM todos"],
        ]
        for command in commands {
            let shown = try await stage.syncd(
                command, columns: 100, environment: ["NO_COLOR": "1"])
            let left = shown.transcript.replacing("\r\n", with: "").unicodeScalars.filter {
                $0.value < 0x20 || (0x7f..<0xa0).contains($0.value)
                    || $0.properties.isDefaultIgnorableCodePoint || $0.properties.isBidiControl
            }
            #expect(left.isEmpty, "\(command): \(shown.transcript.debugDescription)")
            #expect(!Screen(shown.transcript).lines.contains("syncd: d"))
        }
    }

    @Test func `a person sees moments of their own clock, a program those of the cache`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        // Nowhere are clocks further from UTC.
        let shown = try await stage.syncd(
            ["sync"], columns: 120, environment: ["TZ": "<+14>-14", "NO_COLOR": "1"])
        #expect(shown.ending == .exited(0))
        let due = try await stage.sqlite(
            """
            SELECT strftime('%H:%M', next_due_at, '+14 hours') FROM sync_status ORDER BY list
            """
        ).output.split(separator: "\n")
        #expect(due.count == 2)
        for time in due {
            #expect(
                shown.transcript.contains("today \(time)")
                    || shown.transcript.contains("tomorrow \(time)"), "\(shown.transcript)")
        }
        let piped = try await stage.syncd("sync")
        #expect(piped.output.contains(/\d{4}-\d\d-\d\dT[0-9:.]+Z/))
    }

    @Test func `a sync of our own shows how far it is, and takes the line away`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        _ = try await stage.syncd("todo", "add", "a", "b", "c")
        let shown = try await stage.syncd(["sync"], columns: 60)
        #expect(shown.ending == .exited(0))
        #expect(shown.transcript.contains("\r\(Self.escape)[Kpulling "))
        #expect(shown.transcript.contains("\r\(Self.escape)[Ksending"))
        let screen = Screen(shown.transcript)
        #expect(screen.lines[0].contains("list"), "\(screen.lines)")
        #expect(!screen.lines.contains { $0.contains("pulling") || $0.contains("sending ") })
    }

    @Test(
        arguments: [
            (["sync", "--quiet"], [:]), (["sync"], ["TERM": "dumb"]),
        ] as [([String], [String: String])])
    func `who wants quiet, or has a terminal that cannot redraw, sees no progress`(
        arguments: [String], environment: [String: String]
    ) async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let shown = try await stage.syncd(arguments, columns: 60, environment: environment)
        #expect(shown.ending == .exited(0))
        #expect(!shown.transcript.contains(Self.escape) && !shown.transcript.contains("pulling"))
    }

    @Test(arguments: ["xterm", "dumb"])
    func `a status that is watched is one screen, with its moment`(term: String) async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let terminal = try PseudoTerminal(columns: 80)
        let child = try stage.start(
            .syncd, ["status", "--watch"], at: terminal,
            environment: ["TERM": term, "NO_COLOR": "1"])
        #expect(await terminal.shows("queued                 1"))
        #expect(try await stage.syncd("todo", "add", "b").code == 0)
        #expect(await terminal.shows("queued                 2"))
        child.kill(SIGTERM)
        _ = await child.ending()
        let screens = await terminal.transcript().split(
            separator: "\(Self.escape)[H\(Self.escape)[J")
        // One that syncs or migrates meanwhile is a change, too, and may be seen or not.
        #expect(term == "dumb" ? screens.count == 1 : screens.count >= 2)
        for screen in screens { #expect(screen.hasPrefix("status at today ")) }
        let contents = screens.map { $0.split(whereSeparator: \.isNewline).dropFirst() }
        for (one, next) in zip(contents, contents.dropFirst()) { #expect(one != next) }
    }

    @Test func `progress goes to standard error alone, and to no file`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let path = try stage.write("", to: "errors")
        let file = open(path, O_WRONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let terminal = try PseudoTerminal(columns: 80)
        let child = try stage.start(.syncd, ["sync"], at: terminal, errors: file)
        #expect(await child.ending() == .exited(0))
        #expect(await !terminal.transcript().contains("pulling"))
        #expect(try stage.bytes(of: path).isEmpty)
    }

    @Test func `who waits for a daemon sees it, and can leave at once`() async throws {
        let stage = try Stage()
        let (slow, address) = try await stage.startServer(port: "0", "--latency", "600000")
        defer { slow.kill(SIGKILL) }
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "\(address)",
             "email": "demo@example.com", "password": "demo"}}
            """, to: stage.configuration)
        _ = try await stage.syncd("todo", "add", "a", "b")
        let (daemon, _) = try await stage.startDaemon()
        for signal in [SIGINT, SIGTERM] {
            let terminal = try PseudoTerminal(columns: 80)
            let child = try stage.start(.syncd, ["sync"], at: terminal)
            let line = "waiting for the daemon (process \(daemon.pid))"
            #expect(await terminal.shows("\(line)  ["))
            #expect(await terminal.shows("0/2 changes"))
            child.kill(signal)
            #expect(await child.ending() == .exited(130))
            #expect(Screen(await terminal.transcript()).lines[0].contains("interrupted"))
        }
        daemon.kill(SIGKILL)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a daemon that waits for a one-shot sync ends at once when it is asked to`(
        signal: Int32
    ) async throws {
        let stage = try Stage()
        let (slow, address) = try await stage.startServer(port: "0", "--latency", "600000")
        defer { slow.kill(SIGKILL) }
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "\(address)",
             "email": "demo@example.com", "password": "demo"}}
            """, to: stage.configuration)
        let (sync, _) = try stage.start(.syncd, ["sync"], readingErrors: true)
        defer { sync.kill(SIGKILL) }
        try await stage.waitForLock(of: sync)
        let (daemon, log) = try stage.start(.syncd, ["run"], readingErrors: true)
        let line = "waiting for another sync of this cache (process \(sync.pid))"
        #expect(await log.line(holding: line) != nil)
        daemon.kill(signal)
        #expect(await daemon.ending() == .exited(0))
        #expect(sync.isRunning)
    }

    @Test func `a daemon that answers, and one that dies, end the wait`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        try stage.configure(address)
        let (daemon, _) = try await stage.startDaemon()
        let shown = try await stage.syncd(["sync"], columns: 80)
        #expect(shown.ending == .exited(0))
        #expect(shown.transcript.contains("Kwaiting for the daemon (process \(daemon.pid))"))
        #expect(Screen(shown.transcript).lines[0].contains("list"))
        daemon.kill(SIGKILL)
        server.kill(SIGKILL)
        _ = await (daemon.ending(), server.ending())
        // A server that takes requests and answers none: the daemon cannot come first.
        let (slow, other) = try await stage.startServer(
            port: String(address.split(separator: ":").last ?? ""), "--latency", "600000")
        defer { slow.kill(SIGKILL) }
        try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "\(other)",
             "email": "demo@example.com", "password": "demo"}}
            """, to: stage.configuration)
        let (second, _) = try await stage.startDaemon()
        let terminal = try PseudoTerminal(columns: 80)
        let child = try stage.start(.syncd, ["sync"], at: terminal)
        #expect(await terminal.shows("waiting for the daemon (process \(second.pid))"))
        second.kill(SIGKILL)
        // It goes on by itself.
        #expect(await terminal.shows("pulling todos"))
        child.kill(SIGINT)
        #expect(await child.ending() == .exited(130))
    }
}
