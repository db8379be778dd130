internal import CLinux
internal import Glibc
internal import Synchronization

/// Writes data to standard output and says when that fails, which `print` does not.
///
/// Bytes are collected and written in large pieces. Without a flush, the last piece is not written.
/// After a failure every later call fails in the same way, so that output never goes on after a
/// gap.
public final class StandardOutput: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var failure: OutputError?
    }

    private static let pieceSize = 65_536
    private let descriptor: Int32
    private let state = Mutex(State())

    /// A writer to `descriptor`, which stays open; 1 is standard output.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Adds `text`, which is written when enough has come together.
    ///
    /// - Throws: ``OutputError`` when a piece could not be written.
    public func write(_ text: String) throws(OutputError) {
        try write(Array(text.utf8))
    }

    /// Adds `bytes`, which are written when enough have come together.
    ///
    /// - Throws: ``OutputError`` when a piece could not be written.
    public func write(_ bytes: [UInt8]) throws(OutputError) {
        try state.withLock { (state) throws(OutputError) in
            state.pending += bytes
            guard state.pending.count >= Self.pieceSize else { return }
            try drain(&state)
        }
    }

    /// Writes everything that has been added. A command calls it before it exits 0.
    ///
    /// - Throws: ``OutputError`` when not all could be written, now or before.
    public func flush() throws(OutputError) {
        try state.withLock { (state) throws(OutputError) in try drain(&state) }
    }

    private func drain(_ state: inout State) throws(OutputError) {
        if let failure = state.failure { throw failure }
        let pending = state.pending
        state.pending.removeAll(keepingCapacity: true)
        if let failure = writeAll(pending, to: descriptor, waitingUpTo: -1) {
            state.failure = failure
            throw failure
        }
    }
}

/// Writes messages for people to standard error, as well as it can: it never throws, because there
/// is nowhere left to say so.
public final class StandardError: Sendable {
    private let descriptor: Int32
    /// Nobody has read what was written last: there is nobody to wait for a second time.
    private let isUnread = Mutex(false)

    /// A writer to `descriptor`, which stays open; 2 is standard error.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes `text` at once, in one piece where the kernel takes it so.
    public func write(_ text: String) {
        // One that nobody reads costs a second, once, and then the text: a daemon goes on without it.
        isUnread.withLock { isUnread in
            let failure = writeAll(
                Array(text.utf8), to: descriptor, waitingUpTo: isUnread ? 0 : 1000)
            isUnread = failure.map { $0 == OutputError(code: EAGAIN) } ?? false
        }
    }
}

/// Writes all of `bytes`; waits up to `limit` milliseconds (-1: for ever) each time that the descriptor
/// takes no more, also where a write would block.
private func writeAll(
    _ bytes: [UInt8], to descriptor: Int32, waitingUpTo limit: Int32
) -> OutputError? {
    // A pipe counts as writable while it has room for so much: a longer write could block all the same.
    let most = limit < 0 ? bytes.count : 4096
    var written = 0
    while written < bytes.count {
        if limit >= 0, let failure = wait(for: descriptor, upTo: limit) { return failure }
        let count = retryingInterrupts {
            bytes.withUnsafeBytes {
                write(
                    descriptor, $0.baseAddress?.advanced(by: written),
                    min($0.count - written, most))
            }
        }
        if count >= 0 {
            written += count
            continue
        }
        let code = errno
        guard code == EAGAIN || code == EWOULDBLOCK else { return OutputError(code: code) }
        if let failure = wait(for: descriptor, upTo: limit) { return failure }
    }
    return nil
}

/// Waits until `descriptor` takes something, or is broken, which the next write tells.
private func wait(for descriptor: Int32, upTo limit: Int32) -> OutputError? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let isReady = retryingInterrupts { poll(&waiting, 1, limit) } > 0
    return isReady ? nil : OutputError(code: EAGAIN)
}
