/// Something that a check found.
public struct Finding: Sendable, Hashable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Nothing is wrong: something to know.
        case note
        /// Nothing is lost, but somebody should look at it.
        case warning
        /// A promise is broken.
        case error
    }

    /// What mends it, losing nothing.
    public enum Remedy: Sendable, Hashable {
        /// Makes the full text of lists anew.
        case rebuildSearch
        /// Copies the write-ahead log into the database.
        case checkpoint
        /// Makes a view, trigger or index anew as the migrations have it.
        case recreate(kind: String, name: String)
        /// Brings the list of this name back to its laws: rows that nobody knows are queued as new ones, others
        /// are shown as the server has them.
        case sweep(list: String)
    }

    /// What it is about, in a word that stays the same between versions: `integrity`, `foreign_keys`,
    /// `invariant_…`, `schema`, `search`, `journal`, `wal`, `library`.
    public let subject: String
    /// How bad it is.
    public let severity: Severity
    /// What is wrong, and where.
    public let problem: String
    /// One imperative sentence: what the person can do.
    public let hint: String
    /// What ``CacheStore/fix(_:)`` does about it; nil where that would lose something, or nothing can.
    public let remedy: Remedy?

    /// A finding from its parts.
    public init(
        subject: String, severity: Severity, problem: String, hint: String, remedy: Remedy?
    ) {
        self.subject = subject
        self.severity = severity
        self.problem = problem
        self.hint = hint
        self.remedy = remedy
    }
}
