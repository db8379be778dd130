import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(2))) struct CheckProcessTests {
    private func findings(_ ended: Finished, level: String) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(ended.output.utf8))
        let all = try #require(document as? [[String: Any]])
        return all.filter { $0["level"] as? String == level }
    }

    @Test func `a fresh machine has nothing wrong`() async throws {
        let stage = try Stage()
        let ended = try await stage.syncd("check", "--json")
        #expect(ended.code == 0)
        let notes = try findings(ended, level: "note").compactMap { $0["problem"] as? String }
        #expect(notes.contains("there is no cache yet"))
        #expect(!FileManager.default.fileExists(atPath: stage.cache))
    }

    @Test func `a sound cache has no finding`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let ended = try await stage.syncd("check", "--json")
        #expect(ended.code == 0, "\(ended.output)")
        #expect(try findings(ended, level: "problem").isEmpty)
    }

    @Test func `files that others can read are found, and mended`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let folder = URL(fileURLWithPath: stage.cache).deletingLastPathComponent().path
        try #require(chmod(stage.cache, 0o644) == 0)
        try #require(chmod(folder + "/token.json", 0o640) == 0)
        let found = try await stage.syncd("check", "--json")
        #expect(found.code == 1)
        let problems = try findings(found, level: "problem")
        #expect(problems.map { $0["fixable"] as? Bool } == [true, true])
        #expect(
            problems.map { $0["hint"] as? String } == [
                "Run: chmod 600 \(stage.cache)", "Run: chmod 600 \(folder)/token.json",
            ])
        let mended = try await stage.syncd("check", "--fix", "--json")
        #expect(mended.code == 0)
        #expect(try findings(mended, level: "mended").count == 2)
        #expect(try await stage.syncd("check").code == 0)
    }

    @Test func `N14: a link in the place of a file is told, and what it leads to stays`()
        async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let token = stage.cache.replacing("cache.sqlite", with: "token.json")
        let other = try stage.write("precious", to: "other", mode: 0o644)
        try #require(unlink(token) == 0 && symlink(other, token) == 0)
        let found = try await stage.syncd("check", "--fix")
        #expect(found.code == 1)
        #expect(found.output.contains("\(token) is a symbolic link"), "\(found.output)")
        var status = stat()
        try #require(stat(other, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
    }

    @Test func `N6: who can replace the declaration of a list is told`() async throws {
        let stage = try Stage()
        try stage.write(
            #"{"movies": {"enabled": false}, "todos": {"enabled": false}}"#, to: stage.configuration
        )
        let lists = stage.root + "/open/lists"
        try stage.write(
            #"{"server": {"baseURL": "http://127.0.0.1:9"}, "list": "/n", "id": "$.id", "columns": {"a": "text $.a"}}"#,
            to: "open/lists/notes.json")
        let folder = stage.root + "/config/syncd/lists"
        try #require(symlink(lists, folder) == 0)
        #expect(
            try await stage.syncd("check").output.contains("it is a symbolic link to \(lists)"))
        try #require(chmod(stage.root + "/open", 0o777) == 0)
        let wide = try await stage.syncd("check")
        #expect(wide.code == 1)
        #expect(
            wide.output.contains("so others can replace \(folder)/notes.json"), "\(wide.output)")
    }

    @Test func `a damaged file is found`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "kept").code == 0)
        // An index that lacks a row of its table.
        let damaged = try await stage.sqlite(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET rootpage = (
                SELECT rootpage FROM sqlite_master WHERE name = 'hold')
            WHERE name = 'operation_of_row';
            """)
        #expect(damaged.code == 0)
        let ended = try await stage.syncd("check", "--json")
        #expect(ended.code == 1, "\(ended.errors)")
        #expect(try findings(ended, level: "problem").count >= 1)
        let table = try await stage.syncd("check")
        #expect(table.code == 1)
        #expect(table.output.contains("\nproblem\t"))
    }

    @Test func `a configuration that names another account is found, as sync does`() async throws {
        let stage = try Stage()
        func todos(_ email: String) -> String {
            #"{"movies": {"enabled": false}, "todos": {"baseURL": "http://127.0.0.1:1", "#
                + #""email": "\#(email)", "password": "x"}}"#
        }
        try stage.write(todos("ada@example.com"), to: stage.configuration)
        let other = try stage.write(todos("bob@example.com"), to: "other.json")
        // E-mails are compared without case.
        let same = try stage.write(todos("Ada@example.com"), to: "same.json")
        #expect(try await stage.syncd("todo", "add", "hers").code == 0)
        #expect(try await stage.syncd("sync", "--config", other).code == 78)
        for arguments in [["check"], ["check", "--fix"], ["status"]] {
            let ended = try await stage.run(.syncd, arguments + ["--config", other])
            #expect(ended.code == (arguments == ["status"] ? 0 : 1))
            let told = arguments == ["status"] ? ended.errors : ended.output
            #expect(told.contains("ada@example.com") && told.contains("bob@example.com"), "\(told)")
            #expect(told.contains("set this one aside: `syncd cache reset`"))
            let fine = try await stage.run(.syncd, arguments + ["--config", same])
            #expect(fine.code == 0, "\(fine.output)")
            #expect(!(fine.output + fine.errors).contains("belongs to"))
        }
        let found = try findings(
            try await stage.syncd("check", "--json", "--config", other), level: "problem")
        #expect(found.map { $0["subject"] as? String } == ["configuration"])
    }

    @Test func `secrets that others can read are found`() async throws {
        let stage = try Stage()
        let path = try stage.write("demo", to: "secrets/password", mode: 0o644)
        try stage.write(
            """
            {"todos": {"baseURL": "http://127.0.0.1:9", "email": "a@b.c", "passwordFile": "\(path)"}}
            """, to: stage.configuration)
        let ended = try await stage.syncd("check")
        #expect(ended.code == 1)
        #expect(ended.output.contains("chmod 600 \(path)"))
    }

    @Test func `F5: who else decides what the configuration says is told`() async throws {
        let stage = try Stage()
        let password = try stage.write("s3cret", to: "wide/private/password")
        let wide = stage.root + "/wide"
        try #require(chmod(wide, 0o777) == 0)
        let path = try stage.write(
            """
            {"movies": {"enabled": false}, "todos": {"baseURL": "http://127.0.0.1:9",
             "email": "a@b.c", "passwordFile": "\(password)"}}
            """, to: "real.json")
        let link = stage.root + "/link.json"
        try #require(symlink("real.json", link) == 0)
        let ended = try await stage.syncd("check", "--json", "--config", link)
        #expect(ended.code == 1)
        let problems = try findings(ended, level: "problem")
        #expect(problems.map { $0["subject"] as? String } == [wide])
        #expect(problems.first?["hint"] as? String == "Run: chmod go-w \(wide)")
        let notes = try findings(ended, level: "note").compactMap { $0["problem"] as? String }
        #expect(notes.contains("it is a symbolic link to \(path)"), "\(notes)")
        #expect(
            notes.contains(
                "any program that listens at http://127.0.0.1:9 before the server does gets the secret"
            ),
            "\(notes)")
    }

    @Test func `F7: a lock file that others can open is found, and mended`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let lock = try stage.write("", to: stage.cache + ".lock", mode: 0o640)
        let found = try findings(
            try await stage.syncd("check", "--json"), level: "problem")
        #expect(found.map { $0["hint"] as? String } == ["Run: chmod 600 \(lock)"])
        #expect(try await stage.syncd("check", "--fix").code == 0)
        #expect(try await stage.syncd("check").code == 0)
    }
}
