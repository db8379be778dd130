import Declarations
import Testing

@Suite struct `a path of a declaration` {
    @Test(arguments: [
        ("$", "$"), ("$.id", #"$."id""#), ("$.user.login", #"$."user"."login""#),
        ("$['first name']", #"$."first name""#), ("$.tags[0]", #"$."tags"[0]"#),
        ("$[0][999999]", "$[0][999999]"), (#"$['it\'s']"#, #"$."it's""#), ("$._1", #"$."_1""#),
        ("$['']['é']['$.x[1]']", nil), ("$['é']['$.x[1]']", #"$."é"."$.x[1]""#),
        ("$.a.b.c.d.e.f.g.h", #"$."a"."b"."c"."d"."e"."f"."g"."h""#),
    ])
    func `is written for SQLite with every name quoted`(text: String, sqlite: String?) throws {
        guard let sqlite else {
            #expect(throws: JSONPathError.self) { try JSONPath(text) }
            return
        }
        let path = try JSONPath(text)
        #expect(path.sqliteText == sqlite)
        #expect(try JSONPath(path.description) == path)
    }

    @Test(arguments: [
        ("", "character 1: a path begins with $"),
        ("id", "character 1: a path begins with $"),
        ("$id", "character 2: a full stop or [ is due here"),
        (
            "$.",
            "character 3: a name of letters, digits and _ is due at the end; write another one as ['name']"
        ),
        (
            "$..id",
            "character 3: a name of letters, digits and _ is due here; write another one as ['name']"
        ),
        (
            "$.1a",
            "character 5: a name of letters, digits and _ is due at the end; write another one as ['name']"
        ),
        (
            "$.*",
            "character 3: a name of letters, digits and _ is due here; write another one as ['name']"
        ),
        ("$[*]", "character 3: a number of an element or 'name' is due here"),
        ("$[-1]", "character 3: a number of an element or 'name' is due here"),
        ("$[01]", "character 5: a number of an element or 'name' is due here"),
        ("$[1000000]", "character 10: a number of an element or 'name' is due here"),
        ("$[1", "character 4: ] is due at the end"),
        ("$['a", "character 5: ' is due at the end"),
        ("$['a\"]", "character 5: a name holds no quotation mark and no control character"),
        ("$['a\n']", "character 5: a name holds no quotation mark and no control character"),
        (#"$['a\n']"#, #"character 6: a name holds no backslash, except in \'"#),
        (#"$['a\"#, #"character 6: a name holds no backslash, except in \'"#),
        ("$['']", "character 5: a name must not be empty"),
        ("$.a.b.c.d.e.f.g.h.i", "character 18: a path has at most 8 steps"),
    ])
    func `says where it stops being one`(text: String, sentence: String) {
        #expect { try JSONPath(text) } throws: { "\($0)" == sentence }
    }
}

@Suite struct `a name of a list` {
    @Test(arguments: ["a", "issues", "my_notes_2", String(repeating: "n", count: 41)])
    func `is small letters, digits and underscores`(text: String) throws {
        #expect(try ListName(text).text == text)
    }

    @Test(arguments: [
        "", "1a", "_a", "A", "Issues", "my notes", "my-notes", "no\"tes", "notes;", "not\u{0}es",
        "nоtes", "note\u{301}s", String(repeating: "n", count: 42),
        String(repeating: "n", count: 1 << 20),
    ])
    func `has no other character, and is not long`(text: String) {
        #expect(throws: ListNameError.badForm(text)) { try ListName(text) }
    }

    @Test(arguments: [
        "movies", "todos", "outbox", "changes", "conflicts", "operation", "sync_status",
        "sync_anything", "invariant_x", "sqlite_master", "sqlite", "s_notes", "d_notes", "e_notes",
        "r_notes", "notes_search", "notes_search_data", "notes_changes", "all",
    ])
    func `is none that the cache has already`(text: String) {
        #expect(throws: ListNameError.reserved(text)) { try ListName(text) }
    }
}
