internal import CLinux
internal import Glibc

/// Opens files that a process obeys or takes secrets from. Only their owner can change such files,
/// and the owner is the user of the process or root.
///
/// The same holds for the directory of the file, because whoever may write to it can put another
/// file in the place of this one. In a sticky directory, such as /tmp, only the owner of a file can
/// do that. ``PathRisk`` judges the directories further up. Every question is put to an open
/// descriptor, so nothing can be exchanged in between.
struct TrustedFile: Sendable {
    /// Absolute.
    let path: String
    /// The effective user id.
    let user: UInt32

    /// As many as the kernel follows.
    static let mostLinks = 40

    /// Opens the file for reading, after its directory and those of the links to it were found safe, and
    /// hands over the status of what was opened: a regular file.
    func opened(
        followingLinks: Bool, judge: (FileStatus) throws(FileError) -> Void
    ) throws(FileError) -> Descriptor {
        var place = path
        for _ in 0...Self.mostLinks {
            let (parent, name) = try Self.split(place)
            let directory = try openedDirectory(parent, of: place)
            let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
            let opened = retryingInterrupts { openat(directory.number, name, flags) }
            if opened >= 0 {
                let file = Descriptor(opened)
                let status = try file.status(path: place)
                try status.requireRegularFile(path: place)
                try judge(status)
                return file
            }
            let error = FileError.last("open", place)
            guard followingLinks, case .symbolicLink = error else { throw error }
            let link = try FileStatus(of: name, in: directory.number, path: place)
            try link?.requireOwner(user, path: place)
            place = try Self.target(of: name, in: directory.number, path: place, parent: parent)
        }
        throw .system(path, SystemError(operation: "open", code: ELOOP))
    }

    /// A link to the directory is judged as one to the file is.
    private func openedDirectory(_ parent: String, of place: String) throws(FileError) -> Descriptor
    {
        var parent = parent
        for _ in 0...Self.mostLinks {
            let opened = retryingInterrupts { open(parent, Self.ofDirectory | O_NOFOLLOW) }
            if opened >= 0 { return try judged(Descriptor(opened), path: parent) }
            let error = FileError.last("open", place)
            guard let link = try? FileStatus(of: parent, in: AT_FDCWD, path: parent),
                link.kind == S_IFLNK
            else { throw error }
            try link.requireOwner(user, path: parent)
            let (above, name) = try Self.split(parent)
            let around = retryingInterrupts { open(above, Self.ofDirectory) }
            guard around >= 0 else { throw FileError.last("open", place) }
            let directory = try judged(Descriptor(around), path: above)
            parent = try Self.target(of: name, in: directory.number, path: parent, parent: above)
        }
        throw .system(place, SystemError(operation: "open", code: ELOOP))
    }

    private static let ofDirectory = SYNCD_O_PATH | O_DIRECTORY | O_CLOEXEC

    private func judged(
        _ directory: consuming Descriptor, path: String
    ) throws(FileError) -> Descriptor {
        let status = try directory.status(path: path)
        try status.requireUnwritten(by: user, path: path)
        return directory
    }

    /// Where the link `name` in `directory` leads to.
    static func target(
        of name: String, in directory: Int32, path: String, parent: String
    ) throws(FileError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(directory, name, &bytes, bytes.count)
        guard count >= 0 else { throw FileError.last("readlink", path) }
        let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return target.utf8.first == UInt8(ascii: "/") ? target : parent + "/" + target
    }

    /// By bytes: a combining mark behind a slash makes one character with it.
    private static func split(_ path: String) throws(FileError) -> (parent: String, name: String) {
        try FileError.checkPath(path)
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { throw .relativePath(path) }
        let name = String(decoding: bytes[(slash + 1)...], as: UTF8.self)
        guard !name.isEmpty, name != ".", name != ".." else { throw .unusablePath(path) }
        return (slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self), name)
    }
}

extension FileStatus {
    var isSticky: Bool { permissions & 0o1000 != 0 }

    /// Refuses what belongs to a third user, neither `user` nor root.
    func requireOwner(_ user: UInt32, path: String) throws(FileError) {
        guard owner == user || owner == 0 else {
            throw .foreignOwner(path, owner: owner, expected: user)
        }
    }

    /// Refuses a file or a directory that somebody other than `user` and root can change. A sticky
    /// directory passes: what is in it is judged by its own owner.
    func requireUnwritten(by user: UInt32, path: String) throws(FileError) {
        try requireOwner(user, path: path)
        guard !isWritableByOthers || isDirectory && isSticky else {
            throw .writableByOthers(path, isDirectory: isDirectory)
        }
    }

    /// Refuses a secret that somebody else can read. A file of `user`'s own is for nobody else. If root gives
    /// a file to `user`, then by its group, which root has chosen: the group may read it, too.
    func requireSecret(of user: UInt32, path: String) throws(FileError) {
        try requireOwner(user, path: path)
        guard permissions & (owner == user ? 0o077 : 0o037) == 0 else {
            throw owner == user ? .readableByOthers(path) : .readableByEverybody(path)
        }
    }
}
