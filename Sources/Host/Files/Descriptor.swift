internal import CLinux
internal import Glibc

/// An open file descriptor that is closed when its owner goes.
struct Descriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens `name` relative to the directory `base`; never a link, never waiting for a FIFO's
    /// other end, never becoming the terminal's owner, never inherited by a child.
    init(
        opening name: String, in base: Int32, path: String, flags: Int32, mode: UInt32 = 0
    ) throws(FileError) {
        let all = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let opened = retryingInterrupts { openat(base, name, all, mode) }
        guard opened >= 0 else { throw FileError.last("open", path) }
        number = opened
    }

    func status(path: String) throws(FileError) -> FileStatus {
        var raw = stat()
        guard fstat(number, &raw) == 0 else { throw FileError.last("fstat", path) }
        return FileStatus(raw)
    }

    func sync(path: String) throws(FileError) {
        guard retryingInterrupts({ fsync(number) }) == 0 else {
            throw FileError.last("fsync", path)
        }
    }

    func setMode(_ mode: UInt32, path: String) throws(FileError) {
        guard fchmod(number, mode) == 0 else { throw FileError.last("fchmod", path) }
    }

    /// Writes all of `bytes`.
    func writeAll(_ bytes: [UInt8], path: String) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = retryingInterrupts {
                bytes.withUnsafeBytes { buffer in
                    write(number, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                }
            }
            guard count >= 0 else { throw FileError.last("write", path) }
            written += count
        }
    }

    /// Reads to the end of the file; more than `limit` bytes are an error.
    func readAll(limit: Int, path: String) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(65_536, limit + 1))
        while true {
            let count = retryingInterrupts {
                chunk.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
            }
            guard count >= 0 else { throw FileError.last("read", path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
        }
    }
}

extension FileError {
    /// The failure of a call on `path` that has just returned -1.
    static func last(_ operation: String, _ path: String) -> FileError {
        switch errno {
        case ENOENT: .missing(path)
        case ENOTDIR: .notADirectory(path)
        case ELOOP: .symbolicLink(path)
        // A socket, or a FIFO opened for writing that nobody reads.
        case ENXIO: .notARegularFile(path, kind: "a socket or a FIFO")
        case let code: .system(path, SystemError(operation: operation, code: code))
        }
    }

    /// Refuses what cannot be a path before it is handed to C, which would cut it at a NUL.
    static func checkPath(_ path: String, mustBeAbsolute: Bool = true) throws(FileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath(path) }
        guard !mustBeAbsolute || path.hasPrefix("/") else { throw .relativePath(path) }
    }
}
