/// How many rows a list was found to have.
struct KnownCount {
    let rows: Int64
    /// The `data_version` in which they were counted: commits of others move it.
    let version: Int64
}
