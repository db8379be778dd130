import Foundation
import Glibc
import Testing

/// A new directory of this user alone, removed with what is in it when the value goes.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/syncd-configuration-tests.XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        let made = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        let real = try #require(realpath(made, nil))
        defer { free(real) }
        path = String(cString: real)
    }

    deinit {
        // What is left behind in the system's directory for such things harms nothing.
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(of name: String) -> String { path + "/" + name }

    /// Makes a file with exactly this mode.
    @discardableResult
    func write(_ name: String, _ text: String = "", mode: UInt32 = 0o600) throws -> String {
        let path = path(of: name)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
        try #require(fchmod(file, mode) == 0)
        return path
    }
}

/// Tests of ownership give files away, which only root may do.
let isRoot = geteuid() == 0
let somebodyElse: UInt32 = 65_534
