/// How much a declaration may ask for.
public enum Limits: Sendable {
    /// Lists of one configuration.
    public static let lists = 32
    /// Columns of a table, bookkeeping included.
    public static let columns = 64
    /// Columns that programs write to: each has a bit of a 64-bit integer.
    public static let writableColumns = 60
    /// Columns with an index.
    public static let indexes = 4
    /// Columns in the full text.
    public static let searchColumns = 4
    /// A value of a column, in bytes.
    public static let textBytes = 1 << 20
    /// The name of a column, in bytes.
    public static let columnNameBytes = 64
    /// A declaration's file, in bytes.
    public static let fileBytes = 64 << 10
    /// Pages of one pull. Before that, rows and bytes end a list of any length that people have.
    public static let pages = 100_000
    /// Rows of one pull.
    public static let rows = 2_000_000
    /// Header fields that a server or a call has of its own.
    public static let headers = 16
}
