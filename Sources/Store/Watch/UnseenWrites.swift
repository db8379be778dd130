/// What was written to the table of a list while its triggers were not there, or did not run.
public struct UnseenWrites: Sendable, Hashable {
    /// Rows of the server that were neither shown nor hidden.
    public var lost: Int64
    /// Rows that neither the server nor the queue knew.
    public var new: Int64
    /// Rows that were not what the server has.
    public var changed: Int64
    /// Operations whose row was gone: what they would have sent stood in it.
    public var orphans: Int64
    /// All rows that are shown.
    public var rows: Int64

    /// What was found.
    public init(lost: Int64, new: Int64, changed: Int64, orphans: Int64, rows: Int64) {
        (self.lost, self.new, self.changed) = (lost, new, changed)
        (self.orphans, self.rows) = (orphans, rows)
    }

    /// So many rows are taken for what programs meant.
    static let mostRows: Int64 = 100

    /// There were none.
    public var isEmpty: Bool { lost + new + changed + orphans == 0 }

    /// More than ``mostRows`` and more than a hundredth of the table would be sent, or given back: that is more
    /// likely a fault than a wish. Rows that come back are the server's, and count as nothing.
    var isTooMuch: Bool { new + changed > Self.mostRows && (new + changed) * 100 > rows }

    /// What was found, as parts of a sentence: "3 new rows, 1 changed row".
    public var parts: String {
        func part(_ count: Int64, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(many)"
        }
        return [
            part(new, "new row", "new rows"), part(changed, "changed row", "changed rows"),
            part(lost, "missing row", "missing rows"),
            part(orphans, "change without its row", "changes without their rows"),
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
