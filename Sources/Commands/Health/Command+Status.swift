internal import CommandLine
internal import Host
internal import Store

extension Command {
    static let status = Command(
        "status", "Prints how fresh the cache is, what waits and what failed.",
        options: [
            .json,
            OptionSpec(
                "max-age", "AGE",
                "exit 75 if the last success is older, 1 if changes are stuck"),
            OptionSpec("watch", "draw it again at each change, until interrupted"),
        ],
        notes: [
            "AGE is in seconds if it has no unit. Lists that the configuration leaves out are",
            "not shown and not judged. If a file declares no list, status 78 says so. With --json --watch, each change is one line.",
        ], statuses: [.findings, .tryLater, .configuration],
        examples: ["syncd status", "syncd status --max-age 1h >/dev/null || echo stale"]
    ) { arguments, composition async throws(CommandError) in
        let maxAge = try arguments.duration("max-age")
        guard maxAge == nil || !arguments.flags.contains("watch") else {
            throw arguments.usage("--watch and --max-age exclude each other")
        }
        let place = try composition.place(for: arguments)
        guard arguments.flags.contains("watch") else {
            let store = try composition.openForReading(place)
            let status = try await CacheStatus.read(
                from: store, path: store.path, settings: place.settings,
                now: composition.time.bootTime())
            let now = composition.time.wallTime()
            try composition.console.write(status, now: now, asJSON: arguments.wantsJSON)
            return status.verdict(maxAge: maxAge, now: now, console: composition.console)
        }
        return try await follow(
            CacheFollower(
                composition: composition, place: place,
                notices: WriteNotices(on: composition.queue, time: composition.time),
                followsLock: true),
            asJSON: arguments.wantsJSON)
    }

    /// Prints each status that differs from the one before, until a signal ends the process.
    private static func follow(
        _ follower: CacheFollower, asJSON: Bool
    ) async throws(CommandError) -> ExitCode {
        let composition = follower.composition
        var store = try await follower.open()
        let path = store.path
        var last: CacheStatus?
        while true {
            store = try await follower.successor(of: store)?.store ?? store
            let status = try await CacheStatus.read(
                from: store, path: path, settings: follower.place.settings,
                now: composition.time.bootTime())
            if status != last {
                let now = composition.time.wallTime()
                if !asJSON {
                    let moment = composition.moments.of(now.description)
                    try composition.console.clearScreen()
                    try composition.console.write(line: "status at \(moment)")
                }
                try composition.console.write(status, now: now, asJSON: asJSON)
                try composition.console.flush()
            }
            last = status
            await follower.notices.next(of: store)
        }
    }
}
