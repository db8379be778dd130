internal import Store

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
    /// Whether the damaged file refuses writes now. Where it does not, a program that was connected
    /// to it can go on writing where nobody reads.
    public let isClosed: Bool
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
        let open =
            isClosed
            ? "" : " Programs that were connected to it may have gone on writing to the moved file."
        return "The cache was damaged (\(damage)) and moved aside to \(movedTo). \(saved) \(lost)"
            + open
            + " The next pulls bring the rows of the servers again; the log of changes begins anew."
    }

    private var doubt: String { doubtful == 0 ? "" : ", \(doubtful) in doubt" }

    /// What the person can do.
    public var hint: String {
        let restart = isClosed ? "" : " Start programs that use the cache again."
        guard !losses.isEmpty else {
            return "Check the disk, and remove the file when you do not need it." + restart
        }
        return "Check the disk, and look for the lost parts in a backup. On a copy,"
            + " `sqlite3 \(movedTo) .recover` may read more, if it is the program of sqlite.org."
            + restart
    }
}
