import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct TodoProcessTests {
    @Test func `todos are added, listed and removed without a server or a configuration`()
        async throws
    {
        let stage = try Stage()
        let added = try await stage.syncd("todo", "add", "buy milk", "call Ada")
        #expect(added.code == 0)
        #expect(added.output == "1\n2\n")
        #expect(
            added.errors
                == "syncd: no server is configured yet: todos stay here until `syncd setup` names one\n"
        )
        let listed = try await stage.syncd("todo", "list")
        #expect(listed.output.contains("1\tqueued\tbuy milk"))
        let found = try await stage.syncd("todo", "list", "--search", "ADA", "--json")
        let rows =
            try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]]
        #expect(rows?.map { $0["title"] as? String } == ["call Ada"])
        #expect(try await stage.syncd("todo", "rm", "1").code == 0)
        #expect(try await stage.syncd("todo", "list").output.contains("buy milk") == false)
        #expect(try await stage.syncd("outbox", "list").output.split(separator: "\n").count == 2)
    }

    @Test func `the cache is its owner's alone`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let folder = URL(fileURLWithPath: stage.cache).deletingLastPathComponent().path
        for path in [stage.cache, stage.cache + "-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `titles come one a line from standard input, all or none`() async throws {
        let stage = try Stage()
        let added = try await stage.run(
            .syncd, ["todo", "add", "-", "--json"], input: "one\ntwo\r\n- three")
        #expect(added.output == "[1,2,3]\n")
        let refused = try await stage.run(.syncd, ["todo", "add", "-"], input: "four\n\nfive\n")
        #expect(refused.code == 65)
        #expect(refused.errors.hasPrefix("syncd: title 2 is empty. "))
        let titles = try await stage.syncd("query", "SELECT title FROM todos ORDER BY id")
        #expect(titles.output == "title\none\ntwo\n- three\n")
    }

    @Test func `ids are taken all or none`() async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a", "b")
        let refused = try await stage.syncd("todo", "rm", "1", "9")
        #expect(refused.code == 65)
        #expect(refused.errors.hasPrefix("syncd: there is no todo 9. "))
        #expect(try await stage.syncd("query", "SELECT count(*) FROM todos").output.contains("2"))
        #expect(try await stage.syncd("outbox", "drop", "2").code == 0)
        #expect(try await stage.syncd("outbox", "drop", "2").code == 65)
        #expect(try await stage.syncd("query", "SELECT title FROM todos").output == "title\na\n")
    }

    @Test func `an id that is given twice is taken once`() async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a", "b")
        let removed = try await stage.syncd("todo", "rm", "2", "2")
        #expect(removed.code == 0, "\(removed.errors)")
        #expect(try await stage.syncd("outbox", "drop", "1", "1").code == 0)
        #expect(try await stage.syncd("todo", "list").output.split(separator: "\n").count == 1)
    }

    @Test func `a title that begins with a dash follows after two`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "-x").code == 64)
        #expect(try await stage.syncd("todo", "add", "--", "-x").code == 0)
        let lone = try await stage.syncd("todo", "add", "--", "-", input: "not this\n")
        #expect(lone.output == "2\n", "\(lone.errors)")
        let titles = try await stage.syncd("query", "SELECT title FROM todos ORDER BY id")
        #expect(titles.output == "title\n-x\n-\n")
    }

    @Test func `what a title could command a terminal is shown escaped`() async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a\u{1b}]52;c;x\u{7}\n<0>b\u{202e}")
        for arguments in [
            ["todo", "list"], ["outbox", "list"], ["query", "SELECT title FROM todos"],
        ] {
            let shown = try await stage.run(.syncd, arguments)
            #expect(shown.output.contains(#"a\u{1b}]52;c;x\u{7}\n<0>b\u{202e}"#))
            #expect(!shown.output.contains("\u{1b}"))
        }
    }
}
