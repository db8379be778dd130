internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Recovery
internal import Rendering
internal import Store
internal import Text

/// What `status` prints, as it was read.
struct CacheStatus: Sendable, Hashable {
    let path: String
    let account: Account?
    /// Why nothing is synced where the configuration names another account.
    let refusal: StoreError?
    /// The lists that are kept, in the order of their names.
    let lists: [StatusRow]
    let queue: QueueCounts
    /// What has been in doubt for too long, of the lists that are kept.
    let doubts: [LastingDoubt]
    /// How many edits conflict with the server, and were not looked at yet.
    let conflicts: Int64
    /// Deletes that wait for the person, of the lists that are kept.
    let held: [HeldDeletes]
    /// Changes of lists that are not kept.
    let unkept: [UnkeptChanges]
    /// Files that should declare a list, and do not.
    let broken: [BrokenList]
    /// Columns that look as if they named rows, and hold ids of the server.
    let plain: [PlainReference]
    /// What to do about credentials that a server refuses.
    let mends: [CredentialMend]
    /// The process that syncs now, if there is one.
    let holder: InstanceLock.Holder?
    /// Damaged caches that were moved aside.
    let setAside: [DamagedCopy]

    static func read(
        from store: CacheStore, path: String, settings: Settings?, now: BootTime
    ) async throws(CommandError) -> CacheStatus {
        let (account, rows, queue, doubts, conflicts, held) = try await CommandError.from(
            CommandError.store
        ) {
            () async throws(StoreError) in
            (
                try await store.account(of: .todos), try await store.status(),
                try await store.queueCounts(),
                try await store.lastingDoubts(now: now), try await store.conflictCount(),
                try await store.heldDeletes()
            )
        }
        let holder = try CommandError.trying(
            CommandError.file, try InstanceLock.holder(ofCacheAt: path))
        return CacheStatus(
            path: path, account: account, refusal: settings?.refusal(ofCacheOf: account),
            lists: rows.filter { settings?.keeps($0.list) ?? true }, queue: queue,
            doubts: doubts.filter { settings?.keeps($0.list) ?? true }, conflicts: conflicts,
            held: held.filter { settings?.keeps($0.list) ?? true },
            unkept: try await UnkeptChanges.all(in: store, settings),
            broken: settings?.brokenLists ?? [], plain: settings?.plainReferences ?? [],
            mends: settings.map { CredentialMend.all(for: rows, $0) } ?? [],
            holder: holder,
            setAside: DamagedCopy.all(of: path))
    }

    /// Whether every list was pulled within `maxAge`, and no change is stuck; says which one was not pulled.
    func verdict(maxAge: Duration?, now: WallTime, console: Console) -> ExitCode {
        guard let maxAge else { return broken.isEmpty ? .ok : .configuration }
        // However fresh it is: these are somebody else's.
        guard refusal == nil, broken.isEmpty else { return .configuration }
        var isFresh = true
        for row in lists {
            let age = row.lastSuccess.map { now.milliseconds - $0.milliseconds }
            if let age, age <= maxAge.wholeMilliseconds { continue }
            isFresh = false
            let told = age.map { "were pulled \(HumanTime.brief(.milliseconds($0))) ago" }
            console.warn(
                "the \(row.list) \(told ?? "were never pulled"); "
                    + "\(HumanTime.written(maxAge)) is allowed. Run `syncd sync \(row.list)`.")
        }
        guard isFresh else { return .tryLater }
        return lists.contains { $0.changes.stuck > 0 } ? .findings : .ok
    }
}

extension InstanceLock {
    /// Who syncs the cache at `path` now; nil for nobody.
    static func holder(ofCacheAt path: String) throws(FileError) -> Holder? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        return try holder(
            of: path[path.index(after: slash)...] + ".lock", inDirectoryAt: directory)
    }
}
