import Rules
import SQLite
import Store
import Testing

extension CacheStore {
    /// Adds a todo whose create is in `state`.
    func create(
        _ title: String, in state: OperationState
    ) async throws -> (todo: TodoID, operation: OperationSequence) {
        let todo = try await add(title)
        let operation = try #require(
            try outbox().first { $0.row == todo.rawValue && $0.kind == "create" }?.sequence)
        try bring(operation, to: state)
        return (todo, operation)
    }

    /// Deletes a pulled todo, and brings the delete to `state`.
    func delete(
        _ todo: TodoID, in state: OperationState
    ) async throws -> OperationSequence {
        try removeTodos([todo])
        let operation = try #require(
            try outbox().first { $0.row == todo.rawValue && $0.kind == "delete" }?.sequence)
        try bring(operation, to: state)
        return operation
    }

    private func bring(_ operation: OperationSequence, to state: OperationState) throws {
        guard state != .queued else { return }
        try #require(try take([operation]).count == 1)
        switch state {
        case .queued, .sending: break
        case .inDoubt: _ = try settle(operation, .doubtful(wait(5000), isOver: false))
        case .acknowledged: _ = try settle(operation, .answered())
        case .rejected: _ = try settle(operation, lastRefusal(of: operation))
        }
    }

    /// A refusal that counts, whatever older operations wait.
    func lastRefusal(of operation: OperationSequence) throws -> Settlement {
        _ = try withConnection {
            try $0.run(
                "UPDATE operation SET refusals = ? WHERE seq = ?",
                .integer(RefusalRun.ownAtMost - 1), .integer(operation.rawValue))
        }
        return .refusedInRun(wait(5000, status: 422, "no"))
    }
}
