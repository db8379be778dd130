import Declarations
import Foundation
import SQLite
import Store
import Testing

@Suite struct `inserting into todos` {
    @Test(arguments: StorePlace.allCases)
    func `P4: a title becomes a queued todo with its create`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.write("INSERT INTO todos (title) VALUES (?)", .text("milk"))
        let todo = try #require(try await cache.store.todos(search: nil).first)
        #expect(todo.title == "milk")
        #expect(todo.state == "queued")
        #expect(todo.serverID == nil)
        #expect(todo.error == nil)
        #expect(todo.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        let operation = try #require(try await cache.store.outbox().first)
        #expect(operation.kind == "create")
        #expect(operation.row == todo.id.rawValue)
        #expect(operation.attempts == 0)
        #expect(operation.notBefore == nil)
        #expect(operation.idempotencyKey.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(operation.queuedAt == todo.createdAt)
        try await cache.expectLawful()
    }

    @Test func `D15: one letter off is no table`() async throws {
        let cache = try Cache()
        let error = await #expect(throws: SQLiteError.self) {
            try await cache.write("INSERT INTO todo (title) VALUES ('one letter off')")
        }
        #expect(error?.message == "no such table: todo")
    }

    @Test func `the times are the clock's, to the millisecond`() async throws {
        let cache = try Cache()
        let before = Date().timeIntervalSince1970
        try await cache.write("INSERT INTO todos (title) VALUES ('x')")
        let after = Date().timeIntervalSince1970
        let made = try await cache.store.withConnection {
            try $0.count(
                """
                SELECT CAST(round((julianday(created_at) - 2440587.5) * 86400000.0) AS INTEGER) FROM todos
                """)
        }
        #expect(made >= Int64(before * 1000) - 1 && made <= Int64(after * 1000) + 1)
    }

    @Test func `every millisecond is shown as it is`() async throws {
        let cache = try Cache(.memory)
        let wrong = try await cache.rows(
            """
            WITH RECURSIVE n(ms) AS (
                SELECT 1700000000000 UNION ALL SELECT ms + 1 FROM n WHERE ms < 1700000009999)
            SELECT ms FROM n WHERE
                strftime('%Y-%m-%dT%H:%M:%fZ', ms / 1000.0, 'unixepoch') IS NOT
                strftime('%Y-%m-%dT%H:%M:%S', ms / 1000, 'unixepoch')
                    || printf('.%03dZ', ms % 1000)
            """)
        #expect(wrong == [])
    }

    @Test(
        arguments: StorePlace.allCases,
        ["", "OR IGNORE ", "OR REPLACE ", "OR FAIL ", "OR ROLLBACK "])
    func `a title that cannot be is refused whatever the conflict clause`(
        place: StorePlace, clause: String
    ) async throws {
        let cache = try Cache(place)
        let insert = "INSERT \(clause)INTO todos (title) VALUES (?)"
        for (value, sentence) in refusedTitles {
            try await cache.expectRefusal(sentence, of: insert, value)
        }
        try await cache.expectLawful()
    }

    @Test(arguments: [
        "é", "日本語", "👩‍👩‍👧", "e\u{301}", "\u{202e}rtl", "\u{fffd}", "\u{ffff}", "\u{fffe}",
        "\u{10ffff}", "\u{1fffe}", "\u{1}\u{7f}\u{80}", "a'b\"c%d_e\\", " a ", "a\n",
        "\u{feff}bom", "😀 and ASCII",
    ])
    func `any other text is taken as it is`(title: String) async throws {
        let cache = try Cache(.memory)
        try await cache.write("INSERT INTO todos (title) VALUES (?)", .text(title))
        let bytes = try await cache.rows("SELECT hex(title) FROM todos")
        #expect(
            bytes == [
                title.utf8.map { byte in
                    let digits = String(byte, radix: 16, uppercase: true)
                    return byte < 16 ? "0" + digits : digits
                }.joined()
            ])
    }

    @Test(arguments: StorePlace.allCases)
    func `4096 bytes are taken, in one-byte and in other characters`(place: StorePlace) async throws
    {
        let cache = try Cache(place)
        for title in [String(repeating: "x", count: 4096), String(repeating: "é", count: 2048)] {
            try await cache.write("INSERT INTO todos (title) VALUES (?)", .text(title))
        }
        #expect(try await cache.store.todos(search: nil).map(\.title.utf8.count) == [4096, 4096])
        for title in [
            String(repeating: "x", count: 4097), String(repeating: "é", count: 2048) + "x",
            String(repeating: "x", count: 2_000_000),
        ] {
            try await cache.expectRefusal(
                "the title of a todo must not be longer than 4096 bytes",
                of: "INSERT INTO todos (title) VALUES (?)", .text(title))
        }
        try await cache.expectLawful()
    }

    @Test func `bytes are refused, and a number is a text`() async throws {
        let cache = try Cache()
        let error = await #expect(throws: SQLiteError.self) {
            try await cache.write("INSERT OR IGNORE INTO todos (title) VALUES (x'61')")
        }
        #expect(error?.message == "cannot store BLOB value in TEXT column todos.title")
        try await cache.write("INSERT INTO todos (title) VALUES (7)")
        #expect(try await cache.rows("SELECT typeof(title), title FROM todos") == ["text|7"])
    }

    @Test func `only the title can be given`() async throws {
        let cache = try Cache()
        for column in ["state", "server_id", "created_at", "error"] {
            try await cache.expectRefusal(
                "only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)",
                of: "INSERT OR IGNORE INTO todos (title, \(column)) VALUES ('x', 1)")
        }
        try await cache.expectRefusal(
            "the title of a todo must be text", of: "INSERT OR IGNORE INTO todos DEFAULT VALUES")
    }

    @Test func `one bad title of many undoes the whole statement`() async throws {
        let cache = try Cache()
        try await cache.expectRefusal(
            "the title of a todo must not be empty",
            of: "INSERT OR IGNORE INTO todos (title) VALUES ('a'), (''), ('b')")
        #expect(try await cache.store.todos(search: nil).isEmpty)
    }

    @Test(arguments: StorePlace.allCases)
    func `ten thousand rows in one statement are as many operations`(place: StorePlace) async throws
    {
        let cache = try Cache(place)
        try await cache.write(
            """
            INSERT INTO todos (title)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            SELECT 'todo ' || i FROM n
            """)
        #expect(try await cache.store.queueCounts().queued == 10_000)
        #expect(
            try await cache.rows("SELECT count(DISTINCT idempotency_key) FROM outbox") == ["10000"])
        #expect(
            try await cache.rows("SELECT count(*) FROM outbox WHERE title <> 'todo ' || todo_id")
                == ["0"])
        try await cache.expectLawful()
        try await cache.write("DELETE FROM todos")
        #expect(try await cache.store.queueCounts().total == 0)
        #expect(try await cache.store.add("next") == TodoID(rawValue: 10_001))
        try await cache.expectLawful()
    }

    @Test func `P2: a rollback undoes the todo and its operation`() async throws {
        let cache = try Cache()
        let script = try cache.script()
        try script.execute(
            script: """
                BEGIN; INSERT INTO todos (title) VALUES ('a'), ('b');
                DELETE FROM todos WHERE title = 'a'; ROLLBACK;
                """)
        #expect(try await cache.store.todos(search: nil).isEmpty)
        #expect(try await cache.store.outbox().isEmpty)
    }

    @Test func `a script learns the new id in its own transaction`() async throws {
        let cache = try Cache()
        let script = try cache.script()
        _ = try await cache.store.add("milk")
        let id = try script.transaction {
            try script.run("INSERT INTO todos (title) VALUES ('milk')")
            return try script.count("SELECT max(id) FROM todos WHERE title = ?", .text("milk"))
        }
        #expect(id == 2)
    }

    @Test(arguments: StorePlace.allCases)
    func `a local id is never used again`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let first = try await cache.store.add("milk")
        try await cache.store.removeTodos([first])
        #expect(try await cache.store.outbox().isEmpty)
        #expect(try await cache.store.add("milk") > first)
    }

    @Test(arguments: ["title = 'x'", "state = 'synced'", "id = 5"])
    func `an update is refused with what to do instead`(change: String) async throws {
        let cache = try Cache()
        _ = try await cache.store.add("milk")
        for clause in ["", "OR IGNORE ", "OR REPLACE "] {
            try await cache.expectRefusal(
                """
                a todo cannot be changed, because the server has no call for it: delete it and \
                insert a new one
                """, of: "UPDATE \(clause)todos SET \(change)")
        }
    }

    @Test func `many titles are added all or none, and their ids returned in order`() async throws {
        let cache = try Cache()
        #expect(try await cache.store.addTodos(["a", "b", "a"]).map(\.rawValue) == [1, 2, 3])
        await #expect(throws: StoreError.refused("the title of a todo must not be empty")) {
            try await cache.store.addTodos(["c", ""])
        }
        #expect(try await cache.store.todos(search: nil).map(\.title) == ["a", "b", "a"])
        #expect(try await cache.store.todos(search: "A").map(\.id.rawValue) == [1, 3])
        #expect(try await cache.store.todos(search: "%").isEmpty)
    }

    @Test(arguments: [
        ("cafe", []), ("CAFÉ", [1, 2]), ("cafe\u{301}", [1, 2]), ("kelvin", [3, 4]),
        ("\u{212a}ELVIN", [3, 4]), ("plain", [5]), ("", [1, 2, 3, 4, 5]),
    ])
    func `a search does not depend on case in any alphabet, nor on how an accent is written`(
        text: String, found: [Int64]
    ) async throws {
        let cache = try Cache()
        _ = try await cache.store.addTodos([
            "a cafe\u{301}", "a Caf\u{e9}", "0 \u{212a}elvin", "0 Kelvin", "Plain",
        ])
        #expect(try await cache.store.todos(search: text).map(\.id.rawValue) == found)
    }
}

