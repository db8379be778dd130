import SQLite
import Testing

@Suite struct `what no connection may do` {
    @Test func `F2: no pointer of the process is given to SQL, nor taken from it`() throws {
        let connection = try memory()
        guard try functions(of: connection).contains("fts3_tokenizer") else { return }
        let given = try connection.first("SELECT typeof(fts3_tokenizer('simple'))") { $0.text(0) }
        #expect(given == "null")
        let taking = #expect(throws: SQLiteError.self) {
            try connection.first("SELECT fts3_tokenizer('own', x'4141414141414141')") { _ in () }
        }
        #expect(taking?.message.contains("disabled") == true)
    }

    @Test(arguments: [
        ("SELECT " + String(repeating: "1 + ", count: 600) + "1", "Expression tree is too large"),
        (
            "SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 101),
            "too many terms in compound SELECT"
        ),
        (
            "SELECT 1" + String(repeating: ", 1", count: 200),
            "too many columns in result set"
        ),
        ("SELECT ?251", "variable number must be between ?1 and ?250"),
        ("SELECT 1 -- " + String(repeating: "x", count: 1 << 20), "statement too long"),
        ("ATTACH ':memory:' AS a; ATTACH ':memory:' AS b", "too many attached databases - max 1"),
        ("SELECT zeroblob(300000000)", "too big"),
        (
            "SELECT 'x' LIKE '" + String(repeating: "%", count: 10_001) + "'",
            "LIKE or GLOB pattern too complex"
        ),
    ]) func `F2: what is far larger than anything of ours is refused`(
        sql: String, sentence: String
    ) throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) {
            for statement in sql.split(separator: ";") {
                try connection.first(String(statement)) { _ in () }
            }
        }
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "taken")")
    }

    @Test func `F2: a connection that reads is one that only queries`() throws {
        let directory = try DatabaseDirectory()
        try directory.open().execute(script: "CREATE TABLE a (b)")
        #expect(try directory.open(.readOnly).count("PRAGMA query_only") == 1)
        #expect(try directory.open().count("PRAGMA query_only") == 0)
    }
}

@Suite struct `SQL from outside` {
    private func outside() throws -> Connection {
        let connection = try memory()
        try connection.execute(
            script: """
                CREATE VIRTUAL TABLE texts USING fts5 (text);
                INSERT INTO texts VALUES ('a glass envelope');
                """)
        connection.allowReadingOnly()
        return connection
    }

    /// Who meets a name here that is neither allowed nor listed decides where it belongs.
    @Test func `F2: every function of the library is allowed or known to be refused`() throws {
        let refused = try functions(of: memory()).subtracting(ReadableFunctions.names)
        #expect(
            refused.subtracting([
                "fts3_tokenizer", "fts5", "fts5_source_id", "fts5_insttoken", "load_extension",
                "matchinfo", "offsets", "optimize", "rtreecheck", "rtreedepth", "rtreenode",
                "sqlite_log", "same_json", "canonical_json", "shortest_real",
            ]) == [])
    }

    @Test(arguments: [
        "fts3_tokenizer('simple')", "load_extension('x')", "sqlite_log(1, 'x')",
        "rtreedepth(x'00')", "canonical_json('1')",
    ]) func `F2: a function that does more than compute a value is refused by name`(
        call: String
    ) throws {
        let connection = try outside()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT \(call)") }
        let name = call.prefix { $0 != "(" }
        #expect(error?.code == .authorization)
        #expect(
            error?.message
                == "the function \(name)() may not be called here: only those that compute a value may"
        )
        // The next statement is judged for itself.
        let other = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT nowhere()") }
        #expect(other?.message == "no such function: nowhere")
    }

    @Test(arguments: [
        "SELECT strftime('%Y', 'now') > 2000, date('now') > '2000', current_timestamp > '2000'",
        "SELECT count(*), sum(1), group_concat(text), max(1, 2), avg(1), total(1) FROM texts",
        "SELECT row_number() OVER (), lag(1) OVER (), ntile(2) OVER () FROM texts",
        "SELECT json_extract('[1]', '$[0]'), '[1]' -> 0, '[1]' ->> 0, json_group_array(1)",
        "SELECT value FROM json_each('[1]')", "SELECT 'a' LIKE 'A', 'a' GLOB 'a*', 1 IN (1, 2)",
        "SELECT coalesce(NULL, 1), iif(1, 2, 3), printf('%d', 1), typeof(1), quote('x'), hex('x')",
        "SELECT bm25(texts), highlight(texts, 0, '<', '>'), snippet(texts, 0, '<', '>', '', 5) "
            + "FROM texts WHERE texts MATCH 'glass*' ORDER BY rank",
        "SELECT CAST('1' AS INTEGER), 'a' || 'b', abs(-1), round(1.5), random() <> 0.5",
    ]) func `F2: what computes a value can be called`(sql: String) throws {
        let connection = try outside()
        let statement = try connection.prepare(sql)
        #expect(try statement.step())
        withExtendedLifetime(connection) {}
    }

    @Test func `F2: it attaches nothing`() throws {
        let connection = try outside()
        #expect(throws: SQLiteError.self) { try connection.run("ATTACH ':memory:' AS other") }
        #expect(throws: SQLiteError.self) { try connection.run("VACUUM INTO '/tmp/never.sqlite'") }
    }

    @Test func `F2: a statement without end is interrupted by who waits for it`() throws {
        let connection = try outside()
        var calls = 0
        let error = #expect(throws: SQLiteError.self) {
            try connection.interruptible {
                calls += 1
                return calls == 3
            } during: { () throws(SQLiteError) in
                _ = try connection.count(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n"
                )
            }
        }
        #expect(error?.code == .interrupted)
        #expect(calls == 3)
    }

    @Test func `F2: what needs more memory than is allowed is refused`() async {
        // The limit is that of the process.
        await #expect(processExitsWith: .success) {
            Connection.limitMemory(to: 32 << 20)
            let connection = try memory()
            let error = #expect(throws: SQLiteError.self) {
                try connection.count(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                    SELECT count(*) FROM (SELECT randomblob(1000000) AS b FROM n ORDER BY b)
                    """)
            }
            #expect(error?.code.primary == .outOfMemory)
        }
    }
}

private func functions(of connection: Connection) throws -> Set<String> {
    Set(try connection.all("SELECT DISTINCT name FROM pragma_function_list") { $0.text(0) })
}
