import Foundation
import Glibc
import Synchronization

/// A child process with one socket for its standard input and output.
///
/// Not Foundation's `Process`: that hands its own blocked signals on to the child, and reaps it
/// only where a run loop runs, while exit tests wait until every dead child is reaped.
package final class Child: Sendable {
    /// Both directions: what the child reads and what it prints.
    package let channel: CInt
    private let pid: pid_t
    private let state = Mutex(State())

    private struct State: Sendable {
        var status: CInt?
        var awaiting: [CheckedContinuation<CInt, Never>] = []
    }

    package struct Failure: Error { package let command: String }

    /// Starts `arguments[0]`, for at most so many seconds: `timeout` ends it also when the test is
    /// gone.
    package init(_ arguments: [String], seconds: Int = 60) throws {
        var channels: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &channels) == 0 else {
            throw Failure(command: "socketpair")
        }
        defer { close(channels[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, channels[1], 0)
        posix_spawn_file_actions_adddup2(&actions, channels[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = (["/usr/bin/timeout", "\(seconds)"] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        guard
            posix_spawn(&pid, "/usr/bin/timeout", &actions, &attributes, words + [nil], environ)
                == 0
        else {
            close(channels[0])
            throw Failure(command: arguments[0])
        }
        self.pid = pid
        channel = channels[0]
        Thread.detachNewThread { [self] in reap() }
    }

    deinit { close(channel) }

    private func reap() {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let awaiting = state.withLock { state in
            state.status = status
            defer { state.awaiting = [] }
            return state.awaiting
        }
        for continuation in awaiting { continuation.resume(returning: status) }
    }

    /// Waits for the end; 0 is success.
    package func ended() async -> CInt {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state in
                if state.status == nil { state.awaiting.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// Ends it; `timeout` hands the signal on.
    package func end() {
        state.withLock { if $0.status == nil { _ = kill(pid, SIGTERM) } }
    }

    /// Runs `arguments` to the end.
    package static func run(_ arguments: [String]) async throws {
        guard try await Child(arguments).ended() == 0 else {
            throw Failure(command: arguments.prefix(2).joined(separator: " "))
        }
    }
}
