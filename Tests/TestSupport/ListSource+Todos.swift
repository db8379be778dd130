package import APIClient
internal import Declarations
package import Store
package import SyncEngine
internal import Tables

extension ListSource {
    /// The todos of one account at a server of the tests.
    package static func todos(
        session: TodosSession, account: Account, interval: Duration, concurrency: Int,
        honoursIdempotencyKeys: Bool, timeout: Duration
    ) -> ListSource {
        ListSource(
            table: ListTable(
                .todos(
                    isEnabled: true, honoursIdempotencyKeys: honoursIdempotencyKeys,
                    interval: interval)),
            client: session.list, lanes: ServerLanes(most: concurrency),
            writing: Writing(account: account, timeout: timeout))
    }
}
