/// The todos of a cache, shown or hidden by a delete that waits, with what the server has of them.
public enum EveryTodo: Sendable {
    /// To stand behind FROM; its name is `todo`.
    public static let rows = """
        (SELECT row.id, row.title, known.server_id, row.created_at, known.document
         FROM (SELECT id, title, created_at FROM todos
             UNION ALL SELECT id, c_title, added_at FROM d_todos) AS row
             LEFT JOIN s_todos AS known ON known.id = row.id) AS todo
        """
}
