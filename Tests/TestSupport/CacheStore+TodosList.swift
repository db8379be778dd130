import Declarations
package import Host
package import Rules
package import Store
import SyncEngine
package import Tables

/// The list of the todos, as every cache has it.
package let todosTable = ListTable(
    .todos(isEnabled: true, honoursIdempotencyKeys: false, interval: .seconds(900)))

/// What stands when a cycle of the todos begins, and the version that the last pull named.
package struct TodosOpening: Sendable {
    package let memory: SyncMemory
    package let isQueueSettled: Bool
    package let needsList: Bool
    package let validators: StoredValidators?
}

/// The calls of a cycle, for the todos.
extension CacheStore {
    package func openTodosCycle(url: String, now: BootTime) throws(StoreError) -> TodosOpening {
        let opening = try openCycle(of: todosTable, now: now)
        return TodosOpening(
            memory: opening.memory, isQueueSettled: opening.isQueueSettled,
            needsList: opening.needsList,
            validators: try storedPage(url: url, of: todosTable))
    }

    /// A pull of one page.
    package func reconcileTodos(
        body: [UInt8], url: String, validators: StoredValidators, now: WallTime,
        decide: @Sendable (RowsPull) throws -> Reconciled
    ) async throws(StoreError) -> Reconciled {
        try beginPull(of: todosTable)
        let facts = try await stage(body, page: 1, of: todosTable)
        return try reconcile(
            [PublishedPage(number: 1, url: url, validators: validators, facts: facts)],
            of: todosTable, now: now, decide: decide)
    }

    package func confirmTodos() throws(StoreError) { try confirm(todosTable) }

    package func confirmTodos(
        body: [UInt8], url: String, validators: StoredValidators
    ) throws(StoreError) -> Int64? {
        try confirm(todosTable, body: body, url: url, validators: validators)
    }

    package func exchange(
        settling settlements: [(OperationSequence, Settlement)], taking: [OperationSequence],
        for account: Account, now: BootTime, settlingTime: Duration
    ) throws(StoreError) -> ReplayCommit {
        try exchange(
            of: todosTable, settling: settlements, taking: taking, for: account, now: now,
            settlingTime: settlingTime)
    }

    package func foldWaitingOperations<Result: Sendable>(
        into initial: Result, _ add: @Sendable (inout Result, WaitingOperation) -> Void
    ) throws(StoreError) -> Result {
        try foldWaitingOperations(of: todosTable, into: initial, add)
    }

    package func bind(to account: Account) throws(StoreError) { try bind(.todos, to: account) }

    package func account() throws(StoreError) -> Account? { try account(of: .todos) }
}
