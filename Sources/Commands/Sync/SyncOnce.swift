internal import Configuration
internal import Declarations
@preconcurrency internal import Dispatch
internal import Glibc
internal import Host
internal import Recovery
internal import Rendering
internal import Store
internal import SyncEngine
internal import Text

/// One sync that a person asked for: through the daemon where one runs, else in this process.
struct SyncOnce: Sendable {
    let composition: Composition
    let settings: Settings
    let order: SyncOrder
    let stop: StopSignal
    let phase: SyncPhase

    /// How long another process is waited for where no limit was given.
    private static let standardLimit = Duration.seconds(60)

    func run() async throws(CommandError) -> SyncOutcome {
        let file = try composition.prepare(
            CachePlace(path: settings.database, settings: settings))
        let deadline = ContinuousClock.now.advanced(by: order.limit ?? Self.standardLimit)
        while true {
            let lock: InstanceLock
            do throws(LockError) {
                lock = try await composition.lock(
                    file, as: .once, waitingUpTo: ContinuousClock.now.duration(to: deadline)
                ) { composition.console.show(ProgressLine(label: $0)) }
            } catch .held(_, let holder?) where holder.role == .daemon {
                let outcome = try await runThrough(holder, file: file, until: deadline)
                if let outcome { return outcome }
                // The daemon ended before it answered; its place is free, or another one's.
                guard ContinuousClock.now < deadline else {
                    throw .tryLater(
                        "the daemon (process \(holder.pid)) ended before it had synced",
                        hint: "Run the command again.")
                }
                try await pause(for: .milliseconds(10))
                continue
            } catch {
                throw .lock(error)
            }
            defer { withExtendedLifetime(lock) {} }
            let outcome = try await runHere(file, lock)
            lock.endCleanly()
            return outcome
        }
    }

