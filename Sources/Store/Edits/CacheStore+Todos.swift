public import Rules
internal import SQLite
internal import Text

extension CacheStore {
    /// The longest title that a person can give, in bytes of UTF-8.
    public static let maxTitleBytes = 4096

    /// Queues one create for each title, all or none, and returns the new ids in order.
    ///
    /// Durable when it returns. Throws ``StoreError/refused(_:)`` with the trigger's sentence for a
    /// title that is empty, too long or holds NUL.
    public func addTodos(_ titles: [String]) throws(StoreError) -> [TodoID] {
        try addRows(titles.map { RowToAdd(values: [.text($0)]) }, to: ListRows.todos)
            .map { TodoID(rawValue: $0) }
    }

    /// Deletes todos by their local ids, all or none, as ``removeRows(_:of:)`` does.
    @discardableResult
    public func removeTodos(_ ids: [TodoID]) throws(StoreError) -> [OperationSequence] {
        try removeRows(ids.map(\.rawValue), of: ListRows.todos)
    }

    /// The rows of the table `todos`, in the order of their ids; with `search`, those whose title
    /// holds that text. Case does not count, in any alphabet, nor how an accent is encoded; an
    /// accent itself does.
    public func todos(search: String?) throws(StoreError) -> [TodoRow] {
        // SQLite's lower() knows the letters of ASCII alone, and no accents: other texts are compared here.
        let folded = search?.foldedForSearch
        let asciiSearch = search.flatMap { $0.isASCII ? $0 : nil }
        return try read {
            var rows: [TodoRow] = []
            try connection.each(
                """
                SELECT id, title, state, server_id, created_at, error FROM todos
                WHERE ?1 IS NULL OR instr(lower(title), lower(?1)) > 0
                    OR title GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                ORDER BY id
                """, [.text(asciiSearch)]
            ) { row in
                let title = row.text(1)
                let isCompared = asciiSearch != nil && title.isASCII
                if let folded, !isCompared, !title.foldedForSearch.contains(folded) { return }
                rows.append(TodoRow(row: row, title: title))
            }
            return rows
        }
    }
}

extension TodoRow {
    fileprivate init(row: Statement, title: String) {
        self.init(
            id: TodoID(rawValue: row.integer(0)), title: title, state: row.text(2),
            serverID: row.textOrNil(3), createdAt: row.text(4), error: row.textOrNil(5))
    }
}
