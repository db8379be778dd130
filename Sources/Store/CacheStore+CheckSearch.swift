internal import SQLite

extension CacheStore {
    /// Compares the full text with the movies. SQLite asks by a statement that writes, and is undone.
    ///
    /// Source: https://www.sqlite.org/fts5.html#the_integrity_check_command
    func checkSearch() throws -> [Finding] {
        let exists = try connection.count(
            "SELECT count(*) FROM sqlite_schema WHERE name = 'movie_search'")
        guard exists == 1 else { return [] }  // The check of the schema says so.
        do throws(SQLiteError) {
            try withWritingConnection { (writing) throws(SQLiteError) in
                try writing.run("BEGIN IMMEDIATE")
                defer { writing.rollBack() }
                try writing.run(
                    "INSERT INTO movie_search (movie_search, rank) VALUES ('integrity-check', 1)")
            }
            return []
        } catch {
            switch error.code.primary {
            case .corrupt:
                return [
                    Finding(
                        subject: "search", severity: .error,
                        problem: "the full text of the movies does not match the movies",
                        hint: "Run `syncd check --fix`: it is made anew.", remedy: .rebuildSearch)
                ]
            case .readOnly, .permission, .cannotOpen, .busy:
                return [
                    Finding(
                        subject: "search", severity: .note,
                        problem: "the full text of the movies was not checked: \(error.message)",
                        hint: "Check as the user who syncs, while no other program writes.",
                        remedy: nil)
                ]
            default: throw error
            }
        }
    }

    /// A second connection where the store's own one only reads.
    private func withWritingConnection(
        _ body: (Connection) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard isReadOnly else { return try body(connection) }
        let helper = try Connection(.file(path), access: .readWrite, busyTimeout: patience)
        helper.keepWALOnClose()
        try body(helper)
    }
}
