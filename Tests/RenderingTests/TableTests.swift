import Rendering
import Testing
import Text

@Suite struct TableTests {
    private let todos = Table(
        columns: [
            .init("ID", alignment: .trailing), .init("TITLE", isFlexible: true), .init("STATE"),
        ],
        rows: [
            ["1", "milk", "synced"],
            ["12", "a rather long errand in 東京", .init("rejected", .bad)],
        ])

    private func lines(_ table: Table, columns: Int, colour: Bool = false) -> [String] {
        table.lines(for: .terminal(columns: columns, style: Style(colour: colour)))
    }

    @Test func `a wide terminal shows everything, in columns two spaces apart`() {
        #expect(
            lines(todos, columns: 80) == [
                "ID  TITLE                         STATE",
                " 1  milk                          synced",
                "12  a rather long errand in 東京  rejected",
            ])
    }

    @Test func `in a narrow terminal the flexible column gives way`() {
        #expect(
            lines(todos, columns: 30) == [
                "ID  TITLE             STATE",
                " 1  milk              synced",
                "12  a rather long e…  rejected",
            ])
    }

    @Test func `when a column would be cut that should not, each row becomes a record`() {
        #expect(
            lines(todos, columns: 20) == [
                "ID  TITLE   STATE", " 1  milk    synced", "12  a rat…  rejected",
            ])
        #expect(
            lines(todos, columns: 19) == [
                "ID     1", "TITLE  milk", "STATE  synced", "",
                "ID     12", "TITLE  a rather lo…", "STATE  rejected",
            ])
    }

    @Test func `a whole column is never cut, and makes records of its rows first`() {
        let table = Table(
            columns: [.init("key"), .init("value", isWhole: true)],
            rows: [["database", "/var/lib/syncd/cache.sqlite"]])
        #expect(lines(table, columns: 37)[1...] == ["database  /var/lib/syncd/cache.sqlite"])
        #expect(
            lines(table, columns: 36) == [
                "key    database", "value  /var/lib/syncd/cache.sqlite",
            ])
        #expect(lines(table, columns: 30).last == "value  /var/lib/syncd/cache.sqlite")
        #expect(lines(table, columns: 8).last?.hasSuffix("/var/lib/syncd/cache.sqlite") == true)
    }

    @Test func `a record leaves out what is empty`() {
        let table = Table(
            columns: [.init("ID"), .init("NOT BEFORE"), .init("STATE")],
            rows: [["1"], ["2", "", "queued for a while"]])
        #expect(lines(table, columns: 40)[1...] == ["1", "2               queued for a while"])
        #expect(
            lines(table, columns: 33) == [
                "ID          1", "", "ID          2", "STATE       queued for a while",
            ])
    }

    @Test func `where not even a record has room, every column gives way`() {
        #expect(
            lines(todos, columns: 18) == [
                "ID  TITLE   STATE",
                " 1  milk    synced",
                "12  a rat…  rejec…",
            ])
        #expect(lines(todos, columns: 5) == ["…  T…", "1  m…", "…  a…"])
        #expect(lines(todos, columns: 0) == ["", "", ""])
    }

    @Test func `in a stream, fields are separated by one tab and nothing is cut`() {
        #expect(
            todos.bytes(for: .stream)
                == Array(
                    """
                    ID\tTITLE\tSTATE
                    1\tmilk\tsynced
                    12\ta rather long errand in 東京\trejected

                    """.utf8))
    }

    @Test func `colour follows the meaning, only where it is asked for`() {
        let coloured = lines(todos, columns: 80, colour: true)
        #expect(coloured[0].hasPrefix("\u{1b}[1mID\u{1b}[0m  \u{1b}[1mTITLE\u{1b}[0m"))
        #expect(coloured[1] == lines(todos, columns: 80)[1])
        #expect(coloured[2].hasSuffix("東京  \u{1b}[31mrejected\u{1b}[0m"))
        #expect(!lines(todos, columns: 80).joined().contains("\u{1b}"))
    }

    @Test func `a cell cannot add a line, a field or a command`() {
        let table = Table(columns: [.init("A"), .init("B")], rows: [["x\ny\tz\u{1b}[2J", "b"]])
        #expect(
            table.lines(for: .stream) == ["A\tB", #"x\ny\tz\u{1b}[2J"# + "\tb"])
        #expect(lines(table, columns: 80)[1] == #"x\ny\tz\u{1b}[2J  b"#)
    }

    @Test func `a stream is the escaped cells, with a tab between two and a newline after a row`() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let count = Int.random(in: 1...4, using: &random)
            let texts = (0..<4).map { _ in (0..<count).map { _ in random.text() } }
            let table = Table(
                columns: texts[0].map { .init($0) }, rows: texts[1...].map { $0.map { .init($0) } })
            let expected = texts.map { row in
                row.map { ForeignText($0).escaped }.joined(separator: "\t") + "\n"
            }
            #expect(table.bytes(for: .stream) == Array(expected.joined().utf8))
            #expect(table.lines(for: .stream) == expected.map { String($0.dropLast()) })
        }
    }

    @Test func `a short row ends with empty cells, a long one is cut, no columns are no lines`() {
        let table = Table(columns: [.init("A"), .init("B")], rows: [["1"], ["1", "2", "3"]])
        #expect(table.lines(for: .stream) == ["A\tB", "1\t", "1\t2"])
        #expect(lines(table, columns: 9) == ["A  B", "1", "1  2"])
        #expect(Table(columns: [], rows: [["1"]]).bytes(for: .stream) == [])
        #expect(Table(columns: [.init("A")], rows: []).bytes(for: .stream) == Array("A\n".utf8))
    }

    @Test func `no line is ever wider than the terminal`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<400 {
            let count = Int.random(in: 1...6, using: &random)
            let table = Table(
                columns: (0..<count).map { _ in
                    .init(
                        random.text(),
                        alignment: Bool.random(using: &random) ? .leading : .trailing,
                        isFlexible: Bool.random(using: &random))
                },
                rows: (0..<4).map { _ in (0..<count).map { _ in .init(random.text()) } })
            for width in [0, 1, 2, 3, 5, 8, 13, 20, 33, 54, 80, 132] {
                let lines = lines(table, columns: width)
                #expect(lines.count >= 4)
                for line in lines {
                    #expect(DisplayWidth.columns(of: line) <= width)
                    #expect(!line.contains("\n"))
                }
            }
        }
    }

    @Test func `colour changes no width: without its commands, each line is the plain one`() {
        let plain = lines(todos, columns: 24)
        let coloured = lines(todos, columns: 24, colour: true)
        #expect(coloured.map { $0.replacing(/\u{1b}\[[0-9]*m/, with: "") } == plain)
    }
}
