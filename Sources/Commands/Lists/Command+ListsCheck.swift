internal import CommandLine
internal import Configuration
internal import Declarations
internal import Host
internal import Rendering
internal import SyncEngine

extension Command {
    static let listsCheck = Command(
        "lists check", "Says what a sync of a list would bring; changes no cache.",
        operands: OperandRule(
            name: "the name of a list, or nothing", usage: "[NAME]", count: 0...1),
        options: [.json],
        notes: [
            "It pulls the list twice, into a cache in /tmp that is removed. It tells the rows, those that",
            "would be skipped and why, the requests and the time of a pull, whether the server says so",
            "when nothing has changed, and what is promised. Without NAME, it checks every list that is",
            "kept.",
        ],
        statuses: [
            .findings, .unavailable, .tryLater, .credentials, .configuration, .interrupted,
        ],
        examples: ["syncd lists check issues"], signals: [.terminate, .interrupt]
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.usableSettings(for: arguments)
        let order = try SyncOrder(arguments, settings: settings)
        let broken = settings.brokenLists.filter { list in
            arguments.operands.isEmpty || arguments.operands == [list.name]
        }
        for list in broken { composition.console.warn(list.remark) }
        let stop = StopSignal()
        let trial = ListTrial(composition: composition, settings: settings, stop: stop)
        let results = try await Interruptible(
            queue: composition.queue, limit: nil, stop: stop, grace: { .zero }
        ).run { () async throws(CommandError) in try await trial.run(order.lists) }
        let console = composition.console
        for remark in results.flatMap(\.remarks) { console.warn(remark) }
        if arguments.wantsJSON {
            try console.write(.array(results.map(\.json)))
            return .worst(of: results.map(\.status) + broken.map { _ in .configuration })
        }
        for (place, result) in results.enumerated() {
            if place > 0 { try console.write(text: "\n") }
            try console.write(
                Table(
                    columns: [.init("fact"), .init("value", isFlexible: true)],
                    rows: result.facts.map { [.init($0.name), .init($0.value)] }))
            let promises = result.declaration.promises.map { "- \($0)\n" }.joined()
            try console.write(text: "\nWhat is promised:\n\(promises)")
        }
        return .worst(of: results.map(\.status) + broken.map { _ in .configuration })
    }
}
