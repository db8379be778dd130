internal import SQLite

/// Reads what can be read of a table of a damaged file.
struct SalvageReader {
    let connection: Connection

    /// The rows of a table that could be read, and where none could.
    struct Rows {
        var values: [Int64: [Value]] = [:]
        var gaps: [ClosedRange<Int64>] = []
        var isTableReadable = true
    }

    /// So many times a place behind a damaged one is tried.
    private static let maxProbes = 2000
    /// So far behind the last row that can be read is looked where no end is known.
    private static let unknownEnd: Int64 = 1000

    /// The columns of `table` for each row from 1 to `last`, by its number.
    ///
    /// From both ends until SQLite refuses to go on; what lies between is halved again and again.
    func rows(of table: String, _ columns: String, upTo last: Int64?) -> Rows {
        var rows = Rows()
        let sql =
            "SELECT rowid, \(columns) FROM \(table) WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        let statements: [Statement]
        do throws(SQLiteError) {
            statements = [try connection.prepare(sql), try connection.prepare(sql + " DESC")]
        } catch {
            rows.isTableReadable = false
            return rows
        }
        var ranges: [ClosedRange<Int64>] = [1...(Int64.max - 1)]
        var probed = 0
        while probed < min(ranges.count, Self.maxProbes) {
            let range = ranges[probed]
            probed += 1
            guard let low = scan(statements[0], range, isAscending: true, &rows),
                let top = scan(
                    statements[1], low...range.upperBound, isAscending: false, &rows)
            else { continue }  // It went through.
            // Nothing was ever stored behind the last number that was given.
            let newest = rows.values.keys.max() ?? 0
            let high = min(top, last.map { max($0, newest) } ?? newest + Self.unknownEnd)
            guard low < high else {
                if low == high { rows.gaps.append(low...high) }
                continue
            }
            let middle = low + (high - low) / 2
            ranges += [low...middle, (middle + 1)...high]
        }
        rows.gaps += ranges.dropFirst(probed)
        rows.gaps = Self.joined(rows.gaps.sorted { $0.lowerBound < $1.lowerBound })
        return rows
    }

    /// Takes rows until the end, which is nil, or until the place behind the last one that can be
    /// read.
    private func scan(
        _ statement: Statement, _ range: ClosedRange<Int64>, isAscending: Bool, _ rows: inout Rows
    ) -> Int64? {
        defer { statement.reset() }
        var next = isAscending ? range.lowerBound : range.upperBound
        // Where the number after this one is out of order, this one may be the wrong one.
        var trusted = next
        do throws(SQLiteError) {
            try statement.bind([.integer(range.lowerBound), .integer(range.upperBound)])
            while try statement.step() {
                let row = statement.integer(0)
                // In a damaged tree a page can follow itself, too.
                guard range.contains(row), isAscending ? row >= next : row <= next else {
                    return trusted
                }
                rows.values[row] = (1..<statement.columnCount).map { statement.value($0) }
                if row == (isAscending ? range.upperBound : range.lowerBound) { return nil }
                trusted = next
                next = isAscending ? row + 1 : row - 1
            }
            return nil
        } catch {
            return next
        }
    }

    private static func joined(_ gaps: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        gaps.reduce(into: []) { joined, gap in
            guard let last = joined.last, last.upperBound + 1 >= gap.lowerBound else {
                return joined.append(gap)
            }
            joined[joined.count - 1] = last.lowerBound...max(last.upperBound, gap.upperBound)
        }
    }
}
