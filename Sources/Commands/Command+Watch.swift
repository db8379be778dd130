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
            OptionSpec("since", "REV", "begin after this revision instead of with the next one"),
            OptionSpec(
                "exec", "COMMAND", "run COMMAND in a shell for each batch, its lines as its input"),
        ],
        notes: [
            "Changes by every process are told, in the order of their commits. A line whose change is gap",
            "says that older changes were dropped from the log: read the views anew after it. With",
            "--exec nothing is printed but what COMMAND prints; it is not run twice at a time.",
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
