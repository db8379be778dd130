import Foundation
import Synchronization

/// The files of this repository, found from where this file was compiled.
struct Repository {
    private let root: URL

    init(file: String = #filePath) {
        // Tests/HouseTests/Repository.swift is three steps below the top.
        root = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Paths relative to the top of every file below `folder` (the whole repository for ""),
    /// sorted; build products and the history are left out.
    func files(below folder: String = "", suffix: String = "") throws -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: start.path)
        var found: [String] = []
        for name in names where ![".build", ".git", ".swiftpm"].contains(name) {
            let path = folder.isEmpty ? name : folder + "/" + name
            if isDirectory(path) {
                found += try files(below: path, suffix: suffix)
            } else if name.hasSuffix(suffix) {
                found.append(path)
            }
        }
        return found.sorted()
    }

    /// Swift files of the rooms: everything under Sources and Migrations.
    func roomFiles() throws -> [String] {
        try files(below: "Sources", suffix: ".swift") + files(below: "Migrations", suffix: ".swift")
    }

    func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The code of a Swift file, which is read once for all tests.
    func code(of path: String) throws -> SwiftCode {
        if let read = Self.read.withLock({ $0[path] }) { return read }
        let code = SwiftCode(try text(of: path))
        Self.read.withLock { $0[path] = code }
        return code
    }

    private static let read = Mutex<[String: SwiftCode]>([:])

    /// Whether a file or folder is there.
    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private func isDirectory(_ path: String) -> Bool {
        var isDirectory = ObjCBool(false)
        let exists = FileManager.default.fileExists(
            atPath: root.appending(path: path).path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue
    }

    /// `Store` for `Sources/Store/Rows.swift`, `Migrations` for a file of that folder.
    static func room(of path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        return parts[0] == "Migrations" ? "Migrations" : parts[1]
    }
}
