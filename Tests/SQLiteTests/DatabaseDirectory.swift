import Foundation
import SQLite
import Testing

/// A new directory with an empty database file in it, removed when the value goes.
final class DatabaseDirectory: Sendable {
    let path: String
    var database: String { path + "/test.sqlite" }

    init() throws {
        let made = FileManager.default.temporaryDirectory
            .appendingPathComponent("syncd-sqlite-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        // A link in any parent is refused by SQLITE_OPEN_NOFOLLOW.
        path = made.resolvingSymlinksInPath().path
        try #require(FileManager.default.createFile(atPath: path + "/test.sqlite", contents: nil))
    }

    deinit {
        // What is left behind in the system's directory for such things harms nothing.
        try? FileManager.default.removeItem(atPath: path)
    }

    func open(_ access: Connection.Access = .readWrite) throws(SQLiteError) -> Connection {
        try Connection(.file(database), access: access, busyTimeout: .zero)
    }
}

func memory() throws(SQLiteError) -> Connection {
    try Connection(.memory, access: .readWrite, busyTimeout: .zero)
}
