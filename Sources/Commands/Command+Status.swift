internal import Configuration
internal import Host
internal import Rendering
internal import Store

extension Command {
    static let status = Command(
        "status", "Prints how fresh the cache is, what waits in the queue, and the last errors.",
        options: [
            .json,
            OptionSpec(
                "max-age", "AGE", "exit 75 where the last success is older than AGE, such as 1h"),
            OptionSpec("watch", "print again at each change, until interrupted"),
        ],
        notes: [
            "AGE counts seconds where it has no unit. Resources that the configuration leaves out",
            "are not shown and not judged. With --json --watch, each change is one line.",
        ], statuses: [.tryLater, .configuration, .closedPipe],
        examples: ["syncd status", "syncd status --quiet --max-age 1h || echo stale"]
    ) { arguments, composition async throws(CommandError) in
        let maxAge = try arguments.duration("max-age")
        let place = try composition.place(for: arguments)
        let store = try composition.openForReading(place)
        let path = try composition.find(place)
        var last: CacheStatus?
        while true {
            let status = try await CacheStatus.read(
                from: store, path: path, settings: place.settings)
            let now = composition.time.wallTime()
            if status != last {
                try composition.console.write(status, now: now, asJSON: arguments.wantsJSON)
            }
            last = status
            guard arguments.flags.contains("watch") else {
                return status.verdict(maxAge: maxAge, now: now, console: composition.console)
            }
            try composition.console.flush()
            try await CommandError.from({ _ in .interrupted }) {
                () async throws(CancellationError) in
                try await wait(for: .seconds(1), on: composition.queue)
            }
        }
    }
}

/// What `status` prints, as it was read.
struct CacheStatus: Sendable, Hashable {
    let path: String
    let account: Account?
    /// The resources that are kept, in the order of their names.
    let resources: [StatusRow]
    let queue: QueueCounts
    /// The process that syncs now, if there is one.
    let holder: InstanceLock.Holder?

    static func read(
        from store: CacheStore, path: String, settings: Settings?
    ) async throws(CommandError) -> CacheStatus {
        let (account, rows, queue) = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            (try await store.account(), try await store.status(), try await store.queueCounts())
        }
        let holder = try CommandError.from(CommandError.file) { () throws(FileError) in
            try InstanceLock.holder(ofCacheAt: path)
        }
        return CacheStatus(
            path: path, account: account,
            resources: rows.filter { settings?.keeps($0.resource) ?? true }, queue: queue,
            holder: holder)
    }

    /// Whether every resource was pulled within `maxAge`; says which one was not.
    func verdict(maxAge: Duration?, now: WallTime, console: Console) -> ExitStatus {
        guard let maxAge else { return .ok }
        var isFresh = true
        for row in resources {
            let age = row.lastSuccess.map { now.milliseconds - $0.milliseconds }
            if let age, age <= maxAge.wholeMilliseconds { continue }
            isFresh = false
            let told = age.map { "were pulled \(HumanTime.brief(.milliseconds($0))) ago" }
            console.warn(
                "the \(row.resource) \(told ?? "were never pulled"); "
                    + "\(HumanTime.written(maxAge)) is allowed. Run `syncd sync \(row.resource)`.")
        }
        return isFresh ? .ok : .tryLater
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
