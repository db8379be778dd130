internal import Text

extension Table {
    /// A column that can be cut keeps so many places at least, or else another one is left out for it.
    private static let readableCell = 16
    /// A word that is longer may be cut in two.
    private static let longestWord = 30

    /// The table with the columns for which a terminal has room.
    public struct Choice: Sendable {
        /// In the order in which they stood.
        public let table: Table
        /// The headers of the others, in their order.
        public let left: [String]
    }

    /// Chooses columns for a terminal: those of `first` before others, then those that take less room before
    /// those that take more. In a stream there is room for all.
    ///
    /// Law: no header is cut. If there is no room for all of `first`, every row is a block, and no column is left
    /// out.
    public func choosing(first: [Int], for destination: Destination) -> Choice {
        guard case .terminal(let available, _) = destination, !columns.isEmpty else {
            return Choice(table: self, left: [])
        }
        let needed = needed()
        let rank = columns.indices.map { first.firstIndex(of: $0) ?? first.count }
        let order = columns.indices.sorted {
            (rank[$0], needed[$0], $0) < (rank[$1], needed[$1], $1)
        }
        var room = available + Self.gap
        var chosen: Set<Int> = []
        for index in order {
            room -= needed[index] + Self.gap
            guard room >= 0 else { break }
            chosen.insert(index)
        }
        guard chosen.count >= max(1, first.count) else {
            var table = self
            table.cut = .blocks
            return Choice(table: table, left: [])
        }
        let kept = columns.indices.filter(chosen.contains)
        let row = self.row
        var table = Table(
            columns: kept.map { columns[$0] }, of: Array(0..<count)
        ) { place in
            let cells = row(place)
            return kept.map { $0 < cells.count ? cells[$0] : "" }
        }
        table.hasHeader = hasHeader
        table.cut = .words
        table.least = kept.map { needed[$0] }
        return Choice(
            table: table,
            left: columns.indices.filter { !chosen.contains($0) }.map { columns[$0].header })
    }

    /// The places that each column needs: for its header, and for its widest cell or a beginning of it that ends
    /// between two words.
    private func needed() -> [Int] {
        var needed = columns.map { DisplayWidth.columns(of: ForeignText($0.header).escaped) }
        for place in 0..<count {
            for (index, cell) in row(place).prefix(columns.count).enumerated() {
                let start = String(cell.text.prefix(Self.longestWord + 1))
                let text = ForeignText(start).escaped
                let width = DisplayWidth.columns(of: text)
                guard width > Self.readableCell else {
                    needed[index] = max(needed[index], width)
                    continue
                }
                let words = text.split(separator: " ").map { DisplayWidth.columns(of: $0) + 1 }
                let longest = min(words.max() ?? 0, Self.longestWord, width)
                needed[index] = max(needed[index], Self.readableCell, longest)
            }
        }
        return needed
    }

    /// How what is too long is shown.
    enum Cut: Sendable, Hashable {
        /// Each cell is cut where its room ends.
        case letters
        /// Each cell is cut between two words, if it has several.
        case words
        /// Each row is a block, with the cells in lines.
        case blocks
    }

    /// Each row as a block: a header and its cell on a line, and what the line has no room for below it.
    func blocks(
        of body: [[Cell]], under header: [Cell], _ available: Int, _ style: Style
    ) -> [String] {
        let names = header.map { DisplayWidth.columns(of: $0.text) }.max() ?? 0
        let room = max(1, available - names - Self.gap)
        var lines: [String] = []
        for row in body {
            if !lines.isEmpty { lines.append("") }
            for index in columns.indices where !row[index].text.isEmpty {
                for (place, text) in Paragraph.pieces(of: row[index].text, columns: room)
                    .enumerated()
                {
                    let name = place == 0 ? header[index] : Cell("")
                    lines.append(
                        line(
                            of: [name, Cell(text, row[index].emphasis)], widths: [names, room],
                            aligned: [.leading, .leading], style: style))
                }
            }
        }
        return lines
    }
}
