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
        let todos = read("SELECT id, title, server_id FROM \(rows)") {
            CacheImage.Todo(id: $0.integer(0), title: $0.text(1), serverID: $0.textOrNil(2))
        }
        for todo in todos {
            image.todos[todo.id] = todo
            if let id = todo.serverID { image.byServerID[id] = todo }
        }
        let operations = read("SELECT seq, kind = 'create', row_id, state FROM operation") {
            CacheImage.Operation(
                sequence: $0.integer(0), isCreate: $0.integer(1) == 1, todo: $0.integer(2),
                state: $0.text(3))
        }
        for operation in operations { image.operations[operation.sequence] = operation }
        return image
    }

    /// Whether anything waits that is not refused for good.
    var hasWork: Bool {
        read("SELECT 1 FROM operation WHERE state <> 'rejected' LIMIT 1") { _ in true }.first
            ?? false
    }

    /// What the cache remembers of lists that lack what was acknowledged.
    var unseenAndCut: (Set<String>, Int?) {
        let unseen = read("SELECT server_id FROM unseen JOIN \(rows) ON todo.id = row_id") {
            $0.text(0)
        }
        let cut = read(
            "SELECT cut_rows FROM sync_state WHERE cut_rows IS NOT NULL AND resource = ?",
            .text(resource.text)
        ) { Int($0.integer(0)) }
        return (Set(unseen), cut.first)
    }

    /// Whether the last list counts as cut.
    var hasCutList: Bool {
        !read("SELECT 1 FROM sync_state WHERE cut_rows > 0") { _ in true }.isEmpty
    }

    var queueText: String {
        read(
            "SELECT kind || ' of ' || title || ' (' || state || ')' FROM operation "
                + "JOIN \(rows) ON todo.id = row_id WHERE state <> 'rejected'"
        ) { $0.text(0) }
        .joined(separator: ", ")
    }
}
