import Declarations
import Foundation
import SQLite
import Tables
import Testing
import Text

/// A declaration of the tests, from its file.
private func declaration(_ name: String) throws -> Declaration {
    let path = folder.appending(path: "\(name).json")
    return try Declaration.stored(String(contentsOf: path, encoding: .utf8), name: name)
}

private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

private let movies = Declaration.movies(
    isEnabled: true, language: nil, region: nil, interval: .seconds(60))

/// What the generated objects need of the rest of the schema.
private let common = """
    CREATE TABLE control (id INTEGER PRIMARY KEY, applying INTEGER NOT NULL, paused TEXT) STRICT;
    INSERT INTO control VALUES (1, 1, NULL);
    CREATE TABLE change (rev INTEGER PRIMARY KEY, resource TEXT, change TEXT, row_id INTEGER, title TEXT)
        STRICT;
    """

@Suite struct `the SQL of a declared list` {
    private func check(_ declaration: Declaration) throws {
        let table = ListTable(declaration)
        var text = table.schema.map { $0.sql + ";\n" }.joined(separator: "\n")
        let pull = table.pull
        let parts =
            pull.prepare.map { ("prepare", $0) } + pull.clear.map { ("clear", $0) }
            + [
                ("envelope", pull.envelope), ("stage", pull.stage),
                ("nameSkipped", pull.nameSkipped),
                ("stageUnchanged", pull.stageUnchanged), ("read", pull.read),
            ] + pull.compare.map { ("compare", $0) }
            + [
                ("noteNew", pull.noteNew), ("noteChanged", pull.noteChanged),
                ("upsert", pull.upsert),
            ]
        text += parts.map { "\n-- \($0)\n\($1);\n" }.joined()
        let file = folder.appending(path: "\(declaration.name).sql")
        if ProcessInfo.processInfo.environment["SYNCD_WRITE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)

        let connection = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
        try connection.execute(script: common)
        for object in table.schema { try connection.execute(script: object.sql) }
        for sql in pull.prepare { try connection.run(sql) }
        for (_, sql) in parts { _ = try connection.statement(sql) }
        // Once more, with what a program says that does not trust the schema.
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("INSERT INTO change (resource) VALUES ('x')")
    }

    @Test func `of the movies is the one that was read`() throws { try check(movies) }

    @Test(arguments: ["issues", "hostile", "wide"])
    func `is the one that was read`(name: String) throws {
        try check(declaration(name))
    }
}
