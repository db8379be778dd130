import Foundation
import Testing

/// What would be sent, asked before it is sent.
@Suite(.timeLimit(.minutes(2))) struct PlanProcessTests {
    /// Four creates, of which the second is in doubt and the fourth rejected, and another one of the
    /// second's title.
    private func stage() async throws -> Stage {
        let stage = try await Stage.outbox("queued", "in doubt", "queued", "rejected")
        #expect(try await stage.syncd("todo", "add", "todo 2").code == 0)
        return stage
    }

    @Test func `a plan tells the order, and what each change waits for`() async throws {
        let stage = try await stage()
        let before = try stage.bytes(of: stage.cache)
        let plan = try await stage.syncd("plan")
        #expect(plan.code == 0)
        #expect(
            plan.output == """
                turn\tseq\top\tlist\ttitle\tstate\twaits for
                1\t1\tcreate\ttodos\ttodo 1\tqueued\t
                2\t3\tcreate\ttodos\ttodo 3\tqueued\t
                \t2\tcreate\ttodos\ttodo 2\tin doubt\tthe pulls that decide its doubt
                \t4\tcreate\ttodos\ttodo 4\trejected\tyou: `syncd outbox retry 4` or `syncd outbox drop 4`
                \t5\tcreate\ttodos\ttodo 2\tqueued\toperation 2, of the same title

                """)
        #expect(
            plan.errors
                == "syncd: no daemon is running: nothing is sent before `syncd sync` or "
                + "`syncd run`\n")
        #expect(try stage.bytes(of: stage.cache) == before)
    }

    @Test func `what a dry run tells is what a sync then sends`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        #expect(try await stage.syncd("sync", "todos").code == 0)
        #expect(try await stage.syncd("todo", "rm", "1").code == 0)
        #expect(try await stage.syncd("todo", "add", "b", "a").code == 0)
        let dry = try await stage.syncd("sync", "--dry-run", "--json")
        #expect(dry.code == 0)
        let plan = try #require(
            try (JSONSerialization.jsonObject(with: Data(dry.output.utf8)) as? [[String: Any]])?
                .first)
        #expect(plan["list"] as? String == "todos")
        let changes = try #require(plan["changes"] as? [[String: Any]])
        #expect(changes.map { $0["turn"] as? Int } == [1, 2, 3])
        #expect(changes.map { $0["op"] as? String } == ["delete", "create", "create"])
        #expect(changes.map { $0["title"] as? String } == ["a", "b", "a"])
        #expect(changes.map { $0["waits_for"] as? String } == ["pull", nil, "operation"])
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "3\n")
        #expect(try await stage.syncd("sync", "todos").code == 0)
        #expect(
            try await stage.sqlite("SELECT title FROM todos ORDER BY CAST(server_id AS INTEGER)")
                .output == "b\na\n")
        let empty = try await stage.syncd("sync", "--dry-run")
        #expect(empty.errors.contains("nothing waits to be sent: a sync only pulls\n"))
        #expect(try await stage.syncd("sync", "movies", "--dry-run").code == 64)
    }

    @Test func `a wait is told with its moment, and a person's sync skips our own`() async throws {
        let stage = try Stage()
        // Nobody listens there.
        try stage.configure("http://127.0.0.1:1")
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        #expect(try await stage.syncd("sync", "todos").code == 69)
        // As after many failures: the wait outlasts this test.
        #expect(
            try await stage.sqlite("UPDATE sync_state SET due_ms = due_ms + 600000").code == 0)
        let waits = try await stage.syncd("plan")
        #expect(waits.errors.contains("syncd: todos: nothing is sent before 20"))
        let asked = try await stage.syncd("sync", "--dry-run")
        #expect(asked.code == 0)
        #expect(asked.errors == "syncd: nothing was sent: this was a dry run\n")
    }

    @Test func `an edit beneath a delete is told to end with it, and not to wait for a person`()
        async throws
    {
        let edits = try await EditStage(serving: #"[{"id":1,"title":"milk","done":false}]"#)
        try await edits.stopServer()
        #expect(
            try await edits.stage.sqlite(
                "UPDATE notes SET title = 'beer'; DELETE FROM notes"
            ).code == 0)
        let plan = try await edits.stage.syncd("plan")
        #expect(
            plan.output == """
                turn\tseq\top\tlist\ttitle\tstate\twaits for
                1\t2\tdelete\tnotes\tbeer\tqueued\tthe pull
                \t1\tupdate\tnotes\tbeer\tqueued\tthe delete of its row, with which it ends

                """)
    }

    @Test func `changes of a declared list are told with its name`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:1")
        try stage.write(
            """
            {"server": {"baseURL": "http://127.0.0.1:1"}, "list": "/notes", "id": "$.id", "create": true,
             "columns": {"title": {"text": "$.title", "write": "create", "required": true}}}
            """, to: "config/syncd/lists/notes.json")
        #expect(try await stage.syncd("add", "notes", "title=a").code == 0)
        #expect(try await stage.syncd("todo", "add", "b").code == 0)
        let plan = try await stage.syncd("plan")
        #expect(
            plan.output == """
                turn\tseq\top\tlist\ttitle\tstate\twaits for
                1\t1\tcreate\tnotes\ta\tqueued\t
                1\t2\tcreate\ttodos\tb\tqueued\t

                """)
        let dry = try await stage.syncd("sync", "notes", "--dry-run")
        #expect(dry.output.split(separator: "\n").count == 2)
    }
}
