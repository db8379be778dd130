internal import CLinux
internal import Glibc

/// Reads files that a person names: the configuration, and secrets.
public struct SmallFile: Sendable, Hashable {
    /// Absolute.
    public let path: String
    /// The most it may hold, in bytes.
    public let limit: Int

    /// The file at `path`; nothing is read yet.
    public init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    /// Whether something of this name is there, whatever it is; a link that leads nowhere, too.
    public var exists: Bool {
        var status = stat()
        return !path.utf8.contains(0) && lstat(path, &status) == 0
    }

    /// Reads the whole file; a link to it is followed.
    ///
    /// - Returns: All its bytes.
    /// - Throws: ``FileError`` when it is missing, no regular file (a FIFO is not waited for) or too
    ///   large.
    public func read() throws(FileError) -> [UInt8] {
        try FileError.checkPath(path)
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let opened = retryingInterrupts { open(path, flags) }
        guard opened >= 0 else { throw FileError.last("open", path) }
        let file = Descriptor(opened)
        try file.status(path: path).requireRegularFile(path: path)
        return try file.readAll(limit: limit, path: path)
    }

    /// Reads the whole file, which says what this process does; links to it are followed.
    ///
    /// - Parameter user: The effective user id. The file, the links to it and their directories must be this
    ///   user's or root's, and neither their groups nor others may write to them; a sticky directory,
    ///   such as /tmp, may be written to.
    /// - Returns: All its bytes, and why no secret may stand in them: nil where ``readSecret(user:)``
    ///   would take the file.
    /// - Throws: ``FileError`` as ``read()``, and for what others can change (the hint is the `chmod` or
    ///   `chown` to run).
    public func readTrusted(
        user: UInt32
    ) throws(FileError) -> (bytes: [UInt8], exposure: FileError?) {
        var exposure: FileError?
        let file = try TrustedFile(path: path, user: user).opened(followingLinks: true) {
            (status) throws(FileError) in
            try status.requireUnwritten(by: user, path: path)
            do throws(FileError) {
                try status.requireSecret(of: user, path: path)
            } catch {
                exposure = error
            }
        }
        return (try file.readAll(limit: limit, path: path), exposure)
    }

    /// Reads the whole file, which holds a secret.
    ///
    /// - Parameter user: The effective user id. The file must be this user's, and then nobody else may
    ///   read or write it; or root's, and then its group may read it, too. Its directory is judged as by
    ///   ``readTrusted(user:)``. `nil` for a file that the service manager guards (systemd's
    ///   credentials), whose owner and mode say nothing.
    /// - Returns: All its bytes.
    /// - Throws: ``FileError`` when it is missing, a symbolic link, no regular file, of another owner,
    ///   open to others (the hint is the `chmod` to run) or too large.
    public func readSecret(user: UInt32?) throws(FileError) -> [UInt8] {
        guard let user else {
            try FileError.checkPath(path)
            let file = try Descriptor(opening: path, in: AT_FDCWD, path: path, flags: O_RDONLY)
            try file.status(path: path).requireRegularFile(path: path)
            return try file.readAll(limit: limit, path: path)
        }
        let file = try TrustedFile(path: path, user: user).opened(followingLinks: false) {
            (status) throws(FileError) in try status.requireSecret(of: user, path: path)
        }
        return try file.readAll(limit: limit, path: path)
    }
}
