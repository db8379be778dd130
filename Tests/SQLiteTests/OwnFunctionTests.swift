import SQLite
import Testing

@Suite struct `the functions of syncd's own statements` {
    @Test(
        arguments: [
            ("'[1,2]', '[1.0, 2]'", 1), ("'{\"a\":1,\"b\":2}', '{\"b\":2,\"a\":1}'", 1),
            ("'[1]', '[2]'", 0),
            ("NULL, NULL", 1), ("NULL, 'null'", 0), ("'null', NULL", 0), ("'{', '{'", 1),
            ("'{', '['", 0),
            ("1, '1.0'", 1), ("'', ''", 1), ("x'', NULL", 0),
        ] as [(String, Int64)])
    func `values are the same, or they are not`(values: String, isSame: Int64) throws {
        #expect(try memory().count("SELECT same_json(\(values))") == isSame)
    }

    @Test(
        arguments: [
            ("'{ \"b\" : 1.0, \"a\" : \"\\u00fc\" }'", .text(#"{"a":"ü","b":1}"#)),
            ("'{'", .text("{")),
            ("NULL", .null), ("5", .text("5")), ("''", .text("")),
        ] as [(String, Value)])
    func `a text has one form`(value: String, form: Value) throws {
        #expect(try memory().first("SELECT canonical_json(\(value))") { $0.value(0) } == form)
    }

    @Test(
        arguments: [
            (0.1 + 0.2, "0.30000000000000004"), (1732752000.123457, "1732752000.123457"),
            (5, "5.0"),
            (9_007_199_254_740_992, "9007199254740992.0"), (1e16, "1e+16"),
            (Double.leastNonzeroMagnitude, "5e-324"),
            (-1.5, "-1.5"), (-0.0, "0.0"), (.infinity, nil), (-.infinity, nil),
        ] as [(Double, String?)])
    func `a real is written in the shortest form that reads back as the same bits`(
        number: Double, text: String?
    ) throws {
        let written = try memory().first("SELECT shortest_real(?)", .real(number)) {
            $0.textOrNil(0)
        }
        #expect(written == .some(text))
        #expect(text.flatMap { Double($0) } ?? number == number)
    }

    @Test(arguments: ["NULL", "'1.5'", "x'00'"]) func `what is no number has no digits`(
        value: String
    ) throws {
        #expect(try memory().first("SELECT shortest_real(\(value))") { $0.isNull(0) } == true)
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT same_json(NEW.b, '1'); END; INSERT INTO a VALUES (1)",
        "CREATE VIEW v AS SELECT canonical_json(b) FROM a; SELECT * FROM v",
        "CREATE INDEX i ON a (shortest_real(b))",
    ]) func `the schema can call none of them, because programs have none`(script: String) throws {
        let connection = try memory()
        try connection.execute(script: "CREATE TABLE a (b)")
        let error = #expect(throws: SQLiteError.self) { try connection.execute(script: script) }
        #expect(error?.message.contains("unsafe use of") == true, "\(error?.message ?? "taken")")
    }
}
