internal import CommandLine
internal import Rendering
internal import SQLite
internal import Text

/// How the rows of `query` and `list` look.
enum RowFormat: Sendable, Hashable {
    case table, json, csv, safeCSV

    /// The options that say how rows look.
    static let options = [
        OptionSpec.json, OptionSpec("csv", "print comma-separated values (RFC 4180)"),
        OptionSpec("safe", "with --csv: put an apostrophe before formulas"),
        OptionSpec("no-header", "leave out the line with the names of the columns"),
    ]

    /// What `--json`, `--csv` and `--safe` ask for.
    init(_ arguments: Arguments) throws(CommandError) {
        let isCSV = arguments.flags.contains("csv")
        guard !(arguments.wantsJSON && isCSV) else {
            throw arguments.usage("--json and --csv exclude each other")
        }
        guard !(arguments.wantsJSON && arguments.flags.contains("no-header")) else {
            throw arguments.usage("--json has no header that --no-header could leave out")
        }
        guard isCSV || !arguments.flags.contains("safe") else {
            throw arguments.usage("--safe goes with --csv")
        }
        guard isCSV else {
            self = arguments.wantsJSON ? .json : .table
            return
        }
        self = arguments.flags.contains("safe") ? .safeCSV : .csv
    }
}

/// Prints the rows of one statement while they come, so that none but a person's table is held in
/// memory whole.
struct RowPrinter {
    let statement: Statement
    /// Counts the work of the statement.
    let time: WorkingTime
    let console: Console
    /// Whether the names of the columns come before the rows.
    let hasHeader: Bool
    /// The columns that a narrow terminal shows before others.
    var first: [String] = Self.usualFirst

    /// What tells rows apart, what names them, and how they are, in a statement of a person.
    private static let usualFirst = ["_id", "id", "title", "name", "_state", "state"]

    func write(as format: RowFormat) throws(CommandError) {
        switch format {
        case .json: try writeJSON()
        case .csv: try writeCSV { $0 }
        case .safeCSV: try writeCSV(CSV.inert)
        case .table: try writeTable()
        }
    }

    /// The columns' names, a repeated one with its number, so that no JSON object holds one twice.
    private var names: [String] {
        var names: [String] = []
        for index in 0..<statement.columnCount {
            let name = statement.columnName(index)
            var unique = name
            var number = 2
            while names.contains(unique) {
                unique = "\(name):\(number)"
                number += 1
            }
            names.append(unique)
        }
        return names
    }

    private func next() throws(CommandError) -> Bool {
        try CommandError.from(CommandError.statement) { () throws(SQLiteError) in
            try time.count { () throws(SQLiteError) in try statement.step() }
        }
    }

    private func writeJSON() throws(CommandError) {
        let names = names
        var list = JSONArrayWriter()
        while try next() {
            let members = names.enumerated().map { index, name in
                JSONValue.Member(name, statement.value(index).json)
            }
            try console.write(list.add(.object(members)))
        }
        try console.write(list.end())
    }

    /// Writes each name and each text as `shown` gives it; numbers stay as they are.
    private func writeCSV(_ shown: (String) -> String) throws(CommandError) {
        let csv = CSV(for: console.destination)
        let names = names
        guard !names.isEmpty else { return try runToEnd() }
        if hasHeader { try console.write(csv.record(names.map(shown))) }
        while try next() {
            let fields: [String?] = names.indices.map {
                switch statement.value($0) {
                case .text(let text): shown(text)
                case let other: other.text
                }
            }
            try console.write(csv.record(fields))
        }
    }

    private func writeTable() throws(CommandError) {
        let names = names
        guard !names.isEmpty else { return try runToEnd() }
        switch console.destination {
        case .terminal:
            var rows: [[Table.Cell]] = []
            while try next() {
                rows.append(names.indices.map { .init(statement.value($0).text ?? "") })
            }
            try writeChosen(names, rows)
        case .stream:
            if hasHeader { try write(fields: names) }
            while try next() { try write(fields: names.indices.map { statement.value($0).text }) }
        }
    }

    /// The columns that fit, and what the others are called.
    private func writeChosen(
        _ names: [String], _ rows: [[Table.Cell]]
    ) throws(CommandError) {
        var table = Table(columns: names.map { .init($0, isFlexible: true) }, rows: rows)
        table.hasHeader = hasHeader
        let choice = table.choosing(
            first: first.compactMap { names.firstIndex(of: $0) }, for: console.destination)
        try console.write(choice.table)
        guard !choice.left.isEmpty else { return }
        // It comes after what it is about.
        try console.flush()
        console.note(
            "no room for \(choice.left.joined(separator: ", ")): name columns in `syncd query`,"
                + " or add --json")
    }

    private func write(fields: [String?]) throws(CommandError) {
        try console.write(
            line: fields.map { ForeignText($0 ?? "").escaped }.joined(separator: "\t"))
    }

    private func runToEnd() throws(CommandError) {
        while try next() {}
    }
}

extension Value {
    /// Blobs in hexadecimal: JSON has no bytes.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let bytes): .string(Self.hexadecimal(bytes))
        }
    }

    /// Nil for NULL.
    var text: String? {
        switch self {
        case .null: nil
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .blob(let bytes): Self.hexadecimal(bytes)
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
