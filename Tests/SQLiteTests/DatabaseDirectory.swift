import SQLite
import TestSupport

/// A new directory with an empty database file in it, removed when the value goes.
final class DatabaseDirectory: Sendable {
    private let folder: TemporaryDirectory
    let database: String
    var path: String { folder.path }

    init() throws {
        folder = try TemporaryDirectory()
        database = try folder.write("test.sqlite")
    }

    func open(_ access: Connection.Access = .readWrite) throws(SQLiteError) -> Connection {
        try Connection(.file(database), access: access, busyTimeout: .zero)
    }
}

func memory() throws(SQLiteError) -> Connection {
    try Connection(.memory, access: .readWrite, busyTimeout: .zero)
}
