import FoundationEssentials
import Glibc
import Host
import ReferenceAPI

/// The state of the todo service on disk: a snapshot, then one line of JSON for each answer that
/// changed something.
///
/// A line is on the disk (fsync) when ``append(_:)`` returns, so that an answer sent after it
/// survives kill -9 and power loss. Opening it writes the state that was found as a new file with a
/// snapshot only, in the place of the old one. A last line that was cut short belongs to an answer
/// that was never sent and is left out; any other line that cannot be read is refused, with the
/// file untouched. One process at a time: flock(2) on the file.
struct StateJournal: ~Copyable, Sendable {
    private struct Line: Codable {
        var format: String?
        var state: ReferenceState?
        var changes: [ReferenceChange]?
    }

    private static let format = "demo-api state 1"
    private let path: String
    private let file: Int32

    private init(path: String, file: Int32) {
        self.path = path
        self.file = file
    }

    deinit {
        // A child that is being started holds a copy of the descriptor until it runs its program:
        // the lock has to be let go by itself.
        flock(file, LOCK_UN)
        close(file)
    }

    /// Opens the journal at `path`, or makes it there, and brings the state that it holds into
    /// `state`; a new one holds none.
    static func open(
        _ path: String, into state: inout ReferenceState
    ) throws(DemoError) -> StateJournal {
        let old = try locked(path)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileBytes.readAll(of: old.file)
        } catch {
            throw .stateUnusable(path: path, error)
        }
        if let found = try Self.state(in: bytes, path: path) { state = found }
        do throws(SystemError) {
            let new = try compacted(path: path, state: state)
            // The old file's lock has to last until the new one, locked, is in its place.
            _ = consume old
            return new
        } catch {
            throw .stateUnusable(path: path, error)
        }
    }

    /// Adds the changes of one answer, all or none.
    ///
    /// After an error the journal's end is unknown: nothing may be added any more.
    func append(_ changes: [ReferenceChange]) throws(DemoError) {
        do throws(SystemError) {
            try Self.write(Line(changes: changes), to: file)
            guard fsync(file) == 0 else { throw Self.failed("fsync") }
        } catch {
            throw .stateNotSaved(path: path, error)
        }
    }

    private static func state(
        in bytes: [UInt8], path: String
    ) throws(DemoError) -> ReferenceState? {
        // What follows the last newline was cut short.
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        guard !bytes.isEmpty else { return nil }
        guard !lines.isEmpty else { throw .stateNotOurs(path: path, line: 1) }
        var state = ReferenceState()
        for (index, bytes) in lines.enumerated() {
            // Whatever the decoder finds wrong, the line is not ours.
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)) else {
                throw .stateNotOurs(path: path, line: index + 1)
            }
            if index == 0, line.format == format, let snapshot = line.state {
                state = snapshot
            } else if index > 0, let changes = line.changes {
                for change in changes { state.apply(change) }
            } else {
                throw .stateNotOurs(path: path, line: index + 1)
            }
        }
        return state
    }

    /// Opens the file at `path` and locks it. Between the two another process may have put a new
    /// file in its place: then that one is tried.
    private static func locked(_ path: String) throws(DemoError) -> StateJournal {
        for _ in 0..<100 {
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            let opened = Glibc.open(path, flags, 0o600)
            guard opened >= 0 else { throw .stateUnusable(path: path, failed("open")) }
            let file = StateJournal(path: path, file: opened)
            guard flock(file.file, LOCK_EX | LOCK_NB) == 0 else { throw .stateInUse(path: path) }
            var locked = stat()
            var current = stat()
            guard fstat(file.file, &locked) == 0, locked.st_mode & S_IFMT == S_IFREG else {
                throw .stateUnusable(path: path, SystemError(operation: "open", code: EINVAL))
            }
            if lstat(path, &current) == 0, current.st_ino == locked.st_ino,
                current.st_dev == locked.st_dev
            {
                return file
            }
        }
        throw .stateInUse(path: path)
    }

    /// Writes a new file with `state` and puts it, locked, in the place of the one at `path`.
    private static func compacted(
        path: String, state: ReferenceState
    ) throws(SystemError) -> StateJournal {
        let temporary = path + ".new"
        // Left by a process that was killed; we hold the lock, so nobody uses it.
        unlink(temporary)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_APPEND
        let opened = Glibc.open(temporary, flags, 0o600)
        guard opened >= 0 else { throw failed("open") }
        let journal = StateJournal(path: path, file: opened)
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { throw failed("flock") }
        try write(Line(format: format, state: state), to: opened)
        guard fsync(opened) == 0 else { throw failed("fsync") }
        guard rename(temporary, path) == 0 else { throw failed("rename") }
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failed("open") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failed("fsync") }
        return journal
    }

    private static func write(_ line: Line, to file: Int32) throws(SystemError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes: Data
        do {
            bytes = try encoder.encode(line)
        } catch {
            // Integers, texts and arrays of them: there is nothing that JSON cannot hold.
            throw SystemError(operation: "encode", code: EINVAL)
        }
        try FileBytes.write([UInt8](bytes) + [0x0A], to: file)
    }

    private static func failed(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: errno)
    }
}