    private func runHere(
        _ file: DatabaseFile, _ lock: InstanceLock
    ) async throws(CommandError) -> SyncOutcome {
        let examined = try composition.salvage(file, lock) { report in
            composition.console.warn("\(ForeignText("\(report) \(report.hint)"))")
        }
        let store = try await composition.open(
            file, settings, patience: Composition.patienceOfCycles, examined: examined,
            whileMigrating: {})
        phase.beginWork()
        let console = composition.console
        let progress = SyncProgressTeller { console.show($0) }
        let synchronizer = try await composition.synchronizer(
            settings, store: store, stop: stop, whileMigrating: {}, tell: { progress.note($0) })
        return try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            // Whoever asked while nobody listened is answered by this sync, too.
            let before = try await store.status()
            if order.acceptsDeletes { try await store.acceptDeletes(of: order.lists) }
            if order.readsWhole { try await store.wantWhole(of: order.lists) }
            let requests = try await store.takeRequests(again: true)
            let lists = synchronizer.lists.filter {
                order.lists.contains($0) || requests?.lists.contains($0) == true
            }
            var accepting = requests?.acceptingRemovals ?? []
            if order.acceptsRemovals { accepting.formUnion(order.lists) }
            let below = Set(synchronizer.listsBelow)
            var reports = try await cycles(
                of: lists.filter { !below.contains($0) }, accepting: accepting, by: synchronizer)
            reports += try await cycles(
                of: lists.filter(below.contains), accepting: accepting, by: synchronizer)
            // What waited for a row of another list may go when that list has been synced.
            for _ in lists where reports.contains(where: { $0.replay.done > 0 }) {
                let freed = try await store.freed(
                    lists, now: composition.time.bootTime())
                guard !freed.isEmpty, !stop.isStopping else { break }
                let more = try await cycles(of: freed, accepting: [], by: synchronizer)
                reports =
                    more.map { report in
                        var whole = report
                        let before = reports.first { $0.list == report.list }
                        whole.replay.add(before?.replay ?? ReplayCounts())
                        return whole
                    } + reports.filter { !freed.contains($0.list) }
                guard more.contains(where: { $0.replay.done > 0 }) else { break }
            }
            if let requests { try await store.finish(requests) }
            return try await SyncOutcome.read(
                order.lists, from: store, since: before, reports: reports, daemon: nil)
        }
    }

    /// Runs the cycles beside each other; the first failure of the cache is thrown when all have
    /// ended.
    private func cycles(
        of lists: [ListName], accepting: Set<ListName>, by synchronizer: Synchronizer
    ) async throws(StoreError) -> [CycleReport] {
        let results = await withTaskGroup(of: Result<CycleReport, StoreError>.self) { group in
            for list in lists {
                let cause = CycleCause.asked(acceptsRemovals: accepting.contains(list))
                group.addTask {
                    do throws(StoreError) {
                        return .success(try await synchronizer.cycle(list, because: cause))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var reports: [CycleReport] = []
        for result in results { reports.append(try result.get()) }
        return reports
    }

    /// Asks the daemon and waits for its answer; nil when it ended before it answered.
    private func runThrough(
        _ daemon: InstanceLock.Holder, file: DatabaseFile, until deadline: ContinuousClock.Instant
    ) async throws(CommandError) -> SyncOutcome? {
        let store = try await composition.open(
            file, settings, patience: Composition.patienceOfPeople, whileMigrating: {})
        let (before, request) = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            if order.acceptsDeletes { try await store.acceptDeletes(of: order.lists) }
            if order.readsWhole { try await store.wantWhole(of: order.lists) }
            return (
                try await store.status(),
                try await store.requestSync(
                    of: order.list, acceptsRemovals: order.acceptsRemovals)
            )
        }
        let notices = watch(file)
        wake(daemon)
        var progress = DaemonProgress(pid: daemon.pid)
        while try await isPending(request, in: store) {
            if let queue = try await queue(of: store) { progress.note(queue) }
            composition.console.show(progress.line)
            let holder = try CommandError.trying(
                CommandError.file, try InstanceLock.holder(ofCacheAt: file.path))
            guard holder == daemon else { return nil }
            guard ContinuousClock.now < deadline else {
                throw .tryLater(
                    "the daemon (process \(daemon.pid)) has not finished its sync in time",
                    hint: "Look at `syncd status`; the daemon goes on by itself.")
            }
            await notices.next(of: store)
            guard !Task.isCancelled else { throw .interrupted }
        }
        return try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await SyncOutcome.read(
                order.lists, from: store, since: before, reports: [], daemon: daemon.pid)
        }
    }

    /// Says when to look whether the daemon has answered, or has ended.
    private func watch(_ file: DatabaseFile) -> WriteNotices {
        let notices = WriteNotices(on: composition.queue, time: composition.time)
        do throws(SystemError) {
            try notices.watch(file.path)
            try notices.watchLock(of: file.path)
            // Only for the limit of time.
            _ = notices.look(each: .seconds(1))
        } catch {
            _ = notices.look(each: .milliseconds(100))
        }
        return notices
    }

    /// The outbox, where it is sent.
    private func queue(of store: CacheStore) async throws(CommandError) -> QueueCounts? {
        guard order.lists.contains(.todos) else { return nil }
        return try await CommandError.awaiting(
            CommandError.store, try await store.queueCounts())
    }

    private func pause(for time: Duration) async throws(CommandError) {
        try await CommandError.from({ _ in .interrupted }) { () async throws(CancellationError) in
            try await wait(for: time, on: composition.queue)
        }
    }

    private func isPending(
        _ request: Int64, in store: CacheStore
    ) async throws(CommandError) -> Bool {
        try await CommandError.awaiting(
            CommandError.store, try await store.isPending(request))
    }

    /// Tells the daemon that a request waits. The lock is held by it now; that its number leads to a
    /// program of this name is looked at, too, for it may be of another pid namespace.
    private func wake(_ daemon: InstanceLock.Holder) {
        let name = try? SmallFile(path: "/proc/\(daemon.pid)/comm", limit: 64).read()
        // A daemon that cannot be signalled finds the request at its next cycle.
        guard name?.starts(with: "syncd".utf8) == true, kill(daemon.pid, SIGUSR1) == 0 else {
            composition.console.note(
                "the daemon (process \(daemon.pid)) cannot be woken; it syncs when it is due")
            return
        }
    }
}
