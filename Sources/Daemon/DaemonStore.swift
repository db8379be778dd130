public import Declarations
public import Host
public import Store

/// What the daemon itself needs of the cache; the cycles have their own way to it.
public protocol DaemonStore: Sendable {
    /// Takes the sync requests that wait; with `again`, also those of a daemon that ended.
    func takeRequests(again: Bool) async throws(StoreError) -> TakenRequests?

    /// Answers the requests of a batch: their cycles have ended.
    func finish(_ requests: TakenRequests) async throws(StoreError)

    /// Looks whether others have committed, and if so, what waits.
    func look(for question: WriteQuestion, now: BootTime) async throws(StoreError) -> WriteSign

    /// What is remembered of `list` between cycles.
    func memory(of list: ListName) async throws(StoreError) -> SyncMemory

    /// How everything stands, to be told.
    func standing() async throws(StoreError) -> Standing

    /// Gives back the memory that work has left.
    func rest() async
}

extension CacheStore: DaemonStore {}
