/// What became of a damaged cache.
public struct SalvageReport: Sendable, Hashable {
    /// What SQLite said of it.
    public let damage: String
    /// Where the damaged file lies now, with its log beside it; nobody removes it.
    public let movedTo: String
    /// Operations that are in the queue again.
    public let operations: Int
    /// Those among them that pulls have to decide first.
    public let doubtful: Int
    /// What could not be read, one part of a sentence each; empty where the queue is whole.
    public let losses: [String]
}

extension SalvageReport: CustomStringConvertible {
    /// What happened, and what was lost, in a few sentences.
    public var description: String {
        let saved =
            switch operations {
            case 0: "Its queue had nothing that could be saved."
            case 1: "1 operation of its queue was saved\(doubt)."
            default: "\(operations) operations of its queue were saved\(doubt)."
            }
        let lost =
            losses.isEmpty
            ? "Nothing of the queue was lost." : "Lost: \(losses.joined(separator: "; "))."
        return "The cache was damaged (\(damage)) and moved aside to \(movedTo). \(saved) \(lost)"
            + " The next pull brings movies and todos again; the log of changes begins anew."
    }

    private var doubt: String { doubtful == 0 ? "" : ", \(doubtful) in doubt" }

    /// One imperative sentence: what the person can do.
    public var hint: String {
        losses.isEmpty
            ? "Check the disk, and remove the file when you do not need it."
            : "Check the disk, and look into a backup for what was lost."
    }
}
