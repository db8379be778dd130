import Rendering
import Testing
import Text

@Suite struct ProgressLineTests {
    private let plain = Style(colour: false)

    private func line(_ done: Int, _ total: Int?) -> ProgressLine {
        ProgressLine(label: "movies", done: done, total: total, unit: "pages")
    }

    @Test func `the bar grows with what is done, and is full only at the end`() {
        let lines = [0, 1, 9, 17, 18].map { line($0, 18).text(columns: 35, style: plain) }
        #expect(
            lines == [
                "movies  [            ]   0/18 pages",
                "movies  [            ]   1/18 pages",
                "movies  [=====>      ]   9/18 pages",
                "movies  [==========> ]  17/18 pages",
                "movies  [============]  18/18 pages",
            ])
    }

    @Test func `without a total, or without room, there is no bar`() {
        #expect(line(9, nil).text(columns: 80, style: plain) == "movies  9 pages")
        #expect(line(0, 0).text(columns: 80, style: plain) == "movies  0 pages")
        #expect(line(9, 18).text(columns: 24, style: plain) == "movies   9/18 pages")
        #expect(line(9, 18).text(columns: 10, style: plain) == "movies   …")
    }

    @Test func `a line that counts nothing is its label`() {
        let line = ProgressLine(label: "waiting\n")
        #expect(line.text(columns: 80, style: plain) == "waiting\\n")
        #expect(line.text(columns: 5, style: plain) == "wait…")
    }

    @Test func `no state and no width draws a line that is too wide or holds a command`() {
        let numbers = [Int.min, -1, 0, 1, 2, 7, 59, 1_000_000, .max - 1, .max]
        for done in numbers {
            for total in numbers {
                for columns in [-1, 0, 1, 5, 19, 20, 40, 80, 1_000] {
                    let line = ProgressLine(
                        label: "東\u{1b}[2J\n", done: done, total: total, unit: "rows\r")
                    let text = line.text(columns: columns, style: plain)
                    #expect(DisplayWidth.columns(of: text) <= max(0, columns))
                    #expect(ForeignText(text).escaped == text)
                }
            }
        }
    }

    @Test func `redrawing empties the line first and adds no newline`() {
        #expect(
            line(9, nil).redrawn(columns: 80, style: Style(colour: true))
                == "\r\u{1b}[Kmovies  9 pages")
        #expect(
            line(1, 1).text(columns: 40, style: Style(colour: true)).contains("[\u{1b}[32m=====")
        )
    }
}
