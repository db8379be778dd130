import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct BackupProcessTests {
    @Test func `a backup is a whole cache that only its owner reads, and can be restored`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a", "b").code == 0)
        let ended = try await stage.syncd("backup", "copy.sqlite")
        #expect(ended.code == 0, "\(ended.errors)")
        let copy = stage.root + "/copy.sqlite"
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let other = try Stage()
        let folder = URL(fileURLWithPath: other.cache).deletingLastPathComponent().path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: copy, toPath: other.cache)
        #expect(try await other.syncd("todo", "add", "c").code == 0)
        let titles = try await other.sqlite("SELECT title, state FROM todos ORDER BY id")
        #expect(titles.output == "a|queued\nb|queued\nc|queued\n")
        #expect(try await other.syncd("check").code == 0)
    }

    @Test func `a file that is there is left alone`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let path = try stage.write("mine", to: "copy.sqlite")
        let ended = try await stage.syncd("backup", path)
        #expect(ended.code == 65)
        #expect(ended.errors.contains(path))
        #expect(try stage.bytes(of: path) == Data("mine".utf8))
        #expect(try await stage.syncd("help", "backup").output.contains("\n  65   "))
    }

    @Test func `a place where no copy can be made is told, and not taken for the cache`()
        async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let ended = try await stage.syncd("backup", "nodir/x")
        #expect(ended.code == 74)
        #expect(
            ended.errors == "syncd: the copy \(stage.root)/nodir/x cannot be made: No such file or "
                + "directory. Check that its directory exists and that you may write to it.\n")
    }

    @Test func `a copy is taken while a script holds the write lock`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let (holder, reader) = try stage.start(
            .sqlite3, [stage.cache], readingErrors: false,
            input: "BEGIN IMMEDIATE;\nINSERT INTO todos(title) VALUES('open');\n.shell echo begun\n"
        )
        defer { holder.kill(SIGKILL) }
        #expect(await reader.line(holding: "begun") != nil)
        #expect(try await stage.syncd("backup", "copy.sqlite").code == 0)
        let copied = try await stage.run(
            .sqlite3, [stage.root + "/copy.sqlite", "SELECT title FROM todos"])
        #expect(copied.output == "a\n")
    }
}
