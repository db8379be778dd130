internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Rendering
internal import Store
internal import SyncEngine

extension Command {
    static let sync = Command(
        "sync", "Syncs once, now, through the daemon if one runs.",
        operands: OperandRule(
            name: "the name of a list, or nothing", usage: "[NAME]", count: 0...1),
        options: [
            .json,
            OptionSpec("accept-removals", "take a pull that removes more than half of the rows"),
            OptionSpec("accept-deletes", "send the deletes that wait, also those that are held"),
            OptionSpec("whole", "read whole lists, also where changes alone are asked for"),
            OptionSpec("dry-run", "print what would be sent, and send nothing"),
            OptionSpec(
                "timeout", "S", "give up after S seconds, or a duration such as 2m"),
        ],
        notes: [
            "NAME is movies, todos or a declared list; left out: every list that is kept.",
            "Our own backoff is skipped; what a server asked for is obeyed. Without --timeout, another",
            "process is waited for up to a minute, and a sync of our own takes the time it needs.",
            "It ends with 1 if the server has refused changes of these lists, which are told on standard",
            "error until they are retried or dropped; if changes are stuck (tried three times, or waiting",
            "for an hour); or if a list is cut, because the server has more of it than was taken.",
        ],
        statuses: [.findings, .unavailable, .tryLater, .credentials, .configuration, .interrupted],
        examples: ["syncd sync", "syncd sync todos --accept-removals"],
        signals: [.terminate, .interrupt]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.usableSettings(for: arguments)
        for broken in settings.brokenLists { composition.console.warn(broken.remark) }
        for plain in settings.plainReferences { composition.console.warn(plain.remark) }
        let order = try SyncOrder(arguments, settings: settings)
        if arguments.flags.contains("dry-run") {
            return try await dryRun(order, arguments, by: composition)
        }
        let stop = StopSignal()
        let sync = SyncOnce(
            composition: composition, settings: settings, order: order, stop: stop,
            phase: SyncPhase())
        defer { composition.console.clearProgress() }
        let outcome = try await Interruptible(
            queue: composition.queue, limit: order.limit, stop: stop,
            grace: { [phase = sync.phase] in phase.isWorking ? .seconds(3) : .zero }
        ).run { () async throws(CommandError) in try await sync.run() }
        composition.console.clearProgress()
        if arguments.wantsJSON {
            try composition.console.write(outcome.json)
        } else if !arguments.isQuiet {
            try composition.console.write(outcome.table(composition.moments))
        }
        try composition.console.remark(on: outcome, settings)
        for changes in try await unkept(settings, by: composition) {
            composition.console.warn(changes.remark)
        }
        // A list that was named does not suffer from the file of another one.
        let isWhole = order.list != nil || settings.brokenLists.isEmpty
        return .worst(of: [outcome.status, isWhole ? .ok : .configuration])
    }

    /// Changes that no sync sends.
    private static func unkept(
        _ settings: Settings, by composition: Composition
    ) async throws(CommandError) -> [UnkeptChanges] {
        let store = try composition.openForReading(
            CachePlace(path: settings.database, settings: settings), keepsRights: true)
        return try await UnkeptChanges.all(in: store, settings)
    }

    /// The plan of the sync that `order` asks for.
    private static func dryRun(
        _ order: SyncOrder, _ arguments: Arguments, by composition: Composition
    ) async throws(CommandError) -> ExitCode {
        guard order.lists != [.movies] else {
            throw arguments.usage("a sync of the movies sends nothing: leave --dry-run out")
        }
        let plan = try await SyncPlan.read(
            from: try composition.place(for: arguments), of: order.lists,
            because: .asked(acceptsRemovals: order.acceptsRemovals),
            acceptsDeletes: order.acceptsDeletes, by: composition)
        try composition.console.write(plan, asJSON: arguments.wantsJSON, composition.moments)
        if !arguments.wantsJSON { composition.console.note("nothing was sent: this was a dry run") }
        return .ok
    }
}
