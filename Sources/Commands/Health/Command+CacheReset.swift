internal import CommandLine
internal import Host
internal import Migrations
internal import Recovery
internal import Store
internal import Text

extension Command {
    static let cacheReset = Command(
        "cache reset", "Sets the cache aside, and begins an empty one.",
        options: [
            OptionSpec("force", "also while changes wait: they stay in the old file, unsent")
        ],
        notes: [
            "Nothing is deleted: the old cache is kept beside the new one under another name. Use it",
            "when the cache belongs to another account than the configuration. Stop the daemon",
            "first. The next sync pulls everything again.",
        ], statuses: [.data, .tryLater, .configuration],
        examples: ["syncd cache reset", "syncd cache reset --force"]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        _ = try composition.find(place)
        let file = try composition.prepare(place)
        let lock: InstanceLock
        do throws(LockError) {
            lock = try await composition.lock(
                file, as: .once, waitingUpTo: .seconds(10), tell: composition.console.note)
        } catch {
            throw .lock(error)
        }
        defer { withExtendedLifetime(lock) {} }
        _ = try composition.salvage(file, lock) { report in
            composition.console.warn("\(ForeignText("\(report) \(report.hint)"))")
        }
        let outcome = try CommandError.from(CommandError.store) { () throws(StoreError) in
            try Salvage(
                of: file.path, migrations: Migration.all, wall: composition.time.wallTime(),
                now: composition.time.bootTime()
            ).reset(leavingQueue: arguments.flags.contains("force"))
        }
        lock.endCleanly()
        switch outcome {
        case .refused(let operations):
            throw .data(
                "changes wait in the outbox: \(operations)",
                hint: "Send them with `syncd sync`, or look at `syncd outbox list`; "
                    + "`syncd cache reset --force` leaves them in the old file.")
        case .done(let aside, let operations):
            // Makes its write-ahead log; the first sync says whose it is.
            _ = try await composition.open(
                file, nil, patience: Composition.patienceOfPeople, whileMigrating: {})
            composition.console.note("the old cache was moved to \(ForeignText(aside))")
            guard operations > 0 else { return .ok }
            composition.console.warn(
                "changes that nobody sends any more: \(operations). See them with "
                    + "`sqlite3 \(ForeignText(aside)) 'SELECT * FROM outbox'`")
            return .ok
        }
    }
}
