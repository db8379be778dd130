/// In which order movies are listed.
public enum MovieOrder: String, Sendable, Hashable, CaseIterable {
    /// The server's.
    case list
    /// The one that is released first, first; those without a date last.
    case date
    /// The best one first; those without votes last.
    case rating
    /// By the alphabet, without regard to case in ASCII.
    case title
}
