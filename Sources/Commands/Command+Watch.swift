internal import Host
internal import Store
internal import Text

extension Command {
    static let watch = Command(
        "watch", "Prints a line of JSON for each change, until interrupted.",
        operands: OperandRule(
            name: "movies, todos, outbox, or nothing", usage: "[movies|todos|outbox]",
            count: 0...1, choices: ["movies", "todos", "outbox"]),
        options: [
            OptionSpec("since", "REV", "begin after revision REV, not with the next change"),
            OptionSpec(
                "exec", "COMMAND", "run COMMAND in a shell for each batch, with its lines as input"),
        ],
        notes: [
            "It prints the changes of every process, in the order of their commits. If `change` is",
            "gap, older changes were dropped from the log: read the views again. With --exec, only",
            "COMMAND prints, and it never runs twice at the same time.",
        ], statuses: [.configuration, .interrupted],
        examples: [
            "syncd watch todos", "syncd watch --exec 'pkill -RTMIN+8 waybar'",
            "syncd watch --since 4711 | jq -r .title",
        ], signals: [.terminate, .interrupt]
    ) { arguments, composition async throws(CommandError) in
        let resources = try Self.resources(named: arguments)
        let since = try arguments.revision("since")
        return try await ChangeWatch(
            composition: composition, place: try composition.place(for: arguments),
            resources: resources, command: arguments.values["exec"]
        ).run(since: since)
    }

    private static func resources(
        named arguments: Arguments
    ) throws(CommandError) -> Set<ChangedResource> {
        let all = ChangedResource.allCases
        guard let word = arguments.operands.first else { return Set(all) }
        guard let resource = ChangedResource(rawValue: word) else {
            let remark = NearestName.remark(on: word, among: all.map(\.rawValue))
            throw arguments.usage(
                "`watch` takes movies, todos or outbox, not ‘\(Arguments.shown(word))’\(remark)")
        }
        return [resource]
    }
}
