internal import Declarations
internal import SQLite
internal import Tables

extension CacheStore {
    /// Compares the full text of lists with their tables. SQLite asks by a statement that writes, and is undone.
    ///
    /// Source: https://www.sqlite.org/fts5.html#the_integrity_check_command
    func checkSearch() throws -> [Finding] {
        try ListSchema(connection: connection).made().flatMap { try checkSearch(of: $0) }
    }

    private func checkSearch(of list: ListTable) throws -> [Finding] {
        let name = list.declaration.name
        let exists = try connection.count(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?", .text(list.searchName))
        // If it is missing, the check of the schema says so.
        guard let statements = list.fullTextStatements, exists == 1 else { return [] }
        let mismatch = Finding(
            subject: "search", severity: .error,
            problem: "the full text of the \(name) does not match the \(name)",
            hint: "Run `syncd check --fix`: it is made anew.", remedy: .rebuildSearch)
        do throws(SQLiteError) {
            try withWritingConnection { (writing) throws(SQLiteError) in
                try writing.run("BEGIN IMMEDIATE")
                defer { writing.rollBack() }
                try writing.run(statements.check)
            }
            guard let unlike = statements.unlike else { return [] }
            return try connection.count("SELECT EXISTS (\(unlike))") == 1 ? [mismatch] : []
        } catch {
            switch error.code.primary {
            case .corrupt: return [mismatch]
            case .readOnly, .permission, .cannotOpen, .busy:
                return [
                    Finding(
                        subject: "search", severity: .note,
                        problem: "the full text of the \(name) was not checked: \(error.message)",
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
