import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct QueryProcessTests {
    @Test(arguments: [
        ("selct", "syntax error"), ("SELECT 1; SELECT 2", "more than one statement"),
        ("", "no statement"),
        ("SELECT * FROM none", "no such table: none"),
        ("INSERT INTO todos(title) VALUES('x')", "`query` only reads"),
        ("DELETE FROM movies", "`query` only reads"),
        ("DROP TABLE todos", "`query` only reads"),
        ("ATTACH 'other.sqlite' AS other", "not authorized"),
        ("BEGIN IMMEDIATE", "not authorized"), ("CREATE TEMP TABLE t(a)", "not authorized"),
        ("PRAGMA journal_mode = DELETE", "not authorized"),
        ("PRAGMA query_only(0)", "not authorized"), ("PRAGMA wal_checkpoint", "not authorized"),
        ("UPDATE sqlite_master SET sql = ''", "may not be modified"),
        ("PRAGMA writable_schema = ON", "not authorized"), ("REINDEX", "not authorized"),
        ("VACUUM INTO 'copy.sqlite'", "only reads"),
        ("SELECT load_extension('x')", "load_extension() may not be called"),
        ("SELECT hex(fts3_tokenizer('simple'))", "fts3_tokenizer() may not be called"),
        ("SELECT sqlite_log(1, 'x')", "sqlite_log() may not be called"),
        ("SELECT readfile('/etc/hostname')", "no such function: readfile"),
        ("SELECT writefile('x', 'y')", "no such function: writefile"),
        ("SELECT edit('x', 'true')", "no such function: edit"),
    ]) func `SQL that is wrong or writes is refused`(sql: String, sentence: String) async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let before = try stage.bytes(of: stage.cache)
        let ended = try await stage.syncd("query", sql)
        #expect(ended.code == 65)
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(ended.output == "")
        #expect(try stage.bytes(of: stage.cache) == before)
        let made = try FileManager.default.contentsOfDirectory(atPath: stage.root)
        #expect(!made.contains { $0.hasSuffix(".sqlite") })
    }

    @Test(arguments: [
        "PRAGMA table_info(todos)", "PRAGMA integrity_check", "PRAGMA page_count",
        "EXPLAIN QUERY PLAN SELECT * FROM todos", "SELECT * FROM pragma_table_list",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n",
        "SELECT value FROM json_each('[1]')", "VALUES (1)",
    ]) func `what reads is run`(sql: String) async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let ended = try await stage.syncd("query", sql)
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.output.split(separator: "\n").count > 1)
    }

    @Test(arguments: [
        "SELECT length(randomblob(1000000000))", "SELECT length(zeroblob(1000000000))",
        "SELECT length(replace(printf('%.*c', 100000, 'x'), 'x', printf('%.*c', 1000, 'y')))",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) "
            + "SELECT length(group_concat(printf('%.*c', 1000000, 'x'))) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) "
            + "SELECT count(*) FROM (SELECT randomblob(1000000) AS b FROM n ORDER BY b)",
    ]) func `F2: a query that makes huge values is refused`(sql: String) async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let ended = try await stage.syncd("query", sql)
        #expect(ended.code == 65)
        #expect(
            ended.errors.contains("too big") || ended.errors.contains("out of memory"),
            "\(ended.errors)")
        #expect(ended.errors.contains("Ask for less at once."))
    }

    /// SQLite 3.40 gives NULL in the place of a text that would be too long.
    @Test(arguments: ["'%*d', 1000000000, 1", "'%.*c', 1000000000, 'x'"])
    func `F2: printf makes no huge value`(arguments: String) async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let ended = try await stage.syncd("query", "SELECT typeof(printf(\(arguments))) AS t")
        #expect(ended.output == "t\nnull\n" || ended.code == 65, "\(ended.errors)")
    }

    @Test(arguments: [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT i FROM n WHERE i > 1",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) "
            + "SELECT sum(length(printf('%.*c', 1000000, 'x'))) FROM n",
    ]) func `F2: a query without end ends at its timeout`(sql: String) async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let ended = try await stage.syncd("query", "--timeout", "20ms", sql)
        #expect(ended.code == 75)
        #expect(
            ended.errors
                == "syncd: the query did not end within 20ms. Let it read less, or allow more "
                + "with --timeout.\n")
        #expect(ended.output == "" || ended.output == "i\n")
        let wrong = try await stage.syncd("query", "--timeout", "soon", "SELECT 1")
        #expect(wrong.code == 64)
    }

    @Test func `N5: one call of a function that takes long ends the process`() async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let ended = try await stage.syncd(
            "query", "--timeout", "20ms",
            """
            SELECT instr(replace(hex(zeroblob(2000000)), '0', 'a'),
                replace(hex(zeroblob(1000000)), '0', 'a') || 'b')
            """)
        #expect(ended.code == 75)
        #expect(ended.errors.hasPrefix("syncd: the query did not end within 20ms. "))
    }

    @Test func `F11: rows are printed as a table, JSON, CSV, or CSV for spreadsheets`() async throws
    {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let sql = "SELECT 1 AS i, NULL AS n, 1.5 AS r, 'x,\"y' AS t, x'00ff' AS b, 2 AS i"
        #expect(
            try await stage.syncd("query", sql).output
                == "i\tn\tr\tt\tb\ti:2\n1\t\t1.5\tx,\"y\t00ff\t2\n")
        #expect(
            try await stage.syncd("query", "--json", sql).output
                == #"[{"i":1,"n":null,"r":1.5,"t":"x,\"y","b":"00ff","i:2":2}]"# + "\n")
        #expect(
            try await stage.syncd("query", "--csv", sql).output
                == "i,n,r,t,b,i:2\r\n1,,1.5,\"x,\"\"y\",00ff,2\r\n")
        let formulas = """
            SELECT '=1+1' AS '@t', -1 AS n, -0.5 AS r, '-1' AS s, ' +1' AS u, NULL AS v
            """
        #expect(
            try await stage.syncd("query", "--csv", "--safe", formulas).output
                == "'@t,n,r,s,u,v\r\n'=1+1,-1,-0.5,'-1,\" +1\",\r\n")
        #expect(
            try await stage.syncd("query", "--csv", formulas).output
                == "@t,n,r,s,u,v\r\n=1+1,-1,-0.5,-1,\" +1\",\r\n")
        let empty = "SELECT title FROM todos WHERE id < 0"
        #expect(try await stage.syncd("query", "--json", empty).output == "[]\n")
        #expect(try await stage.run(.syncd, ["query", "-"], input: "SELECT\n1").output == "1\n1\n")
    }
}
