import Rendering
import Testing

@Suite struct TableChoiceTests {
    private let movies = Table(
        columns: ["id", "title", "overview", "release_date", "votes", "original_title"].map {
            .init($0, isFlexible: true)
        },
        rows: [
            [
                "7", "A rather long title of a movie",
                "Somebody goes somewhere and comes back again",
                "2026-11-27", "12", "Un titre assez long",
            ],
            ["12", "Short", "Nothing", "2026-12-01", "3", "Court"],
        ])

    private func shown(_ columns: Int, first: [Int] = [0, 1]) -> (lines: [String], left: [String]) {
        let terminal = Destination.terminal(columns: columns, style: Style(colour: false))
        let choice = movies.choosing(first: first, for: terminal)
        return (choice.table.lines(for: terminal), choice.left)
    }

    @Test func `a terminal with room for all shows all`() {
        let (lines, left) = shown(160)
        #expect(left == [])
        #expect(lines[0].hasSuffix("original_title"))
        #expect(lines[1].contains("Somebody goes somewhere and comes back again"))
    }

    @Test
    func `a narrow one shows what names a row, then what takes less room, and no word is broken`() {
        let (lines, left) = shown(50)
        #expect(left == ["overview", "original_title"])
        #expect(
            lines == [
                "id  title                      release_date  votes",
                "7   A rather long title of a…  2026-11-27    12",
                "12  Short                      2026-12-01    3",
            ])
    }

    @Test func `where not even those have room, each row is a block with whole words`() {
        let (lines, left) = shown(19)
        #expect(left == [])
        #expect(
            lines.prefix(6) == [
                "id              7", "title           A", "                rat",
                "                her", "                lon", "                g",
            ], "\(lines)")
    }

    @Test func `a block breaks its texts between words`() {
        let table = Table(
            columns: [.init("name"), .init("text")],
            rows: [["a", "one two three four"], ["b", "five"]])
        let terminal = Destination.terminal(columns: 16, style: Style(colour: false))
        let choice = table.choosing(first: [0, 1], for: terminal)
        #expect(
            choice.table.lines(for: terminal) == [
                "name  a", "text  one two", "      three four", "", "name  b", "text  five",
            ])
    }

    @Test func `no line is wider than the terminal, and no header is cut`() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            let count = Int.random(in: 1...8, using: &random)
            let names = (0..<count).map { "column\($0)" }
            let table = Table(
                columns: names.map { .init($0, isFlexible: true) },
                rows: (0..<3).map { _ in names.map { _ in .init(random.text()) } })
            for width in [20, 33, 54, 80, 132] {
                let terminal = Destination.terminal(columns: width, style: Style(colour: false))
                let choice = table.choosing(first: [0], for: terminal)
                let lines = choice.table.lines(for: terminal)
                for line in lines { #expect(DisplayWidth.columns(of: line) <= width, "\(line)") }
                for name in names where !choice.left.contains(name) {
                    #expect(lines.contains { $0.contains(name) } || lines.allSatisfy(\.isEmpty))
                }
            }
        }
    }

    @Test func `a stream has all columns`() {
        let choice = movies.choosing(first: [0], for: .stream)
        #expect(choice.left == [])
        #expect(choice.table.lines(for: .stream)[2] == "12\tShort\tNothing\t2026-12-01\t3\tCourt")
    }

    @Test func `without a header the rows stand alone`() {
        var table = movies
        table.hasHeader = false
        let terminal = Destination.terminal(columns: 160, style: Style(colour: false))
        #expect(table.choosing(first: [], for: terminal).table.lines(for: terminal).count == 2)
    }
}
