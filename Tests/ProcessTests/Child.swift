import Foundation
import Glibc
import Synchronization
import Testing

/// A process started by a test: with default signals whatever the test's thread has blocked, and
/// killed at the end whatever the test does.
final class Child: Sendable {
    let pid: pid_t
    private let ended = Fact<Ending>()

    /// Between the making of a pipe and the marks on its ends, no child may be started.
    private static let gate = Mutex(())

    /// The processor time that the process has had.
    func processorSeconds() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // Behind the name, which can hold anything: proc(5) counts utime and stime as 14 and 15.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = try [11, 12].map {
            try #require(fields.indices.contains($0) ? Double(fields[$0]) : nil)
        }
        return ticks.reduce(0, +) / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    /// A pipe whose ends no child inherits by accident: the one to read, the one to write.
    static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        let code = gate.withLock { _ in
            let code = Glibc.pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return code
        }
        try #require(code == 0)
        return (ends[0], ends[1])
    }

    /// Starts `program`; each descriptor becomes its 0, 1 and 2.
    init(
        _ program: Program, _ arguments: [[CChar]], environment: [String: String],
        directory: String, input: Int32, output: Int32, errors: Int32
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in [(input, Int32(0)), (output, 1), (errors, 2)] {
            posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // env(1) changes the directory and becomes the program, with the same process id.
        let start = ["env", "-C", directory, program.path].map { Array($0.utf8CString) }
        let words = start + arguments
        let pairs = environment.map { Array("\($0.key)=\($0.value)".utf8CString) }
        var made: pid_t = 0
        let code = Self.withPointers(words) { words in
            Self.withPointers(pairs) { pairs in
                Self.gate.withLock { _ in
                    posix_spawn(&made, "/usr/bin/env", &actions, &attributes, words, pairs)
                }
            }
        }
        try #require(code == 0, "\(program.path): \(String(cString: strerror(code)))")
        pid = made
        let ended = ended
        let child = made
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 && errno == EINTR {}
            ended.set(Ending(status: status))
        }
    }

    deinit { if ended.value == nil { Glibc.kill(pid, SIGKILL) } }

    var isRunning: Bool { ended.value == nil }

    /// Sends a signal, unless it has ended.
    func kill(_ signal: Int32) {
        if ended.value == nil { Glibc.kill(pid, signal) }
    }

    /// How it ended, when it has.
    func ending() async -> Ending { await ended.get() }

    private static func withPointers<Result>(
        _ words: [[CChar]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = words.map { word in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: word.count)
            copy.initialize(from: word, count: word.count)
            return copy
        }
        defer { for pointer in pointers { pointer.deallocate() } }
        return body(pointers + [nil])
    }
}

/// A value that comes once, and that any number of tasks can wait for.
final class Fact<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    var value: Value? { state.withLock { $0.value } }

    func set(_ value: Value) {
        let waiting = state.withLock { state in
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    func get() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiting.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
