extension Table {
    /// The spaces between two columns.
    static let gap = 2
    /// A flexible column keeps so many columns while others can still give way.
    private static let readable = 6

    /// How wide each column is drawn. Law: the sum with its gaps is at most `available`, where no column
    /// is whole; columns at the end for which not even one place is left are not drawn.
    func widths(of escaped: [[Cell]], available: Int) -> [Int] {
        let drawn = min(columns.count, max(0, available + Self.gap) / (1 + Self.gap))
        var widths = columns.indices.prefix(drawn).map { index in
            let natural = escaped.reduce(1) { widest, row in
                max(widest, DisplayWidth.columns(of: row[index].text))
            }
            return columns[index].isWhole ? natural : min(natural, max(1, available))
        }
        var excess = widths.reduce(0, +) + Self.gap * max(0, drawn - 1) - available
        if let least {
            narrow(&widths, among: Array(widths.indices), by: &excess) { least[$0] }
            return widths
        }
        let flexible = widths.indices.filter { columns[$0].isFlexible }
        narrow(&widths, among: flexible, by: &excess) { _ in Self.readable }
        let others = widths.indices.filter { !columns[$0].isWhole }
        narrow(&widths, among: others, by: &excess) { _ in 1 }
        return widths
    }

    /// The rows as records, a header and its cell on each line and an empty line between two
    /// records; nil where the table itself cuts no column that should not give way, or where not
    /// even a record has room. Empty cells are left out, but for those of an empty row.
    func records(
        of body: [[Cell]], under header: [Cell], _ widths: [Int], _ available: Int
    ) -> [Record]? {
        let total = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
        let isCut =
            total > available
            || columns.indices.contains { index in
                guard index < widths.count else { return true }
                return !columns[index].isFlexible
                    && ([header] + body).contains {
                        DisplayWidth.columns(of: $0[index].text) > widths[index]
                    }
            }
        let names = header.map { DisplayWidth.columns(of: $0.text) }.max() ?? 0
        let room = available - names - Self.gap
        guard isCut, room >= 2 * Self.readable else { return nil }
        var records: [Record] = []
        for row in body {
            if !records.isEmpty { records.append(Record(cells: [Cell("")], widths: [0])) }
            for (index, column) in columns.enumerated() where !row[index].text.isEmpty {
                let width =
                    column.isWhole
                    ? max(room, DisplayWidth.columns(of: row[index].text)) : room
                records.append(
                    Record(cells: [header[index], row[index]], widths: [names, width]))
            }
        }
        return records
    }

    /// One line of a record.
    struct Record {
        var cells: [Cell]
        var widths: [Int]
    }

    /// Takes `excess` from the widest of `candidates`, one place at a time, as far as the `floor` of each.
    private func narrow(
        _ widths: inout [Int], among candidates: [Int], by excess: inout Int,
        downTo floor: (Int) -> Int
    ) {
        while excess > 0 {
            let wide = candidates.filter { widths[$0] > floor($0) }
            guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    /// One row, cut and padded to `widths`, without spaces at its end.
    func line(
        of row: [Cell], widths: [Int], aligned alignments: [Alignment], style: Style
    ) -> String {
        var line = ""
        // Spaces are owed until something follows them, so that none stand at the end of a line.
        var owed = 0
        for (index, width) in widths.enumerated() {
            let text = DisplayWidth.fitted(row[index].text, to: width, betweenWords: cut == .words)
            let padding = width - DisplayWidth.columns(of: text)
            let isTrailing = alignments[index] == .trailing
            if isTrailing { owed += padding }
            if !text.isEmpty {
                line += String(repeating: " ", count: owed)
                line += style.applied(row[index].emphasis, to: text)
                owed = 0
            }
            owed += (isTrailing ? 0 : padding) + Self.gap
        }
        return line
    }
}
