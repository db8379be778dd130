import Foundation
import Glibc
import Synchronization
import Testing

/// A terminal for one process, and everything that was written to it.
final class PseudoTerminal: Sendable {
    /// What the process gets.
    let follower: Int32
    /// Where the person sits; closed when no process has the other end any more.
    private let leader: Int32
    private let state: Mutex<State>

    private struct State {
        var text = ""
        /// Nobody writes any more, or the time of the test is over.
        var hasEnded = false
        var waiting: [(text: String?, CheckedContinuation<Bool, Never>)] = []

        /// Those that need to wait no longer, and whether what they wait for is there.
        mutating func takeReady() -> [(CheckedContinuation<Bool, Never>, Bool)] {
            var ready: [(CheckedContinuation<Bool, Never>, Bool)] = []
            waiting.removeAll { wanted, continuation in
                let isThere = wanted.map { text.contains($0) } ?? hasEnded
                guard isThere || hasEnded else { return false }
                ready.append((continuation, isThere))
                return true
            }
            return ready
        }
    }

    init(columns: UInt16) throws {
        leader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(leader >= 0)
        var number: Int32 = 0
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Glibc's Swift module leaves out.
        try #require(ioctl(leader, 0x4004_5431, &number) == 0)
        try #require(ioctl(leader, 0x8004_5430, &number) == 0)
        follower = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(follower >= 0)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(follower, UInt(TIOCSWINSZ), &size) == 0)
        state = Mutex(State())
        Thread.detachNewThread { [self, leader] in
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(leader, &piece, piece.count)
                if count < 0 && errno == EINTR { continue }
                // EIO when nobody has the other end any more.
                guard count > 0 else { break }
                bytes += piece[..<count]
                update { $0.text = String(decoding: bytes, as: UTF8.self) }
            }
            close(leader)
            update { $0.hasEnded = true }
        }
    }

    /// Leaves the terminal to the process, whose end is then the end of the transcript.
    func release() { close(follower) }

    /// Types `text`, as a person does whose process still runs.
    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(write(leader, bytes, bytes.count) == bytes.count)
    }

    /// All that was written, once no process has the terminal any more.
    func transcript() async -> String {
        _ = await wait(for: nil)
        return state.withLock { $0.text }
    }

    /// Returns when `text` has been written; false where that never happens.
    func shows(_ text: String) async -> Bool { await wait(for: text) }

    private func wait(for text: String?) async -> Bool {
        // A test whose time is over is cancelled, and fails by what it does not see.
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { $0.waiting.append((text, continuation)) }
            }
        } onCancel: {
            update { $0.hasEnded = true }
        }
    }

    private func update(_ change: (inout State) -> Void) {
        let ready = state.withLock { state in
            change(&state)
            return state.takeReady()
        }
        for (continuation, isThere) in ready { continuation.resume(returning: isThere) }
    }
}

/// What a person sees at the end: a transcript, drawn.
struct Screen: Sendable, Hashable {
    let lines: [String]

    /// Draws `transcript`, which may return to a line's start and empty it, and nothing else.
    init(_ transcript: String) {
        lines = transcript.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
            let drawn = line.split(separator: "\r\u{1b}[K", omittingEmptySubsequences: false)
            return String(drawn.last ?? "")
        }
    }
}

extension Stage {
    /// Starts `syncd` as the first process of a session whose terminal this is, and which it reads.
    func startSession(_ arguments: [String], at terminal: PseudoTerminal) throws -> Child {
        let words = ["--ctty", "--wait", Program.syncd.path] + arguments
        let child = try Child(
            Program(path: "/usr/bin/setsid"), words.map { Array($0.utf8CString) },
            environment: environment.merging(["TERM": "xterm-256color"]) { $1 }, directory: root,
            input: terminal.follower, output: terminal.follower, errors: terminal.follower)
        terminal.release()
        return child
    }

    /// Starts a program at a terminal. Its input is empty.
    func start(
        _ program: Program, _ arguments: [String], at terminal: PseudoTerminal,
        errors: Int32? = nil, environment extra: [String: String] = [:]
    ) throws -> Child {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(null >= 0)
        defer { close(null) }
        let child = try Child(
            program, arguments.map { Array($0.utf8CString) },
            environment: environment.merging(["TERM": "xterm-256color"]) { $1 }
                .merging(extra) { $1 },
            directory: root, input: null, output: terminal.follower,
            errors: errors ?? terminal.follower)
        terminal.release()
        return child
    }

    /// Runs `syncd` at a terminal to its end; what was written there, and how it ended.
    func syncd(
        _ arguments: [String], columns: UInt16, environment: [String: String] = [:]
    ) async throws -> (transcript: String, ending: Ending) {
        let terminal = try PseudoTerminal(columns: columns)
        let child = try start(.syncd, arguments, at: terminal, environment: environment)
        return (await terminal.transcript(), await child.ending())
    }
}
