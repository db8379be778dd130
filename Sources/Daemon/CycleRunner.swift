public import Declarations
public import Host
public import Store
public import SyncEngine

/// What runs the cycles: the synchronizer in the product, a script in a test.
public protocol CycleRunner: Sendable {
    /// The lists that are synced.
    var lists: [ListName] { get }

    /// Runs one cycle; never called for a list while one of it is running.
    func cycle(
        _ list: ListName, because cause: CycleCause
    ) async throws(StoreError) -> CycleReport

    /// When the next cycle is due, as the last one left it, also across a restart.
    func due(_ list: ListName) async throws(StoreError) -> BootTime
}

extension Synchronizer: CycleRunner {}
