import Foundation
import Glibc

/// A new directory of this user alone, removed with what is in it when the value goes.
package final class TemporaryDirectory: Sendable {
    /// Without a link in it.
    package let path: String
    private let isKept: Bool

    /// Where tests wait for no disk, if the system has such a place: there are thousands of caches.
    package static let inMemory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    /// Makes it in `parent`; what `isKept` stays there for somebody who looks through it.
    package init(in parent: String = "/tmp", isKept: Bool = false) throws {
        guard let real = realpath(parent, nil) else { throw Self.failure() }
        defer { free(real) }
        var template = Array((String(cString: real) + "/syncd-tests.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure() }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.isKept = isKept
    }

    deinit {
        guard !isKept else { return }
        // What is left behind in the system's directory for such things harms nothing.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of the file with this name in it.
    package func path(of name: String) -> String { path + "/" + name }

    /// Makes a file with exactly this mode, and returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String = "", mode: UInt32 = 0o600) throws -> String {
        let path = path(of: name)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Self.failure() }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fchmod(file, mode) == 0 else {
            throw Self.failure()
        }
        return path
    }

    /// What the file with this name holds.
    package func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(of: name))), as: UTF8.self)
    }

    /// The names of what is in it, sorted.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    private static func failure() -> any Error {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
