internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc

/// Tells when a file is written to, and when names in its directory lead to other files.
///
/// It watches the file that is at the path now, not the path: after ``Event/isGone`` a new watch is
/// needed. Source: inotify(7).
public final class FileWatch: Sendable {
    /// What happened since the last call; several events become one.
    public struct Event: Sendable, Hashable {
        /// Something was written, which does not say that it is visible yet.
        public var isWritten = false
        /// The file was deleted, renamed or unmounted; nothing more will be told of it. While
        /// somebody has it open, a deletion is no deletion yet: watch its name for that.
        public var isGone = false
        /// One of the names was deleted, or renamed away, or leads to another file by a rename;
        /// where arrivals are watched, it was made.
        public var isRenamed = false
    }

    private let source: DescriptorSource

    /// Watches the file at `path`.
    ///
    /// - Parameters:
    ///   - path: Absolute; a link is not followed.
    ///   - names: Of files in the same directory. Other names there wake this process, too, when they
    ///     go or are renamed, but are not told.
    ///   - queue: Where `handler` runs.
    ///   - handler: Called after each burst of events.
    /// - Throws: ``SystemError``: there is no such file, or the limit of watches is reached
    ///   (`fs.inotify.max_user_watches`).
    public convenience init(
        _ path: String, names: Set<String>, on queue: DispatchQueue,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let file = IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW
        let folder = IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
        let directory = names.isEmpty ? [] : [(Self.directory(of: path), folder)]
        try self.init([(path, file)] + directory, names: names, on: queue, handler: handler)
    }

    /// Reports, as ``Event/isWritten``, that somebody who may write the file at `path` has closed
    /// it. So it also reports the end of a process that holds the file open: a lock file's holder
    /// comes or goes.
    ///
    /// The event comes while the descriptor is being closed: a lock on it may still stand for a
    /// moment. A user who may not read the file watches its directory instead, and is woken for
    /// each file in there. Throws and takes what the other initializer does.
    public convenience init(
        closingOf path: String, on queue: DispatchQueue,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let writing = IN_MODIFY | IN_CLOSE_WRITE
        do throws(SystemError) {
            try self.init(
                [(path, writing | IN_DONT_FOLLOW)], names: [], on: queue, handler: handler)
        } catch {
            guard error.code == EACCES else { throw error }
            try self.init(
                [(Self.directory(of: path), writing | IN_ONLYDIR)], names: [Self.name(of: path)],
                on: queue, handler: handler)
        }
    }

    /// Tells, as ``Event/isRenamed``, when one of `names` is made in the directory of `path`, or is
    /// renamed into it. Throws and takes what the other initializers do.
    public convenience init(
        arrivalOf names: Set<String>, beside path: String, on queue: DispatchQueue,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        try self.init(
            [(Self.directory(of: path), IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)], names: names,
            on: queue, handler: handler)
    }

    private init(
        _ watched: [(path: String, mask: Int32)], names: Set<String>, on queue: DispatchQueue,
        handler: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let opened = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard opened >= 0 else { throw .last("inotify_init1") }
        do throws(SystemError) {
            for (path, mask) in watched { try Self.watch(path, for: mask, by: opened) }
        } catch {
            close(opened)
            throw error
        }
        source = DescriptorSource(owning: opened, on: queue) {
            let event = Self.event(in: readAvailable(opened), names: names)
            if event != Event() { handler(event) }
        }
    }

    /// Ends it; the handler is not called any more, but for a call that may be running.
    public func cancel() { source.cancel() }

    private static func watch(
        _ path: String, for mask: Int32, by descriptor: Int32
    ) throws(SystemError) {
        guard inotify_add_watch(descriptor, path, UInt32(mask)) >= 0 else {
            throw .last("inotify_add_watch")
        }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func name(of path: String) -> String {
        path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? ""
    }

    private static func event(in bytes: [UInt8], names: Set<String>) -> Event {
        var event = Event()
        let size = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + size <= bytes.count {
            let (mask, length) = bytes.withUnsafeBytes {
                (
                    $0.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                    Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                )
            }
            let name = bytes[min(offset + size, bytes.count)...].prefix(length).prefix { $0 != 0 }
            event.note(mask, of: String(decoding: name, as: UTF8.self), among: names)
            offset += size + length
        }
        return event
    }
}

extension FileWatch.Event {
    fileprivate mutating func note(_ mask: UInt32, of name: String, among names: Set<String>) {
        func has(_ bits: Int32...) -> Bool {
            bits.contains { mask & UInt32(bitPattern: $0) != 0 }
        }
        // Events that were dropped (overflow) may have been any.
        let isLost = has(IN_Q_OVERFLOW)
        // An event of a watched file has no name. An event of a directory has the name of the file
        // in it.
        let isMeant = name.isEmpty || names.contains(name)
        isWritten = isWritten || isLost || has(IN_MODIFY, IN_CLOSE_WRITE) && isMeant
        isGone = isGone || has(IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT, IN_IGNORED)
        let isNamed =
            has(IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CREATE) && names.contains(name)
        isRenamed = isRenamed || isNamed || isLost && !names.isEmpty
    }
}
