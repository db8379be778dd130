import Glibc
import Testing

/// `declare` beside lists of the same server that the cache has.
@Suite(.timeLimit(.minutes(2))) struct DeclareReferenceProcessTests {
    @Test func `a field of ids of rows that are here becomes a row, and joins`() async throws {
        let stage = try Stage()
        let projects = try stage.write(
            #"[{"id": 501, "title": "house"}, {"id": 502, "title": "boat"}]"#,
            to: "served/projects.json")
        let tasks = try stage.write(
            #"[{"id": 1, "title": "paint", "project_id": 502}]"#, to: "served/tasks.json")
        let (server, address) = try await stage.startServer("--list", projects, "--list", tasks)
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        let declare = { (list: String) in
            try await stage.syncd("declare", "\(address)/lists/\(list)", "--write")
        }
        #expect(try await declare("projects").code == 0)
        #expect(try await stage.syncd("sync", "projects").code == 0)
        let declared = try await declare("tasks")
        #expect(declared.code == 0)
        #expect(
            declared.errors.contains(
                "columns.project_id: a row of projects, $.project_id: its one value is an id of projects here"
            ), "\(declared.errors)")
        #expect(try await stage.syncd("sync", "tasks").code == 0)
        let joined = try await stage.sqlite(
            """
            SELECT tasks.title, projects.title FROM tasks JOIN projects ON projects._id = tasks.project_id
            """)
        #expect(joined.output == "paint|boat\n", "\(joined.errors)")
    }
}
