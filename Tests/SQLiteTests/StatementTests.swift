import SQLite
import Testing

@Suite struct `statements and values` {
    @Test(arguments: [
        Value.null, .integer(Int64.min), .integer(Int64.max), .real(-0.5), .text(""),
        .text("é\u{0}x"),
        .blob([]), .blob([0, 255]),
    ])
    func `a value comes back as it was bound`(value: Value) throws {
        #expect(try memory().first("SELECT ?", value) { $0.value(0) } == value)
    }

    @Test func `an empty blob is not NULL`() throws {
        let kinds = try memory().first("SELECT typeof(?), typeof(?)", .blob([]), .null) {
            [$0.text(0), $0.text(1)]
        }
        #expect(kinds == ["blob", "null"])
    }

    @Test(arguments: [
        ([0x61, 0xff, 0x62], "a\u{fffd}b"), ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"),
        ([0xe2, 0x82], "\u{fffd}"),
    ])
    func `text that is not UTF-8 is repaired when it is read`(
        bytes: [UInt8], expected: String
    ) throws {
        let text = try memory().first("SELECT CAST(? AS TEXT)", .blob(bytes)) { $0.text(0) }
        #expect(text == expected)
    }

    @Test func `borrowed text is read in place, to its last byte`() throws {
        let connection = try memory()
        let statement = try connection.statement("SELECT length(?1), substr(?1, -1)")
        let text = Array("one and twö".utf8)
        try text.withUnsafeBufferPointer { bytes in
            defer { statement.reset() }
            try statement.bind(borrowedText: bytes, at: 1)
            #expect(try statement.step())
            #expect(statement.integer(0) == 11)
            #expect(statement.text(1) == "ö")
        }
        try [UInt8]().withUnsafeBufferPointer { bytes in
            defer { statement.reset() }
            try statement.bind(borrowedText: bytes, at: 1)
            #expect(try statement.step())
            #expect(statement.value(0) == .integer(0))
        }
    }

    @Test func `a reset statement has forgotten what was bound`() throws {
        let statement = try memory().statement("SELECT ?")
        try statement.bind([.integer(1)])
        statement.reset()
        #expect(try statement.step())
        #expect(statement.isNull(0))
    }

    @Test(arguments: [[], [Value.null, .null]])
    func `a value too many or too few is refused`(values: [Value]) throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", values) }
        #expect(error?.code == .misuse)
        #expect(error?.message == "\(values.count) values for 1 parameters")
    }

    @Test(arguments: [
        "SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT 1;;; DELETE FROM x",
        "SELECT 1 /* a */; /* b */ SELECT 2",
    ])
    func `more than one statement is refused`(sql: String) throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.message == "there is more than one statement in the text")
    }

    @Test(arguments: ["SELECT 1;", " ;SELECT 1", "SELECT 1 ; -- done", "/* one */ SELECT 1 ;; \n"])
    func `comments and semicolons around one statement are not`(sql: String) throws {
        let connection = try memory()
        let statement = try connection.prepare(sql)
        #expect(try statement.step())
        #expect(statement.integer(0) == 1)
    }

    @Test(arguments: ["", " \n", "-- nothing"])
    func `a text without a statement is refused`(sql: String) throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.message == "there is no statement in the text")
    }

    @Test func `a NUL does not hide the rest of the text`() throws {
        let connection = try memory()
        let error = #expect(throws: SQLiteError.self) {
            try connection.prepare("SELECT 1\u{0}; DROP TABLE x")
        }
        #expect(error?.message == "there is a NUL character in the text")
    }

    @Test func `columns have names, kinds and defaults for NULL`() throws {
        let statement = try memory().prepare("SELECT 7 AS a, 'x', NULL, 1.5, x'00'")
        #expect(statement.columnCount == 5)
        #expect(statement.columnName(0) == "a")
        #expect(statement.isReadOnly)
        #expect(try statement.step())
        #expect(statement.integerOrNil(0) == 7)
        #expect(statement.integerOrNil(2) == nil)
        #expect(statement.integer(2) == 0)
        #expect(statement.text(2) == "")
        #expect(statement.textOrNil(2) == nil)
        #expect(statement.realOrNil(3) == 1.5)
        #expect(statement.realOrNil(2) == nil)
        #expect(statement.bytes(4) == [0])
        #expect(try !statement.step())
    }
}
