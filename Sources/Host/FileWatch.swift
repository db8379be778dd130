internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc

/// Tells when a file is written to, or leaves its place.
///
/// It watches the file that is at the path now, not the path: after ``Event/isGone`` a new watch is
/// needed. Source: inotify(7).
public final class FileWatch: Sendable {
    /// What happened since the last call; several events become one.
    public struct Event: Sendable, Hashable {
        /// Something was written, which does not say that it is visible yet.
        public var isWritten = false
        /// The file was deleted, renamed or unmounted; nothing more will be told.
        public var isGone = false
    }

    private let source: DescriptorSource

    /// Watches the file at `path`.
    ///
    /// - Parameters:
    ///   - path: Absolute; a link is not followed.
    ///   - queue: Where `handler` runs.
    ///   - handler: Called after each burst of events.
    /// - Throws: ``SystemError``: there is no such file, or the limit of watches is reached
    ///   (`fs.inotify.max_user_watches`).
    public init(
        _ path: String, on queue: DispatchQueue, handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let opened = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard opened >= 0 else { throw .last("inotify_init1") }
        let mask = IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW
        guard inotify_add_watch(opened, path, UInt32(mask)) >= 0 else {
            let error = SystemError.last("inotify_add_watch")
            close(opened)
            throw error
        }
        source = DescriptorSource(owning: opened, on: queue) {
            let event = Self.event(in: readAvailable(opened))
            if event.isWritten || event.isGone { handler(event) }
        }
    }

    /// Ends it; the handler is not called any more, but for a call that may be running.
    public func cancel() { source.cancel() }

    private static func event(in bytes: [UInt8]) -> Event {
        var event = Event()
        let size = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + size <= bytes.count {
            let (mask, length) = bytes.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                    $0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
                )
            }
            // Events that were dropped (overflow) may have been writes.
            event.isWritten = event.isWritten || mask & UInt32(IN_MODIFY | IN_Q_OVERFLOW) != 0
            let gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED
            event.isGone = event.isGone || mask & UInt32(gone) != 0
            offset += size + Int(length)
        }
        return event
    }
}
