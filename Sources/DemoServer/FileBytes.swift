import Glibc
import Host

/// The bytes of a file, read and written whole.
enum FileBytes {
    /// Reads the file at `path`; more than `limit` bytes are EFBIG.
    static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError(operation: "open", code: errno) }
        defer { close(file) }
        return try readAll(of: file, limit: limit)
    }

    /// Reads `file` from where it stands to its end; more than `limit` bytes are EFBIG.
    static func readAll(of file: Int32, limit: Int = .max) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(operation: "read", code: errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw SystemError(operation: "read", code: EFBIG) }
        }
    }

    /// Writes all of `bytes` to `file`.
    static func write(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress?.advanced(by: written), $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(operation: "write", code: errno) }
            written += count
        }
    }
}
