/// The table between the `imports` markers of ARCHITECTURE.md.
struct ImportTable {
    struct Row {
        var line: Int
        /// Nil for a room beside the house.
        var floor: Int?
        var room: String
        var rooms: [String]
        var toolchain: [String]
    }

    /// From the top floor to the ground.
    private(set) var rows: [Row] = []

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let begin = lines.firstIndex(of: "<!-- imports:begin -->"),
            let end = lines.firstIndex(of: "<!-- imports:end -->"), begin < end
        else { return }
        for index in begin..<end {
            let cells = lines[index].split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 6, let room = Self.names(in: cells[2]).first else { continue }
            let floor = Int(cells[1].filter { $0 != " " })
            rows.append(
                Row(
                    line: index + 1, floor: floor, room: room, rooms: Self.names(in: cells[3]),
                    toolchain: Self.names(in: cells[4])))
        }
    }

    private static func names(in cell: Substring) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
}
