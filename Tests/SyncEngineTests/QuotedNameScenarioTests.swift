import ReferenceAPI
import Store
import SyncEngine
import Testing
import Text

/// N2: names of members that hold quotes, with marks behind them that make them other characters.
@Suite struct QuotedNameScenarioTests {
    private static let names = [
        "a'b", "'\u{308}", "a'\u{308}) --", "'\u{20DD}'\u{200D}", "a''\u{301}; DROP TABLE notes",
        "\u{308}'",
    ]

    @Test(arguments: names, ["", #", "create": {}, "update": {}, "delete": {}"#])
    func `N2: a list with such a member is read and written`(name: String, more: String)
        async throws
    {
        var list = ReferenceList(
            rows: [#"{"id":1,"\#(name)":"one"}"#], paging: .none, size: 9)
        list.isWritable = true
        // By scalars, as the reader reads it.
        let path = name.quoted(by: "'", escaping: "\\\\'")
        let write = more.isEmpty ? "" : #", "write": "both""#
        let world = try await ListWorld(
            list, pages: #""none""#, columns: #""title": {"text": "$[\#(path)]"\#(write)}"#,
            more: more)
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows("SELECT title FROM notes") == ["one"])
        guard !more.isEmpty else { return }
        try await world.write(
            "UPDATE notes SET title = 'two'; INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        #expect(try await world.rows("SELECT title FROM notes ORDER BY _id") == ["two", "new"])
        #expect(world.atServer.first?.contains("two") == true, "\(world.atServer)")
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }
}
