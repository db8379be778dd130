internal import Host

extension Composition {
    /// Takes the lock of a cache. Another process that holds it for one sync is waited for, up to
    /// `limit`, after `tell` was told which process it is.
    func lock(
        _ file: DatabaseFile, as role: InstanceLock.Role, waitingUpTo limit: Duration,
        tell: (String) -> Void
    ) async throws(LockError) -> InstanceLock {
        do throws(LockError) {
            return try InstanceLock.acquire(file.lockName, in: file.directory, as: role)
        } catch .held(let path, let holder) {
            guard holder?.role != .daemon else { throw .held(path: path, by: holder) }
            let process = holder.map { " (process \($0.pid))" } ?? ""
            tell("waiting for another sync of this cache\(process)")
        } catch {
            throw error
        }
        return try await InstanceLock.acquire(
            file.lockName, in: file.directory, as: role, waitingUpTo: limit, on: queue)
    }
}
