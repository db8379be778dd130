internal import CLinux
internal import Glibc

extension StateDirectory {
    /// Reads the whole of a small file that must be ours alone to write.
    ///
    /// - Parameters:
    ///   - name: A single name, not a path.
    ///   - limit: In bytes; more is an error.
    /// - Returns: The bytes, or `nil` when there is no such file.
    /// - Throws: ``FileError`` if the file is a link, has several names, is not a regular file, has
    ///   another owner, may be written by others, or is too large.
    public func readFile(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        let path = try checkedPath(of: name)
        return try withDescriptor { (directory) throws(FileError) in
            guard let seen = try FileStatus(of: name, in: directory.number, path: path) else {
                return nil
            }
            // A FIFO or a device is refused unopened: to open one can have an effect.
            try seen.requirePrivate(to: user, path: path)
            let file = try Descriptor(
                opening: name, in: directory.number, path: path, flags: O_RDONLY)
            try file.status(path: path).requirePrivate(to: user, path: path)
            return try file.readAll(limit: limit, path: path)
        }
    }

    /// Reads a small file that holds a secret: as ``readFile(_:limit:)``, and others may not read it.
    ///
    /// - Parameters:
    ///   - name: A single name, not a path.
    ///   - limit: In bytes; more is an error.
    /// - Returns: The bytes, or `nil` when there is no such file.
    /// - Throws: ``FileError``; ``FileError/readableByOthers(_:)`` names the `chmod` to run.
    public func readPrivateFile(_ name: String, limit: Int) throws(FileError) -> [UInt8]? {
        let path = try checkedPath(of: name)
        let isOpen = try withDescriptor { (directory) throws(FileError) in
            try FileStatus(of: name, in: directory.number, path: path)?.isOpenToOthers ?? false
        }
        guard !isOpen else { throw .readableByOthers(path) }
        return try readFile(name, limit: limit)
    }

    /// Puts `bytes` in the place of the file `name`, or makes it. After a crash or a power loss,
    /// there is either the whole old file or the whole new one. Once this returns, it is the new
    /// one.
    ///
    /// A file that stands there is replaced whatever it is, a link too; what a link leads to is not
    /// touched. The new file has `mode` from its first byte, whatever the umask.
    ///
    /// - Parameters:
    ///   - name: A single name, not a path.
    ///   - bytes: The whole new content.
    ///   - mode: 0600 for what is private.
    /// - Throws: ``FileError``; the old file stands untouched then, unless the last step failed, which
    ///   is to put the new name on the disk.
    public func replaceFile(
        _ name: String, with bytes: [UInt8], mode: UInt32 = 0o600
    ) throws(FileError) {
        let path = try checkedPath(of: name)
        try withDescriptor { (directory) throws(FileError) in
            let temporary = try makeTemporary(
                for: name, in: directory.number, mode: mode, path: path)
            do throws(FileError) {
                // The umask can only have taken bits away: the file was never wider than `mode`.
                try temporary.file.setMode(mode, path: path)
                try temporary.file.writeAll(bytes, path: path)
                try temporary.file.sync(path: path)
                guard renameat(directory.number, temporary.name, directory.number, name) == 0 else {
                    throw FileError.last("rename", path)
                }
            } catch {
                unlinkat(directory.number, temporary.name, 0)
                throw error
            }
            try directory.sync(path: self.path)
        }
    }

    /// Removes the file `name`, or the link of that name. That it is missing is not an error.
    ///
    /// - Parameter name: A single name, not a path.
    /// - Throws: ``FileError`` when the kernel refuses.
    public func removeFile(_ name: String) throws(FileError) {
        let path = try checkedPath(of: name)
        try withDescriptor { (directory) throws(FileError) in
            guard unlinkat(directory.number, name, 0) == 0 else {
                if errno == ENOENT { return }
                throw FileError.last("unlink", path)
            }
            try directory.sync(path: self.path)
        }
    }

    /// The path of `name`, which must be the name of something in this very directory.
    func checkedPath(of name: String) throws(FileError) -> String {
        try FileError.checkPath(name, mustBeAbsolute: false)
        guard name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
            throw .unusablePath(name)
        }
        return path(of: name)
    }

    /// Makes a file beside `name` that no other thread and no other process has.
    private func makeTemporary(
        for name: String, in directory: Int32, mode: UInt32, path: String
    ) throws(FileError) -> TemporaryFile {
        let drafts = DraftName(of: name)
        drafts.removeLeftovers(in: self.path)
        for number in 0..<100 {
            let temporary = drafts.candidate(number)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let opened = retryingInterrupts { openat(directory, temporary, flags, mode) }
            if opened >= 0 {
                return TemporaryFile(file: Descriptor(opened), name: temporary)
            }
            guard errno == EEXIST else { throw FileError.last("open", path) }
        }
        throw .system(path, SystemError(operation: "open", code: EEXIST))
    }
}

/// A new file that is not yet in its place.
private struct TemporaryFile: ~Copyable {
    let file: Descriptor
    let name: String
}
