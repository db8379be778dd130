import SQLite
import Testing

private struct Stop: Error, Equatable {}

@Suite struct `transactions` {
    @Test func `an error undoes everything and is thrown on`() throws {
        let connection = try memory()
        try connection.execute(script: "CREATE TABLE a (b)")
        #expect(throws: Stop()) {
            try connection.transaction {
                try connection.run("INSERT INTO a VALUES (1)")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.count("SELECT count(*) FROM a") == 0)
    }

    @Test func `a failed statement does not end the transaction by itself`() throws {
        let connection = try memory()
        try connection.execute(script: "CREATE TABLE a (b UNIQUE)")
        try connection.transaction {
            try connection.run("INSERT INTO a VALUES (1)")
            let error = #expect(throws: SQLiteError.self) {
                try connection.run("INSERT INTO a VALUES (1)")
            }
            #expect(error?.code.primary == .constraint)
            try connection.run("INSERT INTO a VALUES (2)")
        }
        #expect(try connection.count("SELECT count(*) FROM a") == 2)
    }

    @Test func `the write lock is held from the begin, and a second writer is busy`() throws {
        let directory = try DatabaseDirectory()
        let first = try directory.open()
        try first.execute(script: "PRAGMA journal_mode = WAL; CREATE TABLE a (b)")
        let second = try directory.open()
        try first.transaction {
            let error = #expect(throws: SQLiteError.self) { try second.transaction {} }
            #expect(error?.code == .busy)
        }
        try second.transaction { try second.run("INSERT INTO a VALUES (1)") }
    }

    @Test func `a snapshot sees one state, and writes nothing`() throws {
        let directory = try DatabaseDirectory()
        let writer = try directory.open()
        try writer.execute(script: "PRAGMA journal_mode = WAL; CREATE TABLE a (b)")
        let reader = try directory.open()
        try reader.snapshot {
            #expect(try reader.count("SELECT count(*) FROM a") == 0)
            try writer.run("INSERT INTO a VALUES (1)")
            #expect(try reader.count("SELECT count(*) FROM a") == 0)
        }
        #expect(try reader.count("SELECT count(*) FROM a") == 1)
        #expect(!reader.isInTransaction)
    }

    @Test func `staging locks nobody out and undoes on error`() throws {
        let directory = try DatabaseDirectory()
        let connection = try directory.open()
        try connection.execute(
            script: "PRAGMA journal_mode = WAL; CREATE TABLE a (b); CREATE TEMP TABLE staged (c)")
        let other = try directory.open()
        try connection.staging {
            try connection.run("INSERT INTO staged VALUES (1)")
            try other.transaction { try other.run("INSERT INTO a VALUES (1)") }
        }
        #expect(throws: Stop()) {
            try connection.staging {
                try connection.run("INSERT INTO staged VALUES (2)")
                throw Stop()
            }
        }
        #expect(try connection.count("SELECT count(*) FROM staged") == 1)
    }

    @Test func `a full database is an error, and work goes on when there is space`() throws {
        let connection = try memory()
        try connection.execute(script: "CREATE TABLE a (b); PRAGMA max_page_count = 4")
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction {
                try connection.run("INSERT INTO a VALUES (zeroblob(99999))")
            }
        }
        #expect(error?.code == .full)
        #expect(!connection.isInTransaction)
        try connection.execute(script: "PRAGMA max_page_count = 100")
        try connection.transaction { try connection.run("INSERT INTO a VALUES (zeroblob(99999))") }
    }
}

@Suite struct `errors` {
    @Test func `a primary code matches its extended ones, an extended one only itself`() {
        let unique = ResultCode(rawValue: 19 | 8 << 8)
        #expect(ResultCode.constraint ~= unique)
        #expect(!(ResultCode.constraintTrigger ~= unique))
        #expect(!(ResultCode.busy ~= unique))
        #expect(unique.primary == .constraint)
        switch unique {
        case .constraintTrigger: Issue.record("matched the wrong extended code")
        case .constraint: break
        default: Issue.record("matched nothing")
        }
    }

    @Test func `a trigger's sentence is the message`() throws {
        let connection = try memory()
        try connection.execute(
            script: """
                CREATE TABLE a (b);
                CREATE TRIGGER refuse BEFORE INSERT ON a
                BEGIN SELECT RAISE(ABORT, 'the person reads this'); END
                """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.run("INSERT OR IGNORE INTO a VALUES (?)", .text("secret"))
        }
        #expect(error?.code == .constraintTrigger)
        #expect(error?.message == "the person reads this")
        #expect(error?.description.contains("secret") == false)
        #expect(error?.sql == "INSERT OR IGNORE INTO a VALUES (?)")
    }

    @Test func `run counts the rows of its own statement`() throws {
        let connection = try memory()
        try connection.execute(script: "CREATE TABLE a (b)")
        #expect(try connection.run("INSERT INTO a VALUES (1), (2)") == 2)
        #expect(try connection.run("SELECT * FROM a") == 0)
        #expect(try connection.run("DELETE FROM a WHERE b = 2") == 1)
    }
}
