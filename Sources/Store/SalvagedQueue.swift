internal import Host
internal import SQLite

/// What was read of the todos and the queue of a damaged cache, made to keep the laws of the cache
/// again.
///
/// Where nobody knows whether an operation was sent, it is in doubt: the next pulls decide it, and it
/// is not sent again before them.
struct SalvagedQueue {
    /// A todo, and what its server has sent of it.
    struct SavedTodo {
        let title: String
        let serverID: String?
        let createdAt: Int64
        let document: String?
    }

    private(set) var todos: [Int64: SavedTodo] = [:]
    private(set) var operations: [Int64: SalvagedOperation] = [:]
    /// Operations whose todo could not be read, so that there is nothing to send.
    private(set) var orphans: [Int64] = []
    /// Todos whose create could not be read.
    private(set) var assumedCreates = 0
    private var creates: [Int64: Int64] = [:]
    private var deletes: [Int64: Int64] = [:]

    static let todoColumns = "title, server_id, created_at, document"

    /// Takes the rows that were read, by their numbers. With `isDoubtful`, what is queued may have
    /// been sent all the same. No operation has had a number above `lastOperation`.
    init(
        todos: [Int64: [Value]], operations: [Int64: [Value]], isDoubtful: Bool,
        lastOperation: Int64, now: BootTime
    ) {
        take(todos)
        for (sequence, row) in operations.sorted(by: { $0.key < $1.key }) {
            take(row, as: sequence, isDoubtful: isDoubtful, now: now)
        }
        for (todo, delete) in deletes where self.todos[todo]?.serverID == nil {
            // A delete waits behind a create only while that is being sent or in doubt.
            if let create = creates[todo], self.operations[create]?.state != .inDoubt {
                self.operations[create]?.putInDoubt(since: now)
            }
            self.operations[delete]?.queue()
        }
        addMissingCreates(after: lastOperation, now: now)
    }

    private mutating func take(_ rows: [Int64: [Value]]) {
        var owned: Set<String> = []
        for (id, row) in rows.sorted(by: { $0.key < $1.key }) {
            guard row.count == 4, let title = row[0].string, !title.utf8.contains(0) else {
                continue
            }
            let server = row[1].string.flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
            // A server's title may be empty.
            let lengths = server == nil ? 1...4096 : 0...1_048_576
            guard lengths.contains(title.utf8.count) else { continue }
            // Two rows of one id at the server would be one todo twice.
            if let server, !owned.insert(server).inserted { continue }
            todos[id] = SavedTodo(
                title: title, serverID: server, createdAt: row[2].number ?? 0,
                document: server == nil ? nil : row[3].string)
        }
    }

    private mutating func take(
        _ row: [Value], as sequence: Int64, isDoubtful: Bool, now: BootTime
    ) {
        guard
            var operation = SalvagedOperation(
                sequence: sequence, row, queuedBy: 0, now: now)
        else { return orphans.append(sequence) }
        guard let todo = todos[operation.todo] else { return orphans.append(sequence) }
        if isDoubtful, operation.state == .queued { operation.putInDoubt(since: now) }
        switch operation.kind {
        case .create:
            // The server has it: the create is done.
            guard todo.serverID == nil, creates[operation.todo] == nil else { return }
            creates[operation.todo] = sequence
        case .delete:
            guard deletes[operation.todo] == nil else { return }
            deletes[operation.todo] = sequence
        }
        operations[sequence] = operation
    }

    private mutating func addMissingCreates(after last: Int64, now: BootTime) {
        var next = max(last, operations.keys.max() ?? 0)
        for (id, todo) in todos.sorted(by: { $0.key < $1.key })
        where todo.serverID == nil && creates[id] == nil {
            next += 1
            creates[id] = next
            operations[next] = SalvagedOperation(
                createOf: id, sequence: next, queuedAt: todo.createdAt, now: now)
            assumedCreates += 1
        }
    }

    /// Writes everything to a new cache, in one transaction of the caller.
    func insert(into connection: Connection) throws(SQLiteError) {
        for (id, todo) in todos.sorted(by: { $0.key < $1.key }) {
            // A document that is not what the row says is made from the row; the next pull brings
            // the server's.
            try connection.run(
                """
                INSERT INTO todo (id, title, server_id, created_at, document)
                VALUES (?1, ?2, ?3, ?4, iif(?3 IS NULL, NULL, iif(
                    iif(json_valid(?5), ?5 ->> '$.title' IS ?2
                        AND CAST(?5 ->> '$.id' AS TEXT) IS ?3, 0),
                    ?5, json_object('id', iif(CAST(CAST(?3 AS INTEGER) AS TEXT) = ?3,
                        CAST(?3 AS INTEGER), ?3), 'title', ?2))))
                """, .integer(id), .text(todo.title), .text(todo.serverID),
                .integer(todo.createdAt), .text(todo.document))
        }
        for (_, operation) in operations.sorted(by: { $0.key < $1.key }) {
            try operation.insert(into: connection)
        }
    }
}
