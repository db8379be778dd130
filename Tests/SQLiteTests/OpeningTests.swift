import Foundation
import SQLite
import Testing

@Suite struct `opening a database` {
    @Test(arguments: ["file:/tmp/x?mode=memory", "relative.sqlite", "", ":memory:"])
    func `a path that is not absolute is refused`(path: String) {
        let error = #expect(throws: SQLiteError.self) {
            try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
        }
        #expect(error?.code == .cannotOpen)
    }

    @Test func `P33: a path is no URI`() throws {
        let directory = try DatabaseDirectory()
        let name = directory.path + "/x?mode=memory&vfs=unix-none"
        try #require(FileManager.default.createFile(atPath: name, contents: nil))
        let connection = try Connection(.file(name), access: .readWrite, busyTimeout: .zero)
        try connection.execute(script: "CREATE TABLE kept (a)")
        let size = try FileManager.default.attributesOfItem(atPath: name)[.size] as? Int
        #expect((size ?? 0) > 0)
    }

    @Test func `a missing file is not made`() throws {
        let directory = try DatabaseDirectory()
        let name = directory.path + "/missing.sqlite"
        let error = #expect(throws: SQLiteError.self) {
            try Connection(.file(name), access: .readWrite, busyTimeout: .zero)
        }
        #expect(error?.code.primary == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: name))
    }

    @Test func `a symbolic link is refused`() throws {
        let directory = try DatabaseDirectory()
        let link = directory.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: directory.database)
        let error = #expect(throws: SQLiteError.self) {
            try Connection(.file(link), access: .readWrite, busyTimeout: .zero)
                .execute(script: "CREATE TABLE a (b)")
        }
        #expect(error?.code.primary == .cannotOpen)
    }

    @Test func `a read-only connection writes nothing`() throws {
        let directory = try DatabaseDirectory()
        try directory.open().execute(script: "CREATE TABLE a (b)")
        let reader = try directory.open(.readOnly)
        let error = #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO a VALUES (1)") }
        #expect(error?.code == .readOnly)
    }

    @Test func `a file that is no database is named so by its code`() throws {
        let directory = try DatabaseDirectory()
        try Data(String(repeating: "no database at all ", count: 100).utf8)
            .write(to: URL(fileURLWithPath: directory.database))
        let connection = try directory.open()
        let error = #expect(throws: SQLiteError.self) {
            try connection.count("SELECT count(*) FROM sqlite_schema")
        }
        #expect(error?.code == .notADatabase)
    }

    @Test func `what a file's schema says may not write to the schema or load code`() throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute(
                script: "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ''")
        }
        #expect(error != nil)
        let loading = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT load_extension('nothing')") { _ in () }
        }
        #expect(loading?.message.contains("not authorized") == true)
    }

    @Test func `double quotes are for names only`() throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) { try connection.statement("SELECT \"x\"") }
        #expect(error?.message == "no such column: x")
    }

    @Test func `P31: a text over the limit is too big`() throws {
        let connection = try memory()
        connection.limitLength(to: 1000)
        let fits = Value.text(String(repeating: "x", count: 1000))
        #expect(try connection.count("SELECT length(?)", fits) == 1000)
        let error = #expect(throws: SQLiteError.self) {
            try connection.count("SELECT length(?)", .text(String(repeating: "x", count: 1001)))
        }
        #expect(error?.code == .tooBig)
    }
}
