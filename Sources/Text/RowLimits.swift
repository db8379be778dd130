/// How large a row is that syncd takes from a server, and lets a program write: what is accepted can come back.
public enum RowLimits: Sendable {
    /// A row as JSON, in bytes.
    public static let bytes = 1 << 20
    /// The members of a row, those of objects within it counted.
    public static let members = 65_536
    /// How many objects and lists of a body stand within each other.
    public static let depth = 64
    /// The name of a member that is not of ASCII alone, in bytes. Readers put names into dictionaries, in a time
    /// that grows with the square of a run of combining marks.
    public static let nameBytes = 128
}
