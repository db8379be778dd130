internal import CommandLine
internal import Host
internal import Store

extension Command {
    static let watch = Command(
        "watch", "Prints a line of JSON for each change, until interrupted.",
        operands: OperandRule(
            name: "a list, todos, outbox, or nothing", usage: "[NAME]", count: 0...1,
            choices: ["outbox"]),
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
        let since = try arguments.revision("since")
        let place = try composition.place(for: arguments)
        if let word = arguments.operands.first, !["outbox", "todos"].contains(word) {
            _ = try await composition.table(
                word, arguments, in: try composition.openForReading(place, keepsRights: true))
        }
        return try await ChangeWatch(
            composition: composition, place: place, list: arguments.operands.first,
            command: arguments.values["exec"]
        ).run(since: since)
    }
}
