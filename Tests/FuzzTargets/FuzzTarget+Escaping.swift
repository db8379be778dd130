import FoundationEssentials
import Rendering
import Text

extension FuzzTarget {
    /// A byte for the width of a terminal, and a text from elsewhere.
    ///
    /// Laws: nothing that is shown holds a control character, a line break or a turn of direction;
    /// to escape twice is to escape once; no line is wider than the terminal; JSON is read back as
    /// the text that it was.
    static let escaping = FuzzTarget("escaping") { bytes in
        guard let width = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        try checkTexts(text, limit: max(3, Int(width)))
        try checkTables(text, columns: Int(width))
        try checkJSON(text)
    }

    private static func checkTexts(_ text: String, limit: Int) throws {
        let once = ForeignText(text).escaped
        try Hazard.requireNone(in: once, "a foreign text")
        try require(
            ForeignText(once).escaped.utf8.elementsEqual(once.utf8), "twice is once: \(once)")
        let short = ForeignText.escaped(text, maxBytes: limit)
        try Hazard.requireNone(in: short, "a short text")
        try require(short.utf8.count <= limit, "at most \(limit) bytes: \(short)")
        try Hazard.requireNone(in: ForeignText.shellWord(text), "a word of the shell")
    }

    private static func checkTables(_ text: String, columns: Int) throws {
        let plain = Style(colour: false)
        let table = Table(
            columns: [
                .init("id"), .init(text, isFlexible: true), .init("n", alignment: .trailing),
            ],
            rows: [["1", .init(text, .bad), "2"], [.init(text), .init(text), .init(text)], []])
        for line in table.lines(for: .terminal(columns: columns, style: plain)) {
            try Hazard.requireNone(in: line, "a line of a table")
            let width = DisplayWidth.columns(of: line)
            try require(width <= columns, "\(width) of \(columns) columns: \(line)")
        }
        for line in table.lines(for: .stream) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            try require(fields.count == 3, "three fields: \(line)")
            for field in fields { try Hazard.requireNone(in: String(field), "a field") }
        }
        let record = CSV(for: .terminal(columns: columns, style: plain)).record([text, nil, text])
        try Hazard.requireNone(in: String(decoding: record.dropLast(2), as: UTF8.self), "a record")
        let progress = ProgressLine(label: text, done: columns, total: 100, unit: text)
            .text(columns: columns, style: plain)
        try Hazard.requireNone(in: progress, "a line of progress")
        try require(DisplayWidth.columns(of: progress) <= columns, "no wider: \(progress)")
    }

    private static func checkJSON(_ text: String) throws {
        let bytes = JSONValue.object([.init(text, .string(text))]).bytes
        let shown = String(decoding: bytes, as: UTF8.self)
        try Hazard.requireNone(in: shown, "JSON")
        let again = try JSONDecoder().decode([String: String].self, from: Data(bytes))
        try require(
            again.first?.value.utf8.elementsEqual(text.utf8) == true, "JSON keeps a text: \(shown)")
        let raw = JSONValue.raw(bytes).bytes
        try require(raw == bytes, "JSON on one line stays as it is")
    }
}
