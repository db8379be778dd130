import Foundation
import Glibc
import Testing

/// R11: a list that others refer to, whose file goes.
@Suite(.timeLimit(.minutes(3))) struct ReferredListProcessTests {
    /// A project and a task below it, pulled once.
    private func stage() async throws -> (Stage, Child) {
        let stage = try Stage()
        let projects = try stage.write(
            #"[{"id": 501, "title": "house"}]"#, to: "served/projects.json")
        let tasks = try stage.write(
            #"[{"id": 901, "title": "paint", "project_id": 501}]"#, to: "served/tasks.json")
        let (server, address) = try await stage.startServer(
            "--lists-take-writes", "--list", projects, "--list", tasks)
        try stage.configure(
            address, extra: ", \"servers\": {\"office\": {\"baseURL\": \"\(address)\"}}")
        try declare(stage, "projects")
        try declare(stage, "tasks", #", "list": \#(row("projects"))"#)
        let synced = try await stage.syncd("sync")
        try #require(synced.code == 0, "\(synced.errors)")
        return (stage, server)
    }

    private func row(_ list: String) -> String {
        #"{"row": "$.project_id", "of": "\#(list)", "write": "both"}"#
    }

    private func declare(
        _ stage: Stage, _ name: String, _ more: String = "", as list: String? = nil
    ) throws {
        try stage.write(
            """
            {"server": "office", "list": "/lists/\(list ?? name)", "id": "$.id", "interval": "1h",
             "create": true, "update": true, "delete": true,
             "columns": {"title": {"text": "$.title", "write": "both", "required": true}\(more)}}
            """, to: "config/syncd/lists/\(name).json")
    }

    private func remove(_ stage: Stage, _ name: String) throws {
        try FileManager.default.removeItem(
            atPath: stage.root + "/config/syncd/lists/\(name).json")
    }

    private static let parent = "INSERT INTO projects (title) VALUES ('garden')"
    private static let child = "INSERT INTO tasks (title, list) VALUES ('dig', 1)"

    @Test(arguments: [parent, child])
    func `R11: at a reload, the old configuration stays while changes wait`(sql: String)
        async throws
    {
        let (stage, server) = try await stage()
        defer { server.kill(SIGKILL) }
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        // Nothing is sent while the server is away.
        server.kill(SIGSTOP)
        #expect(try await stage.sqlite(sql).code == 0)
        try remove(stage, "projects")
        daemon.kill(SIGHUP)
        let line = await log.line(holding: "the old configuration stays")
        let sentence =
            "projects cannot be left out: rows of tasks refer to its rows, and a change of these lists waits. "
            + "Put its file projects.json back until nothing waits, or drop the changes: "
            + "`syncd outbox list` names them."
        #expect(line?.contains(sentence) == true, "\(log.lines)")
        server.kill(SIGCONT)
        #expect(await log.line(holding: "sent 1 change: 1 done") != nil, "\(log.lines)")
        // What was sent hinders no more.
        daemon.kill(SIGHUP)
        #expect(await log.line(holding: "the configuration was read again") != nil)
        #expect(
            await log.line(holding: "tasks: this list is not synced: ")?.contains(
                "columns.list refers to projects, and no list that is synced has this name") == true
        )
    }

    @Test func `R11: a name that changes in both files is refused while changes wait`()
        async throws
    {
        let (stage, server) = try await stage()
        defer { server.kill(SIGKILL) }
        #expect(try await stage.sqlite(Self.parent + ";" + Self.child).code == 0)
        try remove(stage, "projects")
        try declare(stage, "areas", as: "projects")
        try declare(stage, "tasks", #", "list": \#(row("areas"))"#)
        let synced = try await stage.syncd("sync")
        #expect(synced.code == 78)
        #expect(
            synced.errors.contains(
                "a change of tasks must be sent before its table can be made anew"),
            "\(synced.errors)")
        #expect(
            try await stage.sqlite("SELECT title, list, _state FROM tasks ORDER BY _id").output
                == "paint|1|synced\ndig|1|queued\n")
    }

    @Test(arguments: [(parent, "projects"), (child, "tasks")])
    func `R11: at a start, both lists stop, each change is told, and all go when the file is back`(
        sql: String, list: String
    ) async throws {
        let (stage, server) = try await stage()
        defer { server.kill(SIGKILL) }
        #expect(try await stage.sqlite(sql).code == 0)
        try remove(stage, "projects")
        #expect(try await stage.syncd("todo", "add", "milk").code == 0)
        let synced = try await stage.syncd("sync")
        #expect(synced.code == 78)
        #expect(
            synced.errors.contains("columns.list refers to projects, and no list that is synced"))
        let told =
            list == "tasks"
            ? "tasks: a change waits, but projects, which its rows refer to, is not synced. Put the file projects.json back"
            : "projects: a change waits, but no file declares this list. Put its file projects.json back"
        #expect(synced.errors.contains(told), "\(synced.errors)")
        #expect(try await stage.syncd("status").errors.contains(told))
        let milk = "SELECT state FROM todos WHERE title = 'milk'"
        #expect(try await stage.sqlite(milk).output == "synced\n")
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "1\n")
        try declare(stage, "projects")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "0\n")
    }

    @Test func `R11: the hint names the list at the end, and a broken file is corrected`()
        async throws
    {
        let (stage, server) = try await stage()
        defer { server.kill(SIGKILL) }
        #expect(try await stage.sqlite(Self.child).code == 0)
        try stage.write("{", to: "config/syncd/lists/projects.json")
        let status = try await stage.syncd("status")
        #expect(
            status.errors.contains(
                "but projects, which its rows refer to, is not synced. Correct the file projects.json, or drop"
            ), "\(status.errors)")
    }
}
