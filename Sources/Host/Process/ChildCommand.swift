internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc
internal import Synchronization

/// A command line run by the shell, with bytes on its standard input and the other streams ours.
///
/// It starts with default signals, whatever is blocked here. Nothing waits on a thread for its end.
public final class ChildCommand: Sendable {
    private enum State {
        case running(CheckedContinuation<Int32, Never>?)
        case ended(Int32)
    }

    private let pid: pid_t
    private let state: Mutex<State>
    private let source: Mutex<DescriptorSource?>

    /// Starts `/bin/sh -c command`.
    ///
    /// - Parameters:
    ///   - command: Handed to the shell as it is.
    ///   - input: What it can read; it need not read it all, and never waits for us.
    ///   - queue: Where its end is noticed.
    /// - Throws: ``SystemError`` when no process can be made.
    public init(
        shell command: String, input: [UInt8], on queue: DispatchQueue
    ) throws(SystemError) {
        // A file holds any amount without a reader, which a pipe does not.
        let file = syncd_memory_file("input")
        guard file >= 0 else { throw .last("memfd_create") }
        defer { close(file) }
        try Self.fill(file, with: input)
        let made = try Self.spawn(command, reading: file)
        pid = made
        state = Mutex(.running(nil))
        source = Mutex(nil)
        let watch = syncd_watch_process(made)
        guard watch >= 0 else {
            let error = SystemError.last("pidfd_open")
            // Without a way to learn of its end it must not go on unseen.
            kill(made, SIGKILL)
            _ = retryingInterrupts { waitpid(made, nil, 0) }
            throw error
        }
        // Its end may be noticed at once, on another thread, and has to find the source there: once the
        // process is collected the kernel says that its descriptor hung up, and Dispatch tells nothing
        // of one any more.
        source.withLock { source in
            source = DescriptorSource(owning: watch, on: queue) { [self] in collect() }
        }
    }

    /// Its exit status, or 128 and the signal's number, when it has ended. To be asked for once.
    public func ending() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = state.withLock { state -> Int32? in
                if case .ended(let status) = state { return status }
                state = .running(continuation)
                return nil
            }
            if let status { continuation.resume(returning: status) }
        }
    }

    /// Asks it to end; no error where it has.
    public func terminate() {
        state.withLock { state in
            // Until it is collected, its number is no other process's.
            if case .running = state { kill(pid, SIGTERM) }
        }
    }

    private func collect() {
        let waiting = state.withLock { state -> (CheckedContinuation<Int32, Never>, Int32)? in
            guard case .running(let continuation) = state else { return nil }
            var status: Int32 = 0
            guard retryingInterrupts({ waitpid(pid, &status, WNOHANG) }) == pid else { return nil }
            let signal = status & 0x7F
            let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
            state = .ended(code)
            return continuation.map { ($0, code) }
        }
        guard case .ended = state.withLock({ $0 }) else { return }
        // It holds this object until it is cancelled.
        source.withLock { source in
            source?.cancel()
            source = nil
        }
        if let (continuation, code) = waiting { continuation.resume(returning: code) }
    }

    private static func fill(_ file: Int32, with bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = retryingInterrupts {
                bytes.withUnsafeBytes {
                    write(file, $0.baseAddress?.advanced(by: written), $0.count - written)
                }
            }
            guard count > 0 else { throw .last("write") }
            written += count
        }
        guard lseek(file, 0, SEEK_SET) == 0 else { throw .last("lseek") }
    }

    private static func spawn(
        _ command: String, reading file: Int32
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, file, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let texts = ["sh", "-c", command]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { (text: String) in strdup(text) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var made: pid_t = 0
        let code = posix_spawn(&made, "/bin/sh", &actions, &attributes, words, environ)
        guard code == 0 else { throw SystemError(operation: "posix_spawn", code: code) }
        return made
    }
}
