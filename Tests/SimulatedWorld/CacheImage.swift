import Declarations
import SQLite
import TestSupport

/// Todos and operations of a cache as a reader sees them.
struct CacheImage {
    struct Todo {
        let id: Int64
        let title: String
        let serverID: String?
    }

    struct Operation {
        let sequence: Int64
        let isCreate: Bool
        let todo: Int64
        let state: String
    }

    var todos: [Int64: Todo] = [:]
    var byServerID: [String: Todo] = [:]
    var operations: [Int64: Operation] = [:]

    /// Local ids that the wipe guard counts: rows without a delete that waits.
    var guarded: [Todo] {
        let leaving = Set(
            operations.values.filter { !$0.isCreate && $0.state != "rejected" }.map(\.todo))
        return byServerID.values.filter { !leaving.contains($0.id) }
    }
}

extension Device {
    /// Both tables; nothing is written between the two statements.
    func image() -> CacheImage {
        var image = CacheImage()
        // A row whose delete was acknowledged is gone for every reader.
        let isGone = "SELECT row_id FROM operation WHERE kind = 'delete' AND state = 'acknowledged'"
        let todos = read("SELECT id, title, server_id FROM \(rows) WHERE id NOT IN (\(isGone))") {
            CacheImage.Todo(id: $0.integer(0), title: $0.text(1), serverID: $0.textOrNil(2))
        }
        for todo in todos {
            image.todos[todo.id] = todo
            if let id = todo.serverID { image.byServerID[id] = todo }
        }
        let operations = read("SELECT seq, op = 'create', row_id, state FROM outbox") {
            CacheImage.Operation(
                sequence: $0.integer(0), isCreate: $0.integer(1) == 1, todo: $0.integer(2),
                state: $0.text(3))
        }
        for operation in operations { image.operations[operation.sequence] = operation }
        return image
    }

    /// Whether anything waits that is not refused for good.
    var hasWork: Bool {
        read("SELECT 1 FROM outbox WHERE state <> 'rejected' LIMIT 1") { _ in true }.first ?? false
    }

    /// Whether a list has to decide about what the server has acknowledged.
    var remembers: Bool {
        !read(
            """
            SELECT 1 FROM trail UNION ALL SELECT 1 FROM operation
            WHERE kind = 'delete' AND state = 'acknowledged' LIMIT 1
            """
        ) { _ in true }.isEmpty
    }

    /// The ids of new rows that no list has shown since their create was acknowledged.
    var unseen: Set<String> {
        Set(
            read(
                "SELECT server_id FROM trail JOIN \(rows) ON todo.id = row_id WHERE is_new = 1"
            ) { $0.text(0) })
    }

    var queueText: String {
        read(
            "SELECT kind || ' of ' || title || ' (' || state || ')' FROM operation "
                + "JOIN \(rows) ON todo.id = row_id WHERE state <> 'rejected'"
        ) { $0.text(0) }
        .joined(separator: ", ")
    }
}
