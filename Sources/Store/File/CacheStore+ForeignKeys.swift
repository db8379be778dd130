internal import SQLite

/// Foreign keys of other programs on the tables of lists.
extension CacheStore {
    /// Repeats what a foreign key without an action has stopped: the row is gone at the server all the same.
    func toleratingForeignKeys<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            guard case .foreignKey = error else { throw error }
            try set("foreign_keys = OFF")
            defer { _ = try? set("foreign_keys = ON") }
            return try body()
        }
    }
}
