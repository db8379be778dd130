import Foundation
import Glibc
import Testing

/// A new directory of this user alone, removed with what is in it when the value goes.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/syncd-host-tests.XXXXXX".utf8CString)
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

    func names() throws -> [String] {
        let stream = try #require(opendir(path))
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

func mode(of path: String) throws -> UInt32 {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status.st_mode & 0o7777
}

func contents(of path: String) throws -> String {
    let file = open(path, O_RDONLY)
    try #require(file >= 0)
    defer { close(file) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    // Files of /proc come in pieces of a page.
    while true {
        let count = read(file, &chunk, chunk.count)
        try #require(count >= 0)
        if count == 0 { return String(decoding: all, as: UTF8.self) }
        all += chunk[..<count]
    }
}

/// Tests of ownership give files away, which only root may do.
let isRoot = geteuid() == 0
let somebodyElse: UInt32 = 65_534
