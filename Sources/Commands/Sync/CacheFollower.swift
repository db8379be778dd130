internal import Host
internal import Store

/// Keeps a cache open for reading and its files watched, also when others take their place.
struct CacheFollower: Sendable {
    let composition: Composition
    let place: CachePlace
    let notices: WriteNotices
    /// Whether the process that syncs is followed, too.
    let followsLock: Bool

    /// How often is looked where the kernel gives no watch.
    private static let withoutWatch = Duration.seconds(1)

    /// Opens the cache and watches the files that it has now.
    func open() async throws(CommandError) -> CacheStore {
        // What it calls for each change has the rights of whoever has started it.
        let store = try composition.openForReading(place, closes: true, keepsRights: true)
        // The write-ahead log is there after the first look.
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            _ = try await store.lastRevision()
        }
        try watch(try composition.find(place))
        return store
    }

    /// A cache that was opened anew.
    struct Successor {
        let store: CacheStore
        /// Whether it is the one from before, whose log was made anew.
        let isSameCache: Bool
    }

    /// The cache opened anew where files of it have left their place; nil where none have, or a signal
    /// came before there was one again.
    func successor(of store: CacheStore) async throws(CommandError) -> Successor? {
        guard notices.takeReplaced(), try await isReplaced(store) else { return nil }
        if await !store.hasSameDatabase() {
            composition.console.warn("the cache was replaced; going on with the new one")
        }
        while !notices.isInterrupted {
            // Asked before the opening: what comes between is another cache.
            let isSameCache = await store.hasSameDatabase()
            if !isSameCache { try watchArrival() }
            do throws(CommandError) {
                let next = try await open()
                // What came between the opening and the watch gives no event.
                if try await !isReplaced(next) {
                    let isStillThere = await store.hasSameDatabase()
                    return Successor(store: next, isSameCache: isSameCache && isStillThere)
                }
            } catch {
                // Files come one after another, in pieces, and are migrated after that.
                guard error.isOfMissingCache else { throw error }
                try watchArrival()
                await notices.next(of: nil)
            }
        }
        return nil
    }

    private func isReplaced(_ store: CacheStore) async throws(CommandError) -> Bool {
        do throws(StoreError) {
            try await store.requireSameFile()
            return false
        } catch .replaced {
            return true
        } catch {
            throw .store(error)
        }
    }

    private func watch(_ path: String) throws(CommandError) {
        do throws(SystemError) {
            try notices.watch(path)
            if followsLock { try notices.watchLock(of: path) }
        } catch {
            try lookEachSecond(instead: error)
        }
    }

    private func watchArrival() throws(CommandError) {
        do throws(SystemError) {
            try notices.watchArrival(at: place.path)
        } catch {
            try lookEachSecond(instead: error)
        }
    }

    private func lookEachSecond(instead error: SystemError) throws(CommandError) {
        guard !error.isMissing else { throw .system(error) }
        guard notices.look(each: Self.withoutWatch) else { return }
        composition.console.warn("looking each second, because no watch is possible: \(error)")
    }
}

extension CommandError {
    /// Whether there is no whole cache yet, and may soon be one.
    fileprivate var isOfMissingCache: Bool {
        switch self {
        case .store(let error):
            switch error {
            case .missing, .olderSchema, .cannotOpen, .busy, .notADatabase, .foreignDatabase,
                .inputOutput, .corrupt:
                true
            case .newerSchema, .editedMigration, .replaced, .otherAccount, .diskFull, .occupied,
                .readOnly, .refused, .foreignKey, .constraint, .foreignTable, .changedTable,
                .changesWait, .conflictsWait,
                .unseenWrites, .unusableBody, .unknownRow, .unknownOperation, .unknownConflict,
                .statement, .longWork,
                .stopped:
                false
            }
        case .system(let error): error.isMissing
        case .unconfigured: true
        case .usage, .data, .configuration, .statement, .api, .file, .lock, .output, .input,
            .tryLater, .notConfigured, .interrupted, .answer:
            false
        }
    }
}
