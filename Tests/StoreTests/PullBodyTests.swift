import Declarations
import Rules
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `bodies of the list` {
    @Test(arguments: [
        ("", "malformed JSON"), (" ", "malformed JSON"), ("null", "null"), ("{}", "object"),
        ("7", "integer"), ("true", "true"), (#""x""#, "text"), ("[", "malformed JSON"),
        (#"[{"id":1,"title":"a"}"#, "malformed JSON"), ("[] []", "malformed JSON"),
        ("[]x", "malformed JSON"), (#"[{"id":1,"title":"a"},]"#, "malformed JSON"),
        ("<html><body>sign in</body></html>", "malformed JSON"), ("[{id:1}]", "malformed JSON"),
        (#"{"error":true,"reason":"x"}"#, "object"), ("\u{feff}[]", "malformed JSON"),
        ("['a']", "malformed JSON"), ("[1e]", "malformed JSON"),
    ])
    func `one that is no list fails the pull and changes nothing`(
        body: String, finding: String
    ) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list([(1, "kept")]), entityTag: "\"v1\"")
        await #expect(throws: StoreError.unusableBody("expected a list of todos, found \(finding)"))
        {
            try await cache.store.pull(body)
        }
        #expect(try await cache.rows("SELECT title FROM todos") == ["kept"])
        #expect(
            try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000)).validators
                != nil)
        try await cache.expectLawful()
    }

    @Test(arguments: [
        #"{"id":1,"title":"a"},{"id":1,"title":"a"}"#,
        #"{"id":1,"title":"a"}, {"id" : 1, "title" : "a"},{"id":1,"title":"a"}"#,
        #"{"id":"1","title":"a","n":[1]},{"id":"1","title":"a","n":[1]}"#,
    ])
    func `D6: equal rows of one id count once`(rows: String) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list([(9, "gone")]))
        let reconciled = try await cache.store.pull("[\(rows),{\"id\":2,\"title\":\"b\"}]")
        #expect(reconciled.rows == 2)
        #expect(reconciled.skipped == .none)
        #expect(reconciled.isComplete)
        #expect(
            try await cache.rows("SELECT title, server_id FROM todos") == ["a|1", "b|2"])
    }

    @Test(arguments: [
        #"{"id":1,"title":"a"},{"id":1,"title":"b"}"#,
        #"{"id":1,"title":"a"},{"id":"1","title":"a"}"#,
        #"{"id":1,"title":"a"},{"id":1,"title":"a","done":true}"#,
        #"{"id":1,"title":"a"},{"id":1,"title":"b"},{"id":1,"title":"a"}"#,
    ])
    func `D6: rows that differ under one id are all skipped, and such a pull removes nothing`(
        rows: String
    ) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list([(1, "kept"), (9, "hidden")]))
        for others in ["", #",{"id":2,"title":"c"}"#] {
            let reconciled = try await cache.store.pull("[\(rows)\(others)]")
            #expect(reconciled.rows == (others.isEmpty ? 0 : 1))
            #expect(
                reconciled.skipped.named.map(\.description)
                    == ["[0].id: another row has the same id and differs"])
            #expect(!reconciled.isComplete)
        }
        #expect(
            try await cache.rows("SELECT title, server_id FROM todos")
                == ["kept|1", "hidden|9", "c|2"])
        try await cache.expectLawful()
    }

    @Test(arguments: [
        "null", "7", "[]", "{}", "true", "\"\(String(repeating: "x", count: 1_048_577))\"",
    ])
    func `D6: a row whose title is no text is another program's, and hinders no decision`(
        title: String
    ) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list([(1, "a"), (9, "gone")]))
        let reconciled = try await cache.store.pull(
            "[{\"id\":1,\"title\":\"a\"},{\"id\":7,\"title\":\(title)}]")
        #expect(reconciled.rows == 1)
        #expect(reconciled.skipped.count == 1)
        #expect(reconciled.isComplete)
        #expect(try await cache.rows("SELECT title FROM todos") == ["a"])
    }

    @Test(arguments: [
        (#"[{"_id":1,"title":"a"},{"id":2}]"#, "the first row has `_id`, `title`"),
        (#"[{"id":1.5,"title":"a"}]"#, "the first row has `id`, `title`"),
        (#"[{"id":1,"name":"a"}]"#, "the first row has `id`, `name`"),
        ("[7,{}]", "the first row has no fields"), ("[{}]", "the first row has no fields"),
        ("[null,null]", "the first row has no fields"),
    ])
    func `D14: a list of which no row can be a todo is unusable, and the fields are named`(
        body: String, fields: String
    ) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list([(1, "kept")]), entityTag: "\"v1\"")
        await #expect(
            throws: StoreError.unusableBody("no row has a usable `id` and a `title`; \(fields)")
        ) { try await cache.store.pull(body) }
        #expect(try await cache.rows("SELECT title FROM todos") == ["kept"])
        let opening = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        #expect(opening.validators != nil)
    }

    @Test(arguments: [
        ("0", "0"), ("-1", "-1"), ("9007199254740993", "9007199254740993"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"), (#""7""#, "7"), (#""...""#, "..."),
        (#""a b/é""#, "a b/é"), (#""\u0041""#, "A"),
        ("\"\(String(repeating: "x", count: 200))\"", String(repeating: "x", count: 200)),
    ])
    func `an id that can be taken is kept as text`(id: String, expected: String) async throws {
        let cache = try Cache(.memory)
        let reconciled = try await cache.store.pull("[{\"id\":\(id),\"title\":\"a\"}]")
        #expect(reconciled.skipped.count == 0)
        #expect(try await cache.store.todos(search: nil).map(\.serverID) == [expected])
        try await cache.expectLawful()
    }

    @Test(arguments: [
        ("9223372036854775808", "an unusable integer"),
        (
            "-9223372036854775809",
            "an unusable integer"
        ), ("1.0", "real"), ("1e3", "real"), ("true", "true"),
        ("null", "null"), (#""""#, "an unusable text"), (#"".""#, "an unusable text"),
        (#""..""#, "an unusable text"), ("{}", "object"), ("[1]", "array"),
        ("\"\(String(repeating: "x", count: 201))\"", "an unusable text"),
        ("\"\(String(repeating: "é", count: 101))\"", "an unusable text"),
    ])
    func `a row with another id is skipped and named, the others are taken`(
        id: String, found: String
    ) async throws {
        let cache = try Cache(.memory)
        let reconciled = try await cache.store.pull(
            "[{\"id\":1,\"title\":\"a\"},{\"id\":\(id),\"title\":\"b\"},{\"id\":3,\"title\":\"c\"}]"
        )
        #expect(reconciled.rows == 2)
        #expect(reconciled.skipped.count == 1)
        #expect(
            reconciled.skipped.named.map(\.description)
                == ["[1].id: expected an integer or a text, found \(found)"])
        #expect(try await cache.rows("SELECT title FROM todos ORDER BY id") == ["a", "c"])
        try await cache.expectLawful()
    }

    @Test func `whatever else a row lacks is named by its place`() async throws {
        let cache = try Cache(.memory)
        let big = String(repeating: "x", count: 1_048_577)
        let reconciled = try await cache.store.pull(
            """
            [{"title":"no id"}, {"id":2}, {"id":3,"title":null}, {"id":4,"title":5}, null, 7, [], \
            {"id":8,"title":"\(big)"}, {"id":9,"title":"fine"}, {}, "text"]
            """)
        #expect(reconciled.rows == 1)
        #expect(reconciled.skipped.count == 10)
        #expect(
            reconciled.skipped.named.map(\.description) == [
                "[0].id: expected an integer or a text, found nothing",
                "[1].title: expected a text, found nothing",
                "[2].title: expected a text, found null",
                "[3].title: expected a text, found integer",
                "[4]: expected an object, found null, or a row of more than 1 MiB",
                "[5]: expected an object, found integer",
                "[6]: expected an object, found array",
                "[7].title: longer than 1 MiB",
                "[9].id: expected an integer or a text, found nothing",
                "[10]: expected an object, found text",
            ])
    }

    @Test func `of many skipped rows the first are named and all are counted`() async throws {
        let cache = try Cache(.memory)
        let reconciled = try await cache.store.pull(
            "[" + Array(repeating: "{}", count: 100).joined(separator: ",")
                + #",{"id":1,"title":"a"}]"#)
        #expect(reconciled.skipped.count == 100)
        #expect(reconciled.skipped.named.count == SkippedRows.namedAtMost)
        #expect(reconciled.rows == 1)
    }

    @Test(arguments: ["", "a\\nb", "\\u202e", "\\ud83d\\ude00", "\u{fffd}", "é", "\u{7f}"])
    func `any text is a title`(escaped: String) async throws {
        let cache = try Cache(.memory)
        #expect(try await cache.store.pull("[{\"id\":1,\"title\":\"\(escaped)\"}]").rows == 1)
        try await cache.expectLawful()
    }

    @Test func `a title of 1 MiB is taken, in full`() async throws {
        let cache = try Cache(.memory)
        let title = String(repeating: "é", count: 524_288)
        #expect(try await cache.store.pull("[{\"id\":1,\"title\":\"\(title)\"}]").rows == 1)
        #expect(try await cache.store.todos(search: nil).map(\.title) == [title])
        #expect(
            try await cache.store.pull("[{\"id\":1,\"title\":\"\(title)x\"}]").skipped.count == 1)
    }

    @Test func `a row as large as the body's limit is taken`() async throws {
        let cache = try Cache(.memory, maxBodyBytes: 3_000_000)
        let start = "[{\"id\":1,\"title\":\"" + String(repeating: "t", count: 1_048_576)
        let body = start + "\",\"note\":\""
        let rest = String(repeating: "n", count: 3_000_000 - body.utf8.count - 3) + "\"}]"
        #expect((body + rest).utf8.count == 3_000_000)
        #expect(try await cache.store.pull(body + rest).rows == 1)
        try await cache.expectLawful()
    }

    @Test func `more rows than the cap fail the pull`() async throws {
        let cache = try Cache(.memory)
        let body = "[" + String(repeating: "1,", count: Int(CacheStore.maxRows)) + "1]"
        await #expect(
            throws: StoreError.unusableBody(
                "the list has 2000001 rows, the limit is 2000000")
        ) { try await cache.store.pull(body) }
    }
}
