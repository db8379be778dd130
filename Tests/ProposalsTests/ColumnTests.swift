import Proposals
import Testing
import Text

/// Which columns are proposed, and which names they get.
@Suite struct ColumnTests {
    @Test func `types are those that every row has`() throws {
        let proposal = try Seen(
            "/notes",
            """
            [{"id": 1, "price": 1, "done": true, "tags": ["a"], "odd": "x", "due": null, "user": {"login": "ann",
              "more": {"a": 1}}, "big": 99999999999999999999, "never": null},
             {"id": 2, "price": 1.5, "done": false, "tags": [], "odd": 3, "due": "2030", "user": null,
              "big": 1, "never": null}]
            """
        ).proposal()
        #expect(
            proposal.columns == [
                "id=integer $.id", "price=real $.price", "done=boolean $.done",
                "tags=json $.tags", "due=text $.due", "user_login=text $.user.login",
                "big=real $.big", "never=text $.never",
            ])
        #expect(
            proposal.evidence("columns.price")
                == "real $.price, whole numbers and others, in every row")
        #expect(proposal.evidence("columns.due") == "text $.due, in 1 of 2 rows")
        #expect(
            proposal.evidence("columns").contains(
                "$.odd, which is text in one row and integer in another"))
        #expect(
            proposal.evidence("columns.never")
                == "text $.never, a guess, because no row has a value of it yet")
        #expect(
            proposal.warnings.contains(
                "no row has a value of never yet: text is a guess, so correct the type when you know it"
            ))
        _ = try proposal.read()
    }

    @Test(
        arguments: [
            (#"{"at": "2026-11-27T23:29:09Z", "id": 1, "headline": "a", "url": "/x"}"#, "headline"),
            (#"{"at": "2026-11-27T23:29:09Z", "id": 1, "headline": "a", "title": "b"}"#, nil),
            (#"{"at": "2026-11-27T23:29:09Z", "id": 1}"#, nil),
        ] as [(String, String?)])
    func `a label is chosen where no field has a usual name`(row: String, label: String?) throws {
        let proposal = try Seen("/notes", "[\(row)]").proposal()
        #expect(proposal.declaration.node(at: ["label"])?.value == label.map { .text($0) })
    }

    /// Its next value may have a fraction.
    @Test func `a number that is written with a point is a real`() throws {
        let proposal = try Seen("/notes", #"[{"id": 1, "price": 1.0, "size": 1e3, "count": 1}]"#)
            .proposal()
        #expect(
            proposal.columns == [
                "id=integer $.id", "price=real $.price", "size=real $.size",
                "count=integer $.count",
            ])
    }

    @Test(arguments: [
        ("1", "integer"), ("1.0", "real"), ("1e2", "real"), ("2E0", "real"), ("-7", "integer"),
    ])
    func `a number with a point or an exponent is a real`(number: String, type: String) throws {
        let proposal = try Seen(
            "/notes", "[{\"id\": 1, \"n\": \(number)}, {\"id\": 2, \"n\": \(number)}]"
        )
        .proposal()
        #expect(proposal.columns == ["id=integer $.id", "n=\(type) $.n"])
    }

    @Test(arguments: [
        ("createdAt", "created_at"), ("Created At", "created_at"), ("@odata.etag", "odata_etag"),
        ("2fa", "f_2fa"), ("état", "tat"), ("[31mred", "f_31mred"), ("日本", "field"),
        ("a\u{202e}b", "ab"), ("_id", "id"), ("a--b__", "a_b"),
        ("x; DROP TABLE notes", "x_drop_table_notes"),
    ]) func `a name has letters, digits and lines alone`(_ name: String, _ column: String) throws {
        var bytes: [UInt8] = []
        JSONText.append(name, to: &bytes)
        let key = String(decoding: bytes, as: UTF8.self)
        let proposal = try Seen("/notes", "[{\"n\": 1, \(key): \"x\"}, {\"n\": 2}]").proposal()
        #expect(proposal.columns.contains { $0.hasPrefix("\(column)=") })
        _ = try proposal.read()
    }

    @Test func `two fields of one name, and names of SQLite's own, get numbers`() throws {
        let proposal = try Seen(
            "/notes", "[{\"id\": 1, \"rowid\": 2, \"a b\": 1, \"a-b\": 2, \"aB\": 3}]"
        ).proposal()
        #expect(
            proposal.columns.map { String($0.prefix { $0 != "=" }) } == [
                "id", "rowid_", "a_b", "a_b_2", "a_b_3",
            ])
        _ = try proposal.read()
    }

    @Test(arguments: ["order", "Group", "from", "index", "DEFAULT", "rowid"])
    func `a name needs no quotes in SQL`(_ name: String) throws {
        let proposal = try Seen("/notes", "[{\"id\": 1, \"\(name)\": 1}]").proposal()
        #expect(proposal.columns.contains("\(name.lowercased())_=integer $.\(name)"))
        _ = try proposal.read()
    }

    @Test func `a field that no path can name is left out`() throws {
        let proposal = try Seen(
            "/notes",
            "[{\"id\": 1, \"a\\\"b\": 1, \"a\\\\b\": 1, \"\": 1, \"a\\nb\": 1, \"\\u001b[31m\": 1}]"
        ).proposal()
        #expect(proposal.columns == ["id=integer $.id"])
    }

    @Test func `at most 40 columns, the deeper ones left out first`() throws {
        let fields = (1...39).map { "\"f\($0)\": \($0)" }.joined(separator: ", ")
        let proposal = try Seen(
            "/notes", "[{\"user\": {\"a\": 1, \"b\": 2}, \"id\": 1, \(fields), \"last\": 1}]"
        ).proposal()
        #expect(proposal.columns.count == 40)
        #expect(!proposal.columns.contains { $0.hasPrefix("user_") || $0.hasPrefix("last=") })
        #expect(proposal.evidence("columns").contains("3 more fields"))
        _ = try proposal.read()
    }

    @Test func `an object of many keys is a map, and a column of JSON`() throws {
        let fields = (1...30).map { "\"k\($0)\": \($0)" }.joined(separator: ", ")
        let proposal = try Seen("/notes", "[{\"id\": 1, \"map\": {\(fields)}}]").proposal()
        #expect(proposal.columns == ["id=integer $.id", "map=json $.map"])
    }

    @Test func `an id that repeats is refused, and told of`() throws {
        let proposal = try Seen(
            "/notes", "[{\"id\": 1, \"slug\": \"a\"}, {\"id\": 1, \"slug\": \"b\"}]"
        ).proposal()
        #expect(proposal.value("id") == "\"$.slug\"")
        #expect(
            proposal.evidence("id") == "$.slug, there and different in all 2 rows, and $.id is not")
    }

    @Test func `an id that one row alone shows is a warning`() throws {
        #expect(try Seen("/notes", "[{\"id\": 1}]").proposal().warnings.count == 1)
        #expect(
            try Seen("/notes", "[{\"name\": \"a\"}, {\"name\": \"b\"}]").proposal().warnings.count
                == 1)
    }
}
