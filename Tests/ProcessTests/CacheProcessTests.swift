import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct CacheProcessTests {
    private static let commands = [
        ["todo", "add", "x"], ["todo", "list"], ["status"], ["query", "SELECT 1"], ["sync"],
    ]

    private func expectRefusal(
        _ stage: Stage, code: Int32, _ sentence: String, commands: [[String]] = Self.commands
    ) async throws {
        let before = try stage.bytes(of: stage.cache)
        for arguments in commands {
            let ended = try await stage.run(.syncd, arguments)
            #expect(ended.code == code, "\(arguments): \(ended.errors)")
            #expect(ended.errors.contains(sentence), "\(ended.errors)")
            #expect(ended.output == "")
        }
        #expect(try stage.bytes(of: stage.cache) == before)
    }

    /// A cache with one todo, all of it in the main file.
    private func stageWithCache() async throws -> Stage {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        #expect(try await stage.syncd("todo", "add", "kept").code == 0)
        return stage
    }

    private func changeInside(_ stage: Stage, _ sql: String) async throws {
        let changed = try await stage.sqlite(sql + "; PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(changed.code == 0)
    }

    @Test func `a newer schema is refused untouched`() async throws {
        let stage = try await stageWithCache()
        try await changeInside(
            stage, "INSERT INTO migration VALUES(1000, 'later', 'SELECT 1', 0)")
        try await expectRefusal(stage, code: 74, "has schema 1000, but this syncd knows only up to")
    }

    @Test func `an edited migration is refused untouched`() async throws {
        let stage = try await stageWithCache()
        try await changeInside(stage, "UPDATE migration SET text = text || ' ' WHERE version = 1")
        try await expectRefusal(stage, code: 74, "was applied with another text")
    }

    @Test func `a file that is no database is refused untouched`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        try stage.write(String(repeating: "no database ", count: 1000), to: stage.cache)
        try await expectRefusal(stage, code: 74, "is not an SQLite database")
    }

    @Test func `a database of another program is refused untouched`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        try stage.write("", to: stage.cache)
        #expect(try await stage.sqlite("CREATE TABLE theirs(a)").code == 0)
        try await expectRefusal(stage, code: 74, "is a database of another program")
    }

    @Test func `another account is refused before anything changes`() async throws {
        let stage = try await stageWithCache()
        try await changeInside(stage, "SELECT 1")
        try stage.configure("http://127.0.0.1:10")
        try await expectRefusal(
            stage, code: 78, "the cache belongs to demo@example.com at http://127.0.0.1:9, but",
            commands: [["todo", "add", "x"], ["todo", "rm", "1"], ["sync"], ["run"]])
        #expect(try await stage.syncd("todo", "list").output.contains("kept"))
    }

    @Test func `a cache that is a link, or open to others, is refused`() async throws {
        let stage = try await stageWithCache()
        try FileManager.default.moveItem(atPath: stage.cache, toPath: stage.root + "/real")
        try FileManager.default.createSymbolicLink(
            atPath: stage.cache, withDestinationPath: stage.root + "/real")
        for arguments in [["todo", "add", "x"], ["status"]] {
            let ended = try await stage.run(.syncd, arguments)
            #expect([74, 78].contains(ended.code))
            #expect(ended.errors.contains("is a symbolic link"))
        }
    }

    @Test func `a state directory that others may write to is refused with the chmod`()
        async throws
    {
        let stage = try await stageWithCache()
        let folder = URL(fileURLWithPath: stage.cache).deletingLastPathComponent().path
        try #require(chmod(folder, 0o777) == 0)
        let ended = try await stage.syncd("todo", "add", "x")
        #expect(ended.code == 74)
        #expect(ended.errors.contains("Run: chmod go-w \(folder)"))
    }

    @Test func `a script that holds the write lock makes a write wait, then 75`() async throws {
        let stage = try await stageWithCache()
        let (holder, reader) = try stage.start(
            .sqlite3, [stage.cache], readingErrors: false,
            input: "BEGIN IMMEDIATE;\n.shell echo begun\n")
        defer { holder.kill(SIGKILL) }
        #expect(await reader.line(holding: "begun") != nil)
        let ended = try await stage.syncd("todo", "add", "x")
        #expect(ended.code == 75)
        #expect(try await stage.syncd("todo", "list").code == 0)
    }

    @Test func `who may read the directory may read the cache, but never the token`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let folder = URL(fileURLWithPath: stage.cache).deletingLastPathComponent().path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try #require(chmod(folder, 0o750) == 0)
        #expect(try await stage.syncd("sync").code == 0)
        var modes: [String: Int] = [:]
        for name in ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "token.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            modes[name] = attributes[.posixPermissions] as? Int
        }
        #expect(
            modes == [
                "cache.sqlite": 0o640, "cache.sqlite-wal": 0o640, "cache.sqlite-shm": 0o640,
                "token.json": 0o600,
            ])
    }

    @Test func `a cache of an older syncd is migrated by those that write, and told by the others`()
        async throws
    {
        let stage = try Stage()
        try stage.write("", to: stage.cache)
        let schema = DocumentExample.path("Migrations/0001_create_cache.sql")
        let table = """
            PRAGMA journal_mode = WAL; PRAGMA application_id = 0x73796e64;
            CREATE TABLE migration (
                version INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                text TEXT NOT NULL,
                applied_at INTEGER NOT NULL
            ) STRICT;
            INSERT INTO migration VALUES
                (1, 'create_cache', CAST(readfile('\(schema)') AS TEXT), 0);
            """
        let made = try await stage.run(
            .sqlite3,
            [
                stage.cache, table, ".read '\(schema)'",
                "INSERT INTO sync_requests(list) VALUES('all')",
            ])
        #expect(made.code == 0, "\(made.errors)")
        for command in [
            ["watch"], ["status"], ["status", "--watch"], ["movies", "--search", "x"], ["metrics"],
            ["query", "SELECT 1"], ["todo", "list"], ["backup", stage.root + "/copy"],
        ] {
            let ended = try await stage.run(.syncd, command)
            #expect(ended.code == 74)
            #expect(
                ended.errors.hasPrefix(
                    "syncd: the cache \(stage.cache) has schema 1 of an older syncd; "),
                "\(command)")
            #expect(ended.errors.contains("`syncd check --fix`"))
        }
        let found = try await stage.syncd("check", "--json")
        #expect(found.code == 1 && found.output.contains(#""fixable":true"#), "\(found.output)")
        let mended = try await stage.syncd("check", "--fix", "--json")
        #expect(mended.code == 0 && mended.output.contains(#""level":"mended""#))
        let copy = stage.cache + ".before-2"
        #expect(FileManager.default.fileExists(atPath: copy))
        let kept = try await stage.syncd("query", "SELECT list FROM sync_requests")
        #expect(kept.output == "list\nall\n")
        #expect(try await stage.syncd("check").code == 0)
    }
}