/// `CAST(x'…' AS TEXT)` makes a text of any bytes, so the values are given as SQL would see them.
private let refusedTitles: [(Value, String)] = [
    (.null, "the title of a todo must be text"),
    (.text(""), "the title of a todo must not be empty"),
    (.text(" \t\u{a0}\u{3000}\r\n"), "the title of a todo must not be blank"),
    (.text("a\u{0}b"), "the title of a todo must not hold a NUL character"),
    (.text("\u{0}"), "the title of a todo must not hold a NUL character"),
    (.text("é\u{0}"), "the title of a todo must not hold a NUL character"),
]

@Suite struct `titles that are not UTF-8` {
    @Test(arguments: [
        "ff", "80", "61ff", "c3", "61c3", "e282", "f09f98", "c080", "e08080", "f0808080", "c1bf",
        "eda080", "edbfbf", "f4908080", "f8888080", "fbbfbfbfbf", "e282acac", "6180", "c328", "fe",
        "e28261", "efbfbe80", "e29c9380",
    ])
    func `they are refused, whatever is wrong`(hex: String) async throws {
        let cache = try Cache(.memory)
        for clause in ["", "OR IGNORE "] {
            try await cache.expectRefusal(
                "the title of a todo must be valid UTF-8",
                of: "INSERT \(clause)INTO todos (title) SELECT CAST(x'\(hex)' AS TEXT)")
        }
    }

    @Test func `one wrong byte in 4096 is found, wherever it stands`() async throws {
        let cache = try Cache()
        for place in [0, 1, 2047, 4094, 4095] {
            var bytes = [UInt8](repeating: 0x61, count: 4096)
            bytes[place] = 0xff
            let hex = bytes.map { String($0, radix: 16) }.joined()
            try await cache.expectRefusal(
                "the title of a todo must be valid UTF-8",
                of: "INSERT INTO todos (title) SELECT CAST(x'\(hex)' AS TEXT)")
        }
    }
}
