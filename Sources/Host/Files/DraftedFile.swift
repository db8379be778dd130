internal import CLinux
internal import Glibc

/// A file that others see whole under its name, or not at all: it is written under another name first.
package struct DraftedFile: Sendable {
    /// The path of the file.
    package let path: String

    /// The file at `path`, in a directory that is there.
    package init(_ path: String) { self.path = path }

    /// Whether something has that name.
    package var exists: Bool { PathStatus.exists(path) }

    /// Lets `fill` write a draft, an empty file with `mode`, and gives it its name when it is on the
    /// disk. Another file is replaced only where `replaces` says so.
    ///
    /// Throws what `fill` throws, and ``FileError``: ``FileError/occupied(_:)`` where the name is taken.
    package func write(
        mode: UInt32, replaces: Bool, _ fill: (String) throws -> Void
    ) throws {
        let drafts = DraftName(
            of: path.unicodeScalars.split(separator: "/").last.map(String.init) ?? "")
        drafts.removeLeftovers(in: folder)
        // One process writes one file of a name at a time: what has this one's number is litter.
        let draft = folder + "/" + drafts.candidate(0)
        unlink(draft)
        try withDescriptor(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode) {
            fchmod($0, mode)
        }
        do {
            try fill(draft)
            try withDescriptor(draft, O_RDONLY | O_NOFOLLOW) { fsync($0) }
            try replaces ? move(draft) : moveWithoutReplacing(draft)
            try syncDirectory()
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Puts `bytes` in the place of what is there, unless `replaces` forbids that.
    package func write(_ bytes: [UInt8], mode: UInt32, replaces: Bool = true) throws {
        try write(mode: mode, replaces: replaces) { draft in
            let file = try Descriptor(
                opening: draft, in: AT_FDCWD, path: path, flags: O_WRONLY | O_NOFOLLOW)
            try file.writeAll(bytes, path: path)
        }
    }

    /// Gives the name to the file `other`, on the disk when it returns.
    package func takeName(of other: String) throws(FileError) {
        guard rename(other, path) == 0 else { throw .last("rename", path) }
        try syncDirectory()
    }

    /// Puts the names in the directory on the disk.
    package func syncDirectory() throws(FileError) {
        try withDescriptor(folder, O_RDONLY | O_DIRECTORY) { fsync($0) }
    }

    private func move(_ draft: String) throws(FileError) {
        guard rename(draft, path) == 0 else { throw .last("rename", path) }
    }

    /// A second name is refused where there is one already, in one step; not every file system has
    /// them.
    private func moveWithoutReplacing(_ draft: String) throws(FileError) {
        if link(draft, path) == 0 {
            unlink(draft)
            return
        }
        guard errno != EEXIST, !exists else { throw .occupied(path) }
        try move(draft)
    }

    /// An error names the file that a person knows of.
    private func withDescriptor(
        _ name: String, _ flags: Int32, mode: UInt32 = 0, _ body: (Int32) -> Int32
    ) throws(FileError) {
        let descriptor = retryingInterrupts { open(name, flags | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw .last("open", path) }
        defer { close(descriptor) }
        guard retryingInterrupts({ body(descriptor) }) == 0 else { throw .last("fsync", path) }
    }

    private var folder: String {
        let slash = path.unicodeScalars.lastIndex(of: "/")
        return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
