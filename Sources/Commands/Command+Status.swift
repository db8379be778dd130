internal import Host

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
        examples: ["syncd status", "syncd status --max-age 1h >/dev/null || echo stale"]
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
