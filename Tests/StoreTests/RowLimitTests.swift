import SQLite
import Store
import Testing

/// What is accepted can come back: a row that a program writes is as large as syncd reads one.
@Suite struct RowLimitTests {
    private static let notes = DeclaredLists.list(
        "notes",
        """
        "id": "$.id", "create": true, "update": true,
        "columns": {"title": {"text": "$.title", "write": "both"},
            "body": {"text": "$.body", "write": "both"}, "j": {"json": "$.j", "write": "both"}}
        """)

    private static func cache() async throws -> Cache {
        let cache = try Cache()
        _ = try await cache.store.table(of: notes)
        try await cache.write("INSERT INTO notes (title) VALUES ('a')")
        return cache
    }

    /// The sentence that refuses `value` of a column, in a new row and in an edit; nil where both are taken.
    private static func refusal(_ column: String, _ value: String) async throws -> String? {
        let cache = try await cache()
        var refusals: Set<String?> = []
        for sql in [
            "INSERT OR IGNORE INTO notes (title, \(column)) VALUES ('b', ?)",
            "UPDATE notes SET \(column) = ? WHERE title = 'a'",
        ] {
            do {
                try await cache.write(sql, .text(value))
                refusals.insert(nil)
            } catch let error as SQLiteError {
                refusals.insert(error.message)
            }
        }
        #expect(
            try await cache.rows("SELECT invalid_text, invalid_json, spelled_bytes FROM control")
                == ["0|0|0"])
        #expect(refusals.count == 1)
        return refusals.first ?? nil
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func members(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
    }

    private static let notJSON = "must be an object or a list of JSON"

    @Test(arguments: [
        (nested(63), "must not have more than 62 objects and lists within each other"),
        (
            #"["[[",\#(nested(62))]"#,
            "must not have more than 62 objects and lists within each other"
        ),
        (members(65_537), "must not have more than 65536 members"),
        (
            #"{"\#(String(repeating: "ü", count: 22))":1}"#,
            "must not have a name longer than 128 bytes"
        ),
        (
            #"{"\#(String(repeating: #"\u00fc"#, count: 22))" :1}"#,
            "must not have a name longer than 128 bytes"
        ),
        (#"["a\u0000"]"#, "must not hold U+0000, or half a pair of surrogates"),
        (#"{"a":"\ud800"}"#, "must not hold U+0000, or half a pair of surrogates"),
        (#"["\udc00"]"#, "must not hold U+0000, or half a pair of surrogates"),
        (#"["\ud83d\ud83d\ude00"]"#, "must not hold U+0000, or half a pair of surrogates"),
        ("null", notJSON), ("7", notJSON), (#""text""#, notJSON), ("[", notJSON), ("{]", notJSON),
        (" ]1[ ", notJSON), ("", notJSON), ("\u{a0}[]", notJSON),
    ])
    func `JSON that could not come back is refused`(value: String, complaint: String) async throws {
        #expect(try await Self.refusal("j", value) == "j of notes \(complaint)")
    }

    @Test(arguments: [
        "\t[1]\r\n ", "{}", nested(62), members(65_536), members(1100),
        #"["\#(String(repeating: "[{", count: 100))"]"#,
        #"["\\\"[[[",[]]"#, #"["a\\u0000", "\\ud800"]"#, #"["\ud83d\ude00\uD83D\uDE00"]"#,
        #"{"\#(String(repeating: "k", count: 500))":1}"#,
        #"{"\#(String(repeating: "ü", count: 21))":1}"#,
        #"{"a":"\#(String(repeating: "ü", count: 500))"}"#,
    ])
    func `JSON that can come back is taken`(value: String) async throws {
        #expect(try await Self.refusal("j", value) == nil)
    }

    @Test(arguments: [
        ("x", 1_000_000, true), ("x", 1_045_000, false), ("\n", 170_000, true),
        ("\n", 180_000, false), ("\"", 180_000, false), ("é", 170_000, true),
        ("é", 180_000, false), ("😀", 85_000, true), ("😀", 90_000, false),
    ])
    func `a row is as large as its longest spelling`(
        text: String, count: Int, isTaken: Bool
    ) async throws {
        let refusal = try await Self.refusal("body", String(repeating: text, count: count))
        #expect(
            refusal
                == (isTaken
                    ? nil
                    : "a row of notes must not be larger than 1 MiB as JSON, however its texts are spelt")
        )
    }

    @Test func `what stays of the server's row is as large as the server has spelt it`()
        async throws
    {
        let cache = try await Self.cache()
        let body = String(repeating: "é", count: 300_000)
        try await cache.write("UPDATE control SET applying = 'notes'")
        try await cache.write(
            "INSERT INTO s_notes VALUES (7, 'n', json_object('id', 'n', 'title', 't', 'body', ?))",
            .text(body))
        try await cache.write(
            "INSERT INTO notes (_id, title, body, _server_id, _state) VALUES (7, 't', ?, 'n', 'synced')",
            .text(body))
        try await cache.write("UPDATE control SET applying = NULL")
        try await cache.write("UPDATE notes SET title = 'x' WHERE _id = 7")
        try await cache.write(
            "UPDATE notes SET j = ? WHERE _id = 7", .text(Self.members(20_000)))
        await #expect(throws: SQLiteError.self) {
            try await cache.write(
                "UPDATE notes SET title = ? WHERE _id = 7",
                .text(String(repeating: "x", count: 500_000)))
        }
    }
}
