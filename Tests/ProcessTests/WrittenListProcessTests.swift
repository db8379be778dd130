import Foundation
import Glibc
import Testing

/// A list that a file declares, to which a person adds rows and deletes them, at a server that takes both.
@Suite(.timeLimit(.minutes(2))) struct WrittenListProcessTests {
    private static let theirs = #"[{"id": 5, "title": "theirs", "done": false}]"#

    /// A stage with the declared list `notes`, and how its server is started.
    private func stage() throws -> (Stage, [String]) {
        let stage = try Stage()
        let file = try stage.write(Self.theirs, to: "served/notes.json")
        return (stage, ["--lists-take-writes", "--list", file])
    }

    private func declare(at address: String, in stage: Stage) throws {
        try stage.configure(
            address, extra: ", \"servers\": {\"home\": {\"baseURL\": \"\(address)\"}}")
        try stage.write(
            """
            {"server": "home", "list": "/lists/notes", "id": "$.id", "create": true, "delete": true,
             "columns": {"title": {"text": "$.title", "write": "create", "required": true},
                         "done": {"boolean": "$.done", "write": "create"}}}
            """, to: "config/syncd/lists/notes.json")
    }

    /// What the server has, asked for without syncd.
    private func atServer(_ address: String, _ stage: Stage) async throws -> String {
        let ended = try await stage.run(
            Program(path: "/usr/bin/python3"),
            [
                "-c",
                "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())",
                address + "/lists/notes",
            ])
        try #require(ended.code == 0, "\(ended.errors)")
        return ended.output
    }

    @Test func `a row that was added offline is at the server once, and gone after its delete`()
        async throws
    {
        let (stage, arguments) = try stage()
        let (first, address) = try await stage.startServer(arguments)
        try declare(at: address, in: stage)
        first.kill(SIGKILL)
        _ = await first.ending()
        let added = try await stage.syncd("add", "notes", "title=milk", "done=true")
        #expect(added.output == "1\n", "\(added.errors)")
        #expect(added.errors == "")
        let refused = try await stage.syncd("sync", "notes")
        #expect(refused.code == 69)
        #expect(refused.errors.contains("changes still to be sent or decided: 1"))

        let port = String(address.split(separator: ":").last ?? "")
        let (server, _) = try await stage.startServer(port: port, arguments)
        defer { server.kill(SIGKILL) }
        for _ in 1...2 {
            let synced = try await stage.syncd("sync", "notes")
            #expect(synced.code == 0, "\(synced.errors)")
        }
        #expect(
            try await atServer(address, stage) == """
                [{"id": 5, "title": "theirs", "done": false},\
                {"id":1000001,"title":"milk","done":true}]

                """)
        let listed = try await stage.syncd("list", "notes", "--json")
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [NSDictionary])
        #expect(rows.map { $0["title"] as? String } == ["milk", "theirs"])
        #expect(rows.map { $0["_server_id"] as? String } == ["1000001", "5"])
        #expect(rows.allSatisfy { $0["_state"] as? String == "synced" })

        #expect(try await stage.syncd("rm", "notes", "1").code == 0)
        #expect(try await stage.sqlite("SELECT title FROM notes").output == "theirs\n")
        let deleted = try await stage.syncd("sync", "notes")
        #expect(deleted.code == 0, "\(deleted.errors)")
        #expect(
            try await atServer(address, stage)
                == "[{\"id\": 5, \"title\": \"theirs\", \"done\": false}]\n")
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "0\n")
        #expect(try await stage.syncd("check").code == 0)
    }

    @Test func `the outbox names the list of each row`() async throws {
        let (stage, _) = try stage()
        try declare(at: "http://127.0.0.1:9", in: stage)
        for words in [["notes", "title=milk"], ["todos", "title=bread"], ["notes", "title=tea"]] {
            let added = try await stage.run(.syncd, ["add"] + words)
            #expect(added.code == 0, "\(added.errors)")
        }
        let listed = try await stage.syncd("outbox", "list")
        let rows = listed.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).prefix(5)
                .joined(separator: "|")
        }
        #expect(
            rows == [
                "seq|op|row|title|state", "1|create|notes 1|milk|queued",
                "2|create|1|bread|queued", "3|create|notes 2|tea|queued",
            ])
        let document = try await stage.syncd("outbox", "list", "--json")
        let operations = try #require(
            try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [NSDictionary])
        #expect(operations.map { $0["list"] as? String } == ["notes", "todos", "notes"])
        #expect(operations.map { $0["row_id"] as? Int } == [1, 1, 2])
        #expect(operations.map { $0["todo_id"] as? Int } == [nil, 1, nil])
        // A dropped create takes its own row along, and not that of another list.
        #expect(try await stage.syncd("outbox", "drop", "1").code == 0)
        #expect(try await stage.sqlite("SELECT title FROM notes").output == "tea\n")
        #expect(try await stage.sqlite("SELECT title FROM todos").output == "bread\n")
    }

    @Test(
        arguments: [
            (
                ["add", "notes", "titel=milk"], 65,
                "has no column ‘titel’; the nearest one is title. A new row takes title, done."
            ),
            (["add", "notes", "done=true"], 65, "title of notes must be given"),
            (
                ["add", "notes", "title=milk", "done=yes"], 65,
                "done: expected true or false, found ‘yes’"
            ),
            (
                ["add", "notes", "title=milk", "_state=synced"], 65,
                "_state of notes cannot be given to a new row"
            ),
            (["add", "notes", "title"], 64, "‘title’ gives no value: write COLUMN=VALUE"),
            (["add", "notes", "title=a", "title=b"], 64, "title is given twice"),
            (["add", "notes"], 64, "needs the name of a list, and values"),
            (["add", "movies", "title=milk"], 65, "because the server has no call for it"),
            (["rm", "notes", "1"], 65, "notes has no row 1. See `syncd list notes`"),
            (["rm", "notes", "milk"], 64, "‘milk’ is not"),
            (["rm", "note", "1"], 64, "there is no list ‘note’; the nearest one is notes"),
        ] as [([String], Int32, String)])
    func `what cannot be is refused with a sentence, and changes nothing`(
        words: [String], status: Int32, sentence: String
    ) async throws {
        let (stage, _) = try stage()
        try declare(at: "http://127.0.0.1:9", in: stage)
        let refused = try await stage.run(.syncd, words)
        #expect(refused.code == status)
        #expect(refused.output == "")
        #expect(refused.errors.contains(sentence), "\(refused.errors)")
        let rows = try await stage.sqlite("SELECT count(*) FROM outbox")
        #expect(rows.output == "0\n" || rows.code != 0)
    }
}
