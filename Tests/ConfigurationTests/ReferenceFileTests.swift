import Configuration
import Declarations
import Glibc
import Host
import TestSupport
import Testing

/// Lists that refer to others, as the files of a configuration declare them.
@Suite struct ReferenceFileTests {
    let temporary: TemporaryDirectory

    init() throws {
        temporary = try TemporaryDirectory()
        try #require(mkdir(temporary.path(of: "lists"), 0o700) == 0)
    }

    private static func list(_ columns: String, server: String = "office") -> String {
        #"{"server": "\#(server)", "list": "/x", "id": "$.id", "columns": {"a": "text $.a"\#(columns)}}"#
    }

    private static func row(_ list: String) -> String {
        #", "p": {"row": "$.p", "of": "\#(list)"}"#
    }

    private func load() throws -> Settings {
        let servers =
            #""office": {"baseURL": "http://127.0.0.1:9"}, "shop": {"baseURL": "http://127.0.0.1:8"}"#
        let path = try temporary.write("config.json", "{\"servers\": {\(servers)}}")
        return try Settings.loadUsable(
            named: path,
            facts: ProcessFacts(
                environment: ["HOME": temporary.path(of: "home")], user: geteuid(),
                workingDirectory: temporary.path))
    }

    @Test func `a list of the same server is looked up`() throws {
        try temporary.write("lists/projects.json", Self.list(""))
        try temporary.write("lists/tasks.json", Self.list(Self.row("projects")))
        let settings = try load()
        #expect(settings.brokenLists.isEmpty)
        let tasks = settings.lists.first { $0.declaration.name.text == "tasks" }
        #expect(tasks?.declaration.references.first?.reference?.target?.isReadOnly == true)
    }

    @Test(arguments: [("office", 1), ("shop", 0)])
    func `a plain column is told beside a list of its own server`(server: String, count: Int) throws
    {
        try temporary.write("lists/projects.json", Self.list("", server: server))
        try temporary.write(
            "lists/tasks.json",
            #"""
            {"server": "office", "list": "/x", "id": "$.id", "create": true,
             "columns": {"project_id": {"integer": "$.project_id", "write": "create"}}}
            """#)
        #expect(try load().plainReferences.count == count)
    }

    @Test(arguments: [
        ("projects", "", "columns.p refers to projects, and no list that is synced has this name"),
        ("tasks.a", "", ""), ("tasks.b", "", "columns.p refers to tasks.b, which is no field"),
    ])
    func `a reference that leads nowhere stops its list alone`(
        of: String, more: String, sentence: String
    ) throws {
        try temporary.write("lists/notes.json", Self.list(""))
        try temporary.write("lists/tasks.json", Self.list(Self.row(of)))
        let settings = try load()
        let broken = settings.brokenLists.map { "\($0.error)" }
        #expect(broken.count == (sentence.isEmpty ? 0 : 1))
        #expect(broken.allSatisfy { $0.contains(sentence) }, "\(broken)")
        #expect(settings.lists.map(\.declaration.name.text).contains("notes"))
        #expect(settings.brokenLists.allSatisfy { $0.error.hint.hasSuffix(".") })
    }

    @Test func `a list of another server cannot be referred to`() throws {
        try temporary.write("lists/projects.json", Self.list("", server: "shop"))
        try temporary.write("lists/tasks.json", Self.list(Self.row("projects")))
        let broken = try load().brokenLists.map { "\($0.error)" }
        #expect(
            broken.map { $0.contains("which is a list of another server or account") } == [true])
    }

    @Test func `what refers to a broken list is broken too`() throws {
        try temporary.write("lists/projects.json", "{")
        try temporary.write("lists/steps.json", Self.list(Self.row("tasks")))
        try temporary.write("lists/tasks.json", Self.list(Self.row("projects")))
        let settings = try load()
        #expect(settings.brokenLists.map(\.name).sorted() == ["projects", "steps", "tasks"])
        #expect(settings.lists.isEmpty)
    }
}
