/// How far a pull in pages got, which decides what it may remove.
public enum PullReach: Sendable, Hashable {
    /// Every row of the server, seen once: what is absent is gone.
    case complete
    /// Every page, and no row twice, but pages are counted: a row may have slipped through between two of them, be the
    /// total the same. A row leaves when it was absent from two such pulls in a row.
    case untold
    /// Every page, but rows were doubled, skipped or moved: a row may have slipped through, and
    /// leaves when it was absent from three such pulls in a row.
    case everyPage
    /// Not every page: nothing is removed.
    case partial
}

extension PullReach {
    /// From how many pulls in a row a row has to be absent before it leaves; nil: it stays.
    package var pullsToLeave: Int? {
        switch self {
        case .complete: 1
        case .untold: 2
        case .everyPage: 3
        case .partial: nil
        }
    }
}
