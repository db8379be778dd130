import Text

/// Rows under headers, for a person at a terminal or a program at the end of a pipe.
///
/// On a terminal, columns are padded and two spaces apart, and no line is wider than the terminal,
/// except for a column that is whole. The widest flexible column is cut first, and its cells end
/// with `…`. If other columns would have to be cut too, each row becomes a record, one line a
/// field. In a stream the fields are separated by one tab and nothing is cut, so that `cut -f`
/// works; the header is the first line of both. Every cell goes through ``ForeignText``, so that no
/// field holds a tab, a newline or a command to the terminal.
public struct Table: Sendable {
    /// From left to right.
    let columns: [Column]
    let count: Int
    let row: @Sendable (Int) -> [Cell]
    /// Whether a terminal shows the headers above the columns.
    public var hasHeader = true
    /// How a terminal shows what is too long.
    var cut = Cut.letters
    /// The places that each column keeps where columns were chosen; nil where all are shown.
    var least: [Int]?

    /// One column: its header, and how its cells stand.
    public struct Column: Sendable, Hashable {
        /// What the column holds.
        public var header: String
        /// Of the cells and of the header.
        public var alignment: Alignment
        /// Whether it gives way before the others when the terminal is narrow.
        public var isFlexible: Bool
        /// Whether its cells are never cut, be their line wider than the terminal: a person copies them.
        public var isWhole: Bool

        /// A column; numbers read best at the trailing edge, titles are flexible, paths are whole.
        public init(
            _ header: String, alignment: Alignment = .leading, isFlexible: Bool = false,
            isWhole: Bool = false
        ) {
            self.header = header
            self.alignment = alignment
            self.isFlexible = isFlexible
            self.isWhole = isWhole
        }
    }

    /// At which edge of its column a cell stands.
    public enum Alignment: Sendable, Hashable { case leading, trailing }

    /// A text, escaped when it is shown, and what it means.
    public struct Cell: Sendable, Hashable, ExpressibleByStringLiteral {
        /// Any text, as it came.
        public var text: String
        /// Seen only where the style has colour.
        public var emphasis: Style.Emphasis

        /// A cell; the text may be anything.
        public init(_ text: String, _ emphasis: Style.Emphasis = .plain) {
            self.text = text
            self.emphasis = emphasis
        }

        /// A plain cell.
        public init(stringLiteral text: String) {
            self.init(text)
        }
    }

    /// A table; neither the number of rows nor the length of a cell is bounded.
    ///
    /// A row that is shorter than `columns` ends with empty cells; a longer one is cut.
    public init(columns: [Column], rows: [[Cell]]) {
        self.init(columns: columns, of: rows) { $0 }
    }

    /// A table that makes the cells of each of its rows when it comes to it: in a stream no two rows are in
    /// memory as cells.
    public init<Row: Sendable>(
        columns: [Column], of rows: [Row], cells: @escaping @Sendable (Row) -> [Cell]
    ) {
        self.columns = columns
        count = rows.count
        row = { cells(rows[$0]) }
    }

    /// The whole table with its header, every line ended by a newline; nothing without columns.
    public func bytes(for destination: Destination) -> [UInt8] {
        switch destination {
        case .stream: return streamed()
        case .terminal(let available, let style):
            var bytes: [UInt8] = []
            for line in lines(available: available, style: style) {
                bytes.append(contentsOf: line.utf8)
                bytes.append(UInt8(ascii: "\n"))
            }
            return bytes
        }
    }

    /// The lines of ``bytes(for:)`` without their newlines.
    package func lines(for destination: Destination) -> [String] {
        switch destination {
        case .stream:
            return streamed().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .dropLast().map { String(decoding: $0, as: UTF8.self) }
        case .terminal(let available, let style): return lines(available: available, style: style)
        }
    }

    /// The form for a stream, cell by cell: a text for each line between would cost more than
    /// everything else that a command does with its rows.
    private func streamed() -> [UInt8] {
        guard !columns.isEmpty else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity((count + 1) * columns.count * 16)
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            ForeignText.append(column.header, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
        for place in 0..<count {
            let row = row(place)
            for index in columns.indices {
                if index > 0 { bytes.append(UInt8(ascii: "\t")) }
                if index < row.count { ForeignText.append(row[index].text, to: &bytes) }
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private func lines(available: Int, style: Style) -> [String] {
        guard !columns.isEmpty else { return [] }
        let header = columns.map { Cell(ForeignText($0.header).escaped, .strong) }
        let body = (0..<count).map { place in
            let row = row(place)
            return columns.indices.map { index in
                index < row.count
                    ? Cell(ForeignText(row[index].text).escaped, row[index].emphasis) : Cell("")
            }
        }
        if cut == .blocks, !body.isEmpty {
            return blocks(of: body, under: header, available, style)
        }
        let widths = widths(of: [header] + body, available: available)
        if cut == .letters, !body.isEmpty,
            let records = records(of: body, under: header, widths, available)
        {
            return records.map {
                line(
                    of: $0.cells, widths: $0.widths, aligned: [.leading, .leading], style: style)
            }
        }
        let alignments = columns.map(\.alignment)
        return ((hasHeader ? [header] : []) + body).map {
            line(of: $0, widths: widths, aligned: alignments, style: style)
        }
    }
}
