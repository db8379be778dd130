public import Declarations
public import Host
public import Store
public import SyncEngine

/// What runs the cycles: the synchronizer in the product, a script in a test.
public protocol CycleRunner: Sendable {
    /// The resources that are synced.
    var resources: [ResourceName] { get }

    /// Runs one cycle; never called for a resource while one of it is running.
    func cycle(
        _ resource: ResourceName, because cause: CycleCause
    ) async throws(StoreError) -> CycleReport

    /// When the next cycle is due, as the last one left it, also across a restart.
    func due(_ resource: ResourceName) async throws(StoreError) -> BootTime
}

extension Synchronizer: CycleRunner {}
