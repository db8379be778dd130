import Text

/// How far something is, as one line that a terminal draws over itself.
///
/// A pure value: whoever writes it writes ``redrawn(columns:style:)`` after each change and
/// ``cleared`` before anything else, and nothing at all where standard error is no terminal.
public struct ProgressLine: Sendable, Hashable {
    /// What is under way; escaped when it is shown.
    public var label: String
    /// How much is done; nil where nothing is counted.
    public var done: Int?
    /// How much there is, once that is known.
    public var total: Int?
    /// What is counted: `pages`.
    public var unit: String

    /// A line; a `done` under 0 or over the total is shown as that end.
    public init(label: String, done: Int, total: Int?, unit: String) {
        self.label = label
        self.done = done
        self.total = total
        self.unit = unit
    }

    /// A line that counts nothing.
    public init(label: String) {
        self.label = label
        unit = ""
    }

    /// The carriage return and the command that empties the line (ECMA-48 §8.3.41, EL).
    public static let cleared = "\r\u{1b}[K"

    /// The line drawn over the one before it, without a newline.
    public func redrawn(columns: Int, style: Style) -> String {
        Self.cleared + text(columns: columns, style: style)
    }

    /// `movies  [=====>    ]   9/18 pages`, never wider than `columns`: in a narrow terminal the bar
    /// goes first, then the end of the text. Without a total, no bar: `movies  9 pages`.
    public func text(columns: Int, style: Style) -> String {
        let name = ForeignText(label).escaped
        let unit = ForeignText(self.unit).escaped
        guard let counted = self.done else { return DisplayWidth.fitted(name, to: columns) }
        let done = max(0, counted)
        guard let total, total > 0 else {
            return DisplayWidth.fitted("\(name)  \(done) \(unit)", to: columns)
        }
        // As wide as it will be at the end, so nothing moves.
        let figures = String(min(done, total))
        let blanks = String(repeating: " ", count: String(total).count - figures.count)
        let count = "\(blanks)\(figures)/\(total) \(unit)"
        let room = columns - DisplayWidth.columns(of: "\(name)  []  \(count)")
        guard room >= Self.shortestBar else {
            return DisplayWidth.fitted("\(name)  \(count)", to: columns)
        }
        let width = min(room, Self.longestBar)
        let bar = style.applied(.good, to: Self.bar(done: min(done, total), of: total, width))
        let rest = String(
            repeating: " ", count: width - Self.filled(done: min(done, total), of: total, width))
        return "\(name)  [\(bar)\(rest)]  \(count)"
    }

    private static let shortestBar = 5
    private static let longestBar = 30

    private static func bar(done: Int, of total: Int, _ width: Int) -> String {
        let filled = filled(done: done, of: total, width)
        guard filled > 0, done < total else { return String(repeating: "=", count: filled) }
        return String(repeating: "=", count: filled - 1) + ">"
    }

    /// How many of `width` places are filled; all of them only when all is done.
    private static func filled(done: Int, of total: Int, _ width: Int) -> Int {
        if done >= total { return width }
        // In doubles, because a product of two large counts does not fit an Int.
        return min(width - 1, Int(Double(done) / Double(total) * Double(width)))
    }
}
