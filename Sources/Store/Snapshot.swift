internal import Glibc
internal import Host
internal import SQLite

/// A copy of the cache beside it: whole under its name, or not there.
struct Snapshot {
    /// The path of the copy.
    let name: String

    var exists: Bool { FileStatus.exists(name) }

    /// Lets `fill` write a draft, an empty file with `mode`, and gives it its name when it is on the
    /// disk: SQLite does not sync what VACUUM INTO writes. Another file is replaced only where
    /// `replaces` says so; else it throws ``StoreError/occupied(path:)``.
    func write(
        mode: mode_t, replaces: Bool, _ fill: (String) throws -> Void
    ) throws {
        let folder = Self.directory(of: name)
        let drafts = DraftName(
            of: name.unicodeScalars.split(separator: "/").last.map(String.init) ?? "")
        drafts.removeLeftovers(in: folder)
        // One process writes one copy of a name at a time: what has this one's number is litter.
        let draft = folder + "/" + drafts.candidate(0)
        unlink(draft)
        let making = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        try Self.withDescriptor(draft, making, mode: mode, for: name) { fchmod($0, mode) }
        do {
            try fill(draft)
            try Self.withDescriptor(draft, O_RDONLY | O_NOFOLLOW, for: name) { fsync($0) }
            try replaces ? Self.move(draft, to: name) : Self.moveWithoutReplacing(draft, to: name)
            try Self.syncDirectory(of: name)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Puts the names in the directory of `path` on the disk.
    static func syncDirectory(of path: String) throws {
        try withDescriptor(directory(of: path), O_RDONLY | O_DIRECTORY, for: path) { fsync($0) }
    }

    private static func move(_ draft: String, to name: String) throws {
        guard rename(draft, name) == 0 else { throw failure(name) }
    }

    /// A second name is refused where there is one already, in one step; not every file system has
    /// them.
    private static func moveWithoutReplacing(_ draft: String, to name: String) throws {
        if link(draft, name) == 0 {
            unlink(draft)
            return
        }
        guard errno != EEXIST, !FileStatus.exists(name) else {
            throw StoreError.occupied(path: name)
        }
        try move(draft, to: name)
    }

    /// An error names `target`, the file that a person knows of.
    private static func withDescriptor(
        _ path: String, _ flags: Int32, mode: mode_t = 0, for target: String,
        _ body: (Int32) -> Int32
    ) throws {
        let descriptor = retryingInterrupts { open(path, flags | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw failure(target, isOpening: true) }
        defer { close(descriptor) }
        guard retryingInterrupts({ body(descriptor) }) == 0 else { throw failure(target) }
    }

    static func failure(_ path: String, isOpening: Bool = false) -> StoreError {
        let code = errno
        guard code != ENOSPC, code != EDQUOT else { return .diskFull }
        let reason = String(cString: strerror(code))
        return isOpening
            ? .cannotOpen(path: path, reason: reason) : .inputOutput("\(path): \(reason)")
    }

    private static func directory(of path: String) -> String {
        let slash = path.unicodeScalars.lastIndex(of: "/")
        return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
